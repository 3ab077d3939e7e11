import ODataTestSupport
import Testing

@testable import ODataKit

private typealias Metadata = ServiceMetadata

@Suite("Reading metadata")
struct MetadataReadingTests {
  @Test("a document reads the same however it arrives", arguments: MetadataFixtures.all.map(\.name))
  func cutAnywhere(_ name: String) throws {
    let text = try #require(MetadataFixtures.all.first { $0.name == name }).text
    let whole = try MetadataFixtures.read(text)
    for chunks in cuts(of: Array(text.utf8), limit: 400) {
      let reader = MetadataReader(limits: PayloadLimits())
      for chunk in chunks { try reader.read(chunk) }
      try #require(reader.finish() == whole)
    }
  }

  @Test("OData 4.01 in JSON is the same model as in XML")
  func sameModel() throws {
    let xml = try MetadataFixtures.read(MetadataFixtures.shop4)
    let json = try MetadataFixtures.read(MetadataFixtures.shop4JSON)
    #expect(xml.remarks == [])
    #expect(json.remarks == [])
    #expect(xml.version == json.version)
    #expect(xml.references == json.references)
    #expect(xml.schemas.count == json.schemas.count)
    for (a, b) in zip(xml.schemas, json.schemas) {
      for (a, b) in zip(a.entityTypes, b.entityTypes) {
        #expect(a.declaredProperties == b.declaredProperties)
        #expect(a.declaredNavigationProperties == b.declaredNavigationProperties)
        #expect(a == b)
      }
      #expect(a.complexTypes == b.complexTypes)
      #expect(a.enumTypes == b.enumTypes)
      #expect(a.typeDefinitions == b.typeDefinitions)
      #expect(a.actions == b.actions)
      #expect(a.functions == b.functions)
      #expect(a.entityContainers == b.entityContainers)
      #expect(a == b)
    }
    #expect(xml.entityContainer == json.entityContainer)
    #expect(xml == json)
  }

