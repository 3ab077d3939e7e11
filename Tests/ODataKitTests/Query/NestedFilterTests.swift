import ODataKit
import Testing

private struct Customer: Codable {
  struct Address: Codable {
    struct Country: Codable { var code: String }
    var city: String
    var zip: String?
    var country: Country?
  }

  struct Order: Codable {
    var total: Double
    var lines: [Line]
    var address: Address?
  }

  struct Line: Codable {
    var quantity: Int32
    var x: String
    var tags: [String]
  }

  var name: String
  var address: Address
  var billing: Address?
  var orders: [Order]?
  var tags: [String]
  var numbers: Set<Int32>
  var photo: [UInt8]
}

@Suite("Conditions on nested properties and collections")
struct NestedFilterTests {
  private func text(
    _ dialect: Dialect = .v4, _ condition: (EntityProperties<Customer>) throws -> TypedExpression<Bool>
  ) throws -> String {
    try filterExpression(for: Customer.self, naming: .upperCamelCase, condition).rendered(for: dialect)
  }

  @Test("a path leads into nested types, through optionals too")
  func paths() throws {
    #expect(try text(.v2) { $0.address.city == "松山" } == "Address/City eq '松山'")
    #expect(try text(.v2) { $0.address.zip != nil } == "Address/Zip ne null")
    #expect(try text(.v3) { $0.billing.city.hasPrefix("a") } == "startswith(Billing/City,'a')")
    #expect(try text { $0.billing.country.code == "JP" } == "Billing/Country/Code eq 'JP'")
    #expect(
      try text { $0.address.country.code == $0.billing.country.code }
        == "Address/Country/Code eq Billing/Country/Code")
    #expect(throws: ODataError.self) { try text(.azureTable) { $0.address.city == "x" } }
    var query = Query()
    try query.select([\Customer.name, \.address.city, \.billing?.country?.code], naming: .upperCamelCase)
    try query.order(by: \Customer.billing?.zip, .descending, naming: .upperCamelCase)
    #expect(query.select == ["Name", "Address/City", "Billing/Country/Code"])
    #expect(
      try query.queryString(for: .v4)
        == "$select=Name%2CAddress%2FCity%2CBilling%2FCountry%2FCode&$orderby=Billing%2FZip%20desc")
  }

  @Test("collections are asked whether any or all of their elements meet a condition")
  func collections() throws {
    #expect(try text { $0.tags.any { $0 == "new" } } == "Tags/any(x:x eq 'new')")
    #expect(try text(.v3) { $0.numbers.all { $0 > 5 } } == "Numbers/all(x:x gt 5)")
    #expect(try text { $0.orders.any { $0.total > 5 } } == "Orders/any(x:x/Total gt 5.0)")
    #expect(try text { $0.orders.any { $0.address.city == "c" } } == "Orders/any(x:x/Address/City eq 'c')")
    #expect(try text { $0.orders.any() && $0.tags.count > 2 } == "Orders/any() and Tags/$count gt 2")
    #expect(try text { $0.photo == [0xFF] } == "Photo eq binary'_w'")
    let table = #expect(throws: ODataError.self) { try text(.v2) { $0.tags.any { $0 == "new" } } }
    #expect(table?.code == .unsupported)
  }

  @Test("conditions within conditions keep their elements apart, and no name of a property is taken for one")
  func nesting() throws {
    #expect(
      try text { $0.orders.any { order in order.lines.all { $0.quantity < 3 && order.total > 1 } } }
        == "Orders/any(xx:xx/Lines/all(x:x/Quantity lt 3 and xx/Total gt 1.0))")
    // The inner collection belongs to the entity, the outer element is used within.
    #expect(
      try text { customer in customer.orders.any { order in customer.tags.any { $0 == order.address.city } } }
        == "Orders/any(xx:Tags/any(x:x eq xx/Address/City))")
    let lowered = try filterExpression(for: Customer.Line.self, naming: .unchanged) { line in
      line.tags.any { $0 == line.x }
    }
    #expect(try lowered.rendered(for: .v4) == "tags/any(xx:xx eq x)")
  }
}
