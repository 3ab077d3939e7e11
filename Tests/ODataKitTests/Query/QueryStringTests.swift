import ODataKit
import Testing

@Suite struct QueryStringTests {
  private func everything() throws -> Query {
    var query = Query()
    query.filter = try FilterParser.parse("Name eq 'a&b+c#d/e?f%g h'", dialect: .v2)
    query.select = ["Name", "Address/City", "Orders/Date"]
    query.expand = ["Orders/Lines", "Orders/Customer", "Owner"]
    query.orderBy = [.init("Name"), .init("Address/City", .descending)]
    query.top = 10
    query.skip = 20
    query.inlineCount = true
    query.customOptions = [.init("$format", "json"), .init("pä ge", "1&2")]
    return query
  }

  @Test func encodedOnceAndInOrder() throws {
    let filter = "$filter=Name%20eq%20%27a%26b%2Bc%23d%2Fe%3Ff%25g%20h%27"
    let rest = "$orderby=Name%2CAddress%2FCity%20desc&$top=10&$skip=20"
    let custom = "$format=json&p%C3%A4%20ge=1%262"
    let two =
      "\(filter)&$select=Name%2CAddress%2FCity%2COrders%2FDate&$expand=Orders%2FLines%2COrders%2FCustomer%2COwner"
      + "&\(rest)&$inlinecount=allpages&\(custom)"
    #expect(try everything().queryString(for: .v2) == two)
    #expect(try everything().queryString(for: .v3) == two)
    let four = try #require(try everything().queryString(for: .v4))
    #expect(
      PercentEncoding.decode(four.split(separator: "&")[2])
        == "$expand=Orders($select=Date;$expand=Lines,Customer),Owner")
    #expect(
      four
        == "\(filter)&$select=Name%2CAddress%2FCity&$expand=Orders%28%24select%3DDate%3B%24expand%3DLines%2CCustomer%29%2COwner"
        + "&\(rest)&$count=true&\(custom)")
  }

  @Test func nothingToSay() throws {
    for dialect in Dialect.allCases { #expect(try Query().queryString(for: dialect) == nil) }
  }

  @Test func table() throws {
    var query = Query()
    query.filter = try FilterParser.parse("Author eq '夏目漱石' and Rate ge 4", dialect: .azureTable)
    query.select = ["RowKey", "Author"]
    query.top = 5_000
    #expect(
      try query.queryString(for: .azureTable)
        == "$filter=Author%20eq%20%27%E5%A4%8F%E7%9B%AE%E6%BC%B1%E7%9F%B3%27%20and%20Rate%20ge%204"
        + "&$select=RowKey%2CAuthor&$top=5000")
  }

  @Test func tableRefusals() {
    func refusal(_ change: (inout Query) -> Void) -> String {
      var query = Query()
      change(&query)
      return message { try query.queryString(for: .azureTable) as Any }
    }
    let rest =
      ", which the table service does not have: it takes $filter, $select and $top, and orders by PartitionKey "
      + "and RowKey."
    #expect(refusal { $0.orderBy = [.init("A")] } == "The query asks for $orderby" + rest)
    #expect(refusal { $0.skip = 0 } == "The query asks for $skip" + rest)
    #expect(refusal { $0.expand = ["A"] } == "The query asks for $expand" + rest)
    #expect(refusal { $0.inlineCount = true } == "The query asks for a count" + rest)
  }

  @Test func wrongOptions() {
    func problem(_ change: (inout Query) -> Void) -> String {
      var query = Query()
      change(&query)
      return message { try query.queryString(for: .v4) as Any }
    }
    #expect(problem { $0.top = -1 } == "The option $top is -1; it cannot be negative.")
    #expect(problem { $0.skip = -1 } == "The option $skip is -1; it cannot be negative.")
    #expect(problem { $0.customOptions = [.init("", "x")] } == "A custom option of the query has no name.")
    #expect(
      problem {
        $0.top = 1
        $0.customOptions = [.init("$top", "2")]
      } == "The query option '$top' is given twice.")
    for name in ["", "a&b", "a,b", "a desc", "a//b"] {
      #expect(problem { $0.select = [name] }.hasPrefix("The name '"), "\(name)")
      #expect(problem { $0.orderBy = [.init(name)] }.hasPrefix("The name '"), "\(name)")
      #expect(problem { $0.expand = [name] }.hasPrefix("The name '"), "\(name)")
    }
  }

  @Test func itemsThatAreNoPaths() throws {
    var query = Query()
    query.select = ["*"]
    query.expand = ["Orders($top=5;$orderby=Date)"]
    #expect(
      try query.queryString(for: .v4) == "$select=%2A&$expand=Orders%28%24top%3D5%3B%24orderby%3DDate%29")
  }

  /// A property may be called like a constant; only filters cannot say it.
  @Test func namesLikeConstants() throws {
    var query = Query()
    query.select = ["true", "not", "null"]
    query.orderBy = [.init("INF")]
    #expect(try query.queryString(for: .v2) == "$select=true%2Cnot%2Cnull&$orderby=INF")
  }
}