  @Test("the version is the one that the service speaks")
  func versions() throws {
    #expect(
      try MetadataFixtures.all.map { try MetadataFixtures.read($0.text).version } == [
        "2.0", "3.0", "4.01", "4.01",
      ])
    #expect(
      try MetadataFixtures.all.map { try MetadataFixtures.read($0.text).dialect } == [.v2, .v3, .v4, .v4])
  }

  // MARK: OData 2

  @Test("OData 2: types, keys and what is inherited")
  func types2() throws {
    let metadata = try MetadataFixtures.read(MetadataFixtures.shop2)
    #expect(metadata.remarks == [])
    let order = try #require(metadata.entityType("Shop.Order"))
    #expect(order.key.map(\.name) == ["Id"])
    #expect(order.properties.map(\.name) == ["Id", "Note", "Placed", "Total", "Version", "ShipTo"])
    #expect(order.property("Id")?.type.name == .int32)
    #expect(order.property("Note")?.type.maxLength == .max)
    #expect(order.property("Note")?.type.isFixedLength == false)
    #expect(order.property("Placed")?.type.precision == 3)
    #expect(order.property("Total")?.type.scale == .digits(4))
    #expect(order.property("Total")?.defaultValue == "0")
    #expect(order.properties.filter(\.isConcurrencyToken).map(\.name) == ["Version"])
    #expect(order.property("ShipTo")?.type.name == EdmType(rawValue: "Shop.Address"))
    #expect(order.annotations.text("Org.OData.Core.V1.Description") == "What a customer asked for.")
    #expect(
      order.property("Total")?.annotations.text("http://www.sap.com/Protocols/SAPData/label") == "Total & tax"
    )

    let rush = try #require(metadata.entityType("Self.RushOrder"))
    #expect(rush.base == order)
    #expect(rush.key.map(\.name) == ["Id"])
    #expect(
      rush.properties.map(\.name) == ["Id", "Note", "Placed", "Total", "Version", "ShipTo", "Due"])
    #expect(rush.declaredProperties.map(\.name) == ["Due"])
    #expect(rush.navigationProperties.map(\.name) == ["Lines", "Courier"])
    #expect(metadata.entityType("Shop.Courier")?.hasStream == true)
    #expect(rush.hasStream == false)
    #expect(
      metadata.complexType("Shop.Address")?.properties.map(\.type.maxLength) == [.units(60), .units(15)])
    #expect(metadata.entityType("Shop.Address") == nil)
  }

  @Test("OData 2: associations become navigation properties and bindings")
  func associations() throws {
    let metadata = try MetadataFixtures.read(MetadataFixtures.shop2)
    let lines = try #require(metadata.entityType("Shop.Order")?.navigationProperty("Lines"))
    #expect(lines.type.rawValue == "Shop.Line")
    #expect(lines.multiplicity == .many)
    #expect(lines.partner == "Order")
    #expect(lines.onDelete == "Cascade")
    #expect(lines.referentialConstraints == [])
    let order = try #require(metadata.entityType("Shop.Line")?.navigationProperty("Order"))
    #expect(order.type.rawValue == "Shop.Order")
    #expect(order.multiplicity == .one)
    #expect(order.partner == "Lines")
    #expect(order.referentialConstraints.map(\.property) == ["OrderId"])
    #expect(order.referentialConstraints.map(\.referencedProperty) == ["Id"])
    let courier = try #require(metadata.entityType("Shop.RushOrder")?.navigationProperty("Courier"))
    #expect(courier.multiplicity == .zeroOrOne)
    #expect(courier.partner == nil)

    let orders = try #require(metadata.entitySet("Orders"))
    #expect(orders.navigationPropertyBindings.map(\.path) == ["Lines", "Shop.RushOrder/Courier"])
    #expect(orders.navigationPropertyBindings.map(\.target) == ["Lines", "Couriers"])
    #expect(orders.annotations.text("http://www.sap.com/Protocols/SAPData/creatable") == "false")
    #expect(metadata.entitySet("Lines")?.navigationPropertyBindings.map(\.target) == ["Orders"])
  }

  @Test("OData 2: the default container, and the name of another in front of its sets")
  func containers() throws {
    let metadata = try MetadataFixtures.read(MetadataFixtures.shop2)
    #expect(metadata.entityContainer?.name == "Shop.Entities")
    #expect(metadata.entitySets.map(\.name) == ["Orders", "Lines", "Couriers"])
    #expect(metadata.entitySet("Things") == nil)
    #expect(metadata.entitySet("Other.Things")?.entityType.rawValue == "Shop.Line")
    #expect(metadata.entityType(ofSet: "Lines")?.key.map(\.name) == ["OrderId", "Number"])
  }

  @Test("OData 2: feed mappings of properties, of parts of complex ones, and of the type")
  func feedMappings() throws {
    let metadata = try MetadataFixtures.read(MetadataFixtures.shop2)
    let mappings = try #require(metadata.entityType("Shop.RushOrder")).feedMappings
    #expect(
      mappings == [
        Metadata.FeedMapping(
          sourcePath: "Note", targetPath: "SyndicationTitle", keepsInContent: false, contentKind: "text"),
        Metadata.FeedMapping(
          sourcePath: "ShipTo/City", targetPath: "geo/@city", keepsInContent: false,
          namespaceURI: "urn:geo", namespacePrefix: "g"),
        Metadata.FeedMapping(
          sourcePath: "ShipTo/Street", targetPath: "geo/street", namespaceURI: "urn:geo",
          namespacePrefix: "g"),
        Metadata.FeedMapping(sourcePath: "Placed", targetPath: "SyndicationUpdated"),
      ])
  }

  @Test("OData 2: service operations")
  func serviceOperations() throws {
    let metadata = try MetadataFixtures.read(MetadataFixtures.shop2)
    let found = try #require(metadata.functionImports("OrdersOf").first)
    #expect(found.kind == .function)
    #expect(found.httpMethod == .get)
    #expect(found.entitySet == "Orders")
    #expect(found.overloads.count == 1)
    #expect(found.overloads[0].returnType?.description == "Collection(Shop.Order)")
    #expect(found.overloads[0].parameters.map(\.name) == ["customer"])
    #expect(found.overloads[0].parameters[0].type.maxLength == .units(5))
    let close = try #require(metadata.functionImports("Close").first)
    #expect(close.kind == .action)
    #expect(close.httpMethod == .post)
    #expect(close.overloads[0].returnType == nil)
  }

  // MARK: OData 3

  @Test("OData 3: collections, streams, spatial types, enumerations and open types")
  func types3() throws {
    let metadata = try MetadataFixtures.read(MetadataFixtures.shop3)
    #expect(metadata.remarks == [])
    let product = try #require(metadata.entityType(ofSet: "Products"))
    #expect(product.isOpen)
    #expect(
      product.property("Tags")?.type == Metadata.TypeReference(.string, isCollection: true, isNullable: false)
    )
    #expect(product.property("Place")?.type.srid == .variable)
    #expect(
      product.property("Tags")?.annotations["Org.OData.Display.V1.DisplayName", qualifier: "Phone"]
        == .text("Tags"))
    let color = try #require(metadata.enumType("Demo.Types.Color"))
    #expect(color.underlyingType == .byte)
    #expect(color.members.map(\.name) == ["Red", "Green", "Blue"])
    #expect(color.members.map(\.value) == [0, 5, 6])
  }

  @Test("OData 3: function imports are functions and actions, bound and not")
  func operations3() throws {
    let metadata = try MetadataFixtures.read(MetadataFixtures.shop3)
    let byRating = try #require(metadata.functionImports("ByRating").first)
    #expect(byRating.kind == .function)
    #expect(byRating.httpMethod == .get)
    #expect(byRating.overloads[0].isComposable)
    #expect(byRating.overloads[0].returnType?.description == "Collection(Demo.Types.Product)")
    let discounts = metadata.functionImports("Discount")
    #expect(discounts.map(\.kind) == [.action, .action])
    #expect(discounts.map(\.httpMethod) == [.post, .post])
    #expect(discounts.map { $0.overloads[0].isBound } == [true, false])
    #expect(discounts[0].overloads[0].bindingParameter?.type.name.rawValue == "Demo.Types.Product")
    #expect(discounts[0].overloads[0].returnType?.name == .double)
    #expect(discounts[0].overloads[0].entitySetPath == "product")
  }
}
