import ODataTestSupport
import Testing

@testable import ODataKit

@Suite("Reading metadata of OData 4", .serialized)
struct MetadataReading4Tests {
  private let metadata: ServiceMetadata

  init() throws { metadata = try MetadataFixtures.read(MetadataFixtures.shop4) }

  @Test("keys by path and alias are inherited")
  func keys() throws {
    let customer = try #require(metadata.entityType("self.Customer"))
    #expect(customer.type.rawValue == "Sales.V1.Customer")
    #expect(customer.baseType?.rawValue == "Sales.V1.Party")
    #expect(customer.key.map(\.name) == ["PartyId"])
    #expect(customer.key.map(\.path) == ["Info/Id"])
    #expect(customer.declaredKey == [])
    #expect(customer.base?.isAbstract == true)
    #expect(customer.isOpen)
    #expect(customer.base?.isOpen == false)
    #expect(metadata.entityType("Sales.V1.Order")?.key.map(\.name) == ["CustomerId", "Number"])
    #expect(metadata.entityType("Sales.V1.Order")?.hasStream == true)
  }

  @Test("inherited properties come first")
  func properties() throws {
    let customer = try #require(metadata.entityType("Sales.V1.Customer"))
    #expect(
      customer.properties.map { "\($0.name): \($0.type)" } == [
        "Info: Sales.V1.Info", "Names: Collection(Edm.String)", "Weight: Sales.V1.Mass",
        "Access: Sales.V1.Access", "Score: Edm.Decimal", "Balance: Edm.Decimal",
        "Since: Edm.DateTimeOffset", "Where: Edm.GeographyPoint", "Code: Edm.String",
        "Stranger: Base.Thing",
      ])
    #expect(
      metadata.complexType("Sales.V1.RichInfo")?.properties.map(\.name) == ["Id", "Created", "Any"])
  }

  @Test("facets")
  func facets() throws {
    let customer = try #require(metadata.entityType("Sales.V1.Customer"))
    #expect(customer.property("Info")?.type.isNullable == false)
    #expect(customer.property("Names")?.type.maxLength == .units(40))
    #expect(customer.property("Score")?.type.precision == 7)
    #expect(customer.property("Score")?.type.scale == .floating)
    #expect(customer.property("Balance")?.type.scale == .variable)
    #expect(customer.property("Balance")?.type.isNullable == true)
    #expect(customer.property("Where")?.type.srid == .number(4326))
    #expect(customer.property("Code")?.type.isUnicode == false)
    #expect(customer.property("Code")?.type.maxLength == .max)
    #expect(customer.property("Access")?.defaultValue == "Read")
    let mass = try #require(metadata.typeDefinition("self.Mass"))
    #expect(mass.underlyingType.name == .decimal)
    #expect(mass.underlyingType.precision == 9)
    #expect(mass.underlyingType.scale == .digits(3))
    #expect(mass.annotations.text("Org.OData.Measures.V1.Unit") == "kg")
  }

  @Test("navigation properties")
  func navigation() throws {
    let customer = try #require(metadata.entityType("Sales.V1.Customer"))
    let orders = try #require(customer.navigationProperty("Orders"))
    #expect(orders.type.rawValue == "Sales.V1.Order")
    #expect(orders.multiplicity == .many)
    #expect(orders.containsTarget)
    #expect(orders.partner == "Customer")
    #expect(orders.onDelete == "Cascade")
    #expect(customer.navigationProperty("Boss")?.multiplicity == .zeroOrOne)
    let back = try #require(metadata.entityType("Sales.V1.Order")?.navigationProperty("Customer"))
    #expect(back.multiplicity == .one)
    #expect(back.referentialConstraints.map(\.referencedProperty) == ["Info/Id"])
  }

  @Test("enumerations")
  func enumerations() throws {
    let access = try #require(metadata.enumType("Sales.V1.Access"))
    #expect(access.isFlags)
    #expect(access.underlyingType == .int64)
    #expect(access.value(of: "Write") == 2)
    #expect(access.members[1].annotations.text("Org.OData.Core.V1.Description") == "May look")
  }

  @Test("operations and their imports")
  func operations() throws {
    #expect(metadata.operations("Sales.V1.Top").map(\.parameters.count) == [1, 0])
    #expect(metadata.operations("Sales.V1.Top").map(\.isComposable) == [false, true])
    let approve = try #require(metadata.operations("Sales.V1.Approve").first)
    #expect(approve.kind == .action)
    #expect(approve.bindingParameter?.type.name.rawValue == "Sales.V1.Order")
    #expect(approve.returnType == nil)
    let debt = try #require(metadata.operations("Sales.V1.Debt").first)
    #expect(debt.bindingParameter?.type.isCollection == true)
    #expect(debt.entitySetPath == "customer/Orders")
    let top = try #require(metadata.functionImports("Top").first)
    #expect(top.overloads == metadata.operations("Sales.V1.Top"))
    #expect(top.operation == "Sales.V1.Top")
    #expect(top.isInServiceDocument)
    #expect(top.httpMethod == .get)
    let reset = try #require(metadata.actionImport("Reset"))
    #expect(reset.httpMethod == .post)
    #expect(reset.overloads.count == 1)
    #expect(!reset.isInServiceDocument)
  }

  @Test("the container has what it extends in front of its own")
  func container() throws {
    #expect(metadata.entityContainer?.name == "Sales.V1.Service")
    #expect(metadata.entitySets.map(\.name) == ["Parties", "Customers", "Hidden"])
    #expect(metadata.entitySets.map(\.isInServiceDocument) == [true, true, false])
    #expect(metadata.singleton("Me")?.type.rawValue == "Sales.V1.Customer")
    #expect(metadata.entityType(ofSet: "Me")?.type.rawValue == "Sales.V1.Customer")
    let customers = try #require(metadata.entitySet("Customers"))
    #expect(customers.navigationPropertyBindings.map(\.path) == ["Boss", "Sales.V1.Customer/Boss"])
    #expect(customers.navigationPropertyBindings.map(\.target) == ["Customers", "Sales.V1.Service/Me"])
    #expect(
      customers.annotations["Org.OData.Core.V1.OptimisticConcurrency"]
        == .collection([.text("Since"), .text("Info/Id")]))
  }

  @Test("annotations in place and apart, with values of all kinds")
  func annotations() throws {
    #expect(metadata.schemas[0].annotations.text("Org.OData.Core.V1.SchemaVersion") == "1.2")
    let customer = try #require(metadata.entityType("Sales.V1.Customer"))
    #expect(customer.property("Code")?.annotations.isTrue("Org.OData.Core.V1.Computed") == true)
    #expect(
      customer.property("Code")?.annotations["Org.OData.Core.V1.Description", qualifier: "Short"]
        == .text("A code"))
    #expect(
      customer.navigationProperty("Boss")?.annotations.text("Org.OData.Core.V1.Permissions") == "Read,Write")
    #expect(
      metadata.singleton("Me")?.annotations["Org.Example.Rule"]
        == .record(
          type: EdmType(rawValue: "Sales.V1.Info"),
          [
            ServiceMetadata.PropertyValue(name: "Limit", value: .number("42")),
            ServiceMetadata.PropertyValue(name: "Who", value: .path("Boss")),
            ServiceMetadata.PropertyValue(name: "Off", value: .null),
            ServiceMetadata.PropertyValue(name: "If", value: .expression("If")),
          ]))
  }

  @Test("what readers of payloads look up", arguments: ["Sales.V1.Customer", "self.Customer"])
  func catalog(_ name: String) {
    let type = EdmType(rawValue: name)
    func declared(_ name: String) -> DeclaredProperty? { metadata.property(name, of: type) }
    #expect(declared("Weight") == DeclaredProperty(type: .decimal, kind: .primitive))
    #expect(
      declared("Access") == DeclaredProperty(type: EdmType(rawValue: "Sales.V1.Access"), kind: .enumeration))
    #expect(declared("Info") == DeclaredProperty(type: EdmType(rawValue: "Sales.V1.Info"), kind: .complex))
    #expect(declared("Names") == DeclaredProperty(type: .string, kind: .primitive, isCollection: true))
    #expect(
      declared("Orders")
        == DeclaredProperty(type: EdmType(rawValue: "Sales.V1.Order"), kind: .entity, isCollection: true))
    #expect(
      declared("Where")
        == DeclaredProperty(type: EdmType(rawValue: "Edm.GeographyPoint"), kind: .primitive))
    // Of a type of another document nobody knows what kind it is.
    #expect(declared("Stranger") == nil)
    #expect(declared("Nothing") == nil)
    #expect(
      metadata.property("By", of: EdmType(rawValue: "Sales.V1.RichInfo"))
        == DeclaredProperty(type: EdmType(rawValue: "Sales.V1.Customer"), kind: .entity))
  }
}
