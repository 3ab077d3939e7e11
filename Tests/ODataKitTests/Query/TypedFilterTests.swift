import Foundation
import ODataKit
import Testing

@Suite struct TypedFilterTests {
  fileprivate enum Binding: String, Codable, QueryLiteral { case hardback, paperback }
  fileprivate struct Address: Codable, Sendable {
    var city: String
    var zip: String?
  }
  fileprivate struct Book: Codable, Sendable {
    var partitionKey: String, rowKey: String
    var title: String, author: String, subtitle: String?
    var rate: Int32, copies: Int, pages: Int16, price: Double, weight: Float, discount: Double?
    var isLent: Bool, isLost: Bool?
    var bought: Date, read: EdmDateTime?, isbn: UUID, cover: Data, binding: Binding, printed: EdmDate
    var length: Duration, tax: EdmDecimal
    var publisher: Address, printer: Address?
    enum CodingKeys: String, CodingKey {
      case partitionKey = "PartitionKey", rowKey = "RowKey", title, author, subtitle, rate, copies, pages,
        price, weight
      case discount, isLent, isLost = "lost", bought, read, isbn, cover, binding, printed, length, tax,
        publisher, printer
    }
  }

  private func text(
    _ dialect: Dialect, naming: PropertyNaming = .unchanged,
    _ condition: (EntityProperties<Book>) throws -> TypedExpression<Bool>
  ) throws -> String {
    try filterExpression(for: Book.self, naming: naming, condition).rendered(for: dialect)
  }

  /// A tree of a million levels would run the program out of stack when it is let go.
  @Test func aListTooLongForAnyQueryIsRefusedWithoutBuildingIt() throws {
    expectError(.invalidQuery) { try text(.v2) { $0.rate.isIn(0..<1_000_000) } }
    #expect(try text(.v2) { $0.rate.isIn(0..<511) }.hasSuffix("rate eq 510"))
  }

  /// One comparison of each type: the constant is spelled as the property's type, dialect by dialect.
  @Test func constantsTakeTheTypeOfTheProperty() throws {
    let date = Date(timeIntervalSince1970: 1_352_516_645)
    let guid = UUID(uuidString: "debc44d5-04a9-42ea-ab2f-4e2cb49ff833")!
    let cases:
      [((EntityProperties<Book>) -> TypedExpression<Bool>, two: String, four: String, table: String)] = [
        ({ $0.author == "夏目漱石" }, "author eq '夏目漱石'", "author eq '夏目漱石'", "author eq '夏目漱石'"),
        ({ $0.rate >= 4 }, "rate ge 4", "rate ge 4", "rate ge 4"),
        ({ $0.copies >= 4 }, "copies ge 4L", "copies ge 4", "copies ge 4L"),
        ({ $0.pages < 300 }, "pages lt 300", "pages lt 300", "pages lt 300"),
        ({ $0.price > 5 }, "price gt 5.0", "price gt 5.0", "price gt 5.0"),
        ({ $0.weight > 0.5 }, "weight gt 0.5f", "weight gt 0.5", "weight gt 0.5"),
        ({ $0.discount <= 0.25 }, "discount le 0.25", "discount le 0.25", "discount le 0.25"),
        ({ $0.subtitle != "x" }, "subtitle ne 'x'", "subtitle ne 'x'", "subtitle ne 'x'"),
        ({ $0.isLost == true }, "lost eq true", "lost eq true", "lost eq true"),
        (
          { $0.bought > date }, "bought gt datetime'2012-11-10T03:04:05'", "bought gt 2012-11-10T03:04:05Z",
          "bought gt datetime'2012-11-10T03:04:05Z'"
        ),
        (
          { $0.read == EdmDateTime("2014-09-02T21:09:14.8848547Z") },
          "read eq datetime'2014-09-02T21:09:14.8848547'",
          "read eq 2014-09-02T21:09:14.8848547Z", "read eq datetime'2014-09-02T21:09:14.8848547Z'"
        ),
        (
          { $0.isbn == guid }, "isbn eq guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'",
          "isbn eq debc44d5-04a9-42ea-ab2f-4e2cb49ff833", "isbn eq guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'"
        ),
        (
          { $0.cover == Data([0, 1, 0xA0, 0xFF]) }, "cover eq X'0001A0FF'", "cover eq binary'AAGg_w'",
          "cover eq X'0001A0FF'"
        ),
        (
          { $0.binding == .paperback }, "binding eq 'paperback'", "binding eq 'paperback'",
          "binding eq 'paperback'"
        ),
        ({ 4 < $0.rate }, "4 lt rate", "4 lt rate", "4 lt rate"),
        ({ $0.isLent }, "isLent", "isLent", "isLent eq true"),
        ({ !$0.isLent }, "not isLent", "not isLent", "not (isLent eq true)"),
        (
          { $0.title.hasPrefix("坊") }, "startswith(title,'坊')", "startswith(title,'坊')",
          "title ge '坊' and title lt '坋'"
        ),
        (
          { $0.binding.isIn([.hardback, .paperback]) && $0.isLent },
          "(binding eq 'hardback' or binding eq 'paperback') and isLent",
          "(binding eq 'hardback' or binding eq 'paperback') and isLent",
          "(binding eq 'hardback' or binding eq 'paperback') and isLent eq true"
        ),
        ({ $0.rate.isIn([]) }, "false", "false", "false"),
        ({ $0["Isbn10"] == "x" }, "Isbn10 eq 'x'", "Isbn10 eq 'x'", "Isbn10 eq 'x'"),
      ]
    for (condition, two, four, table) in cases {
      #expect(try text(.v2, condition) == two)
      #expect(try text(.v4, condition) == four)
      #expect(try text(.azureTable, condition) == table)
    }
  }

  @Test func whatTablesLack() throws {
    #expect(try text(.v4) { $0.subtitle == nil } == "subtitle eq null")
    #expect(try text(.v2) { $0.subtitle != nil } == "subtitle ne null")
    #expect(try text(.v4) { $0.printed > EdmDate("2012-09-03")! } == "printed gt 2012-09-03")
    #expect(try text(.v2) { $0.length > .seconds(90) } == "length gt time'PT1M30S'")
    #expect(try text(.v2) { $0.tax == EdmDecimal("1.5")! } == "tax eq 1.5M")
    #expect(try text(.v2) { $0.title.contains("b") } == "substringof('b',title)")
    #expect(try text(.v4) { $0.title.contains("b") } == "contains(title,'b')")
    #expect(try text(.v4) { $0.subtitle.lowercased().hasSuffix("b") } == "endswith(tolower(subtitle),'b')")
    #expect(
      try text(.v4) { $0.title.trimmed().uppercased().length > 3 } == "length(toupper(trim(title))) gt 3")
    #expect(
      try text(.v4) { $0.bought.year == 2014 && $0.read.month < 3 }
        == "year(bought) eq 2014 and month(read) lt 3")
    #expect(
      try text(.v4) { ($0.price + 1) * 2 - 3 < -$0.price / 4 % 5 }
        == "(price add 1.0) mul 2.0 sub 3.0 lt -price div 4.0 mod 5.0")
    #expect(try text(.v4) { $0.title == $0.author } == "title eq author")
    #expect(
      try text(.v4) { $0.publisher.city == "東京" || $0.printer.zip == "1" }
        == "publisher/city eq '東京' or printer/zip eq '1'")
    for condition: (EntityProperties<Book>) -> TypedExpression<Bool> in [
      { $0.title.contains("b") }, { $0.printed == EdmDate("2012-09-03")! }, { $0.length == .zero },
      { $0.price + 1 == 2 },
      { $0.publisher.city == "x" }, { $0.bought.year == 2014 },
    ] {
      expectError(.unsupported) { try text(.azureTable, condition) }
    }
    expectError(.invalidQuery) { try text(.azureTable) { $0.subtitle == nil } }
  }

  @Test func wireNames() throws {
    #expect(
      try text(.azureTable) { $0.partitionKey == "p" && $0.rowKey > "" }
        == "PartitionKey eq 'p' and RowKey gt ''")
    #expect(
      try text(.v4, naming: .upperCamelCase) { $0.publisher.city == "x" && $0.isLost == false }
        == "Publisher/City eq 'x' and Lost eq false")
  }

  @Test func groupsAsSwiftDoes() throws {
    #expect(
      try text(.v2) { ($0.rate == 1 || $0.rate == 2) && !($0.isLent && $0.copies > 1) }
        == "(rate eq 1 or rate eq 2) and not (isLent and copies gt 1L)")
    #expect(
      try text(.v2) { $0.rate == 1 || $0.rate == 2 && $0.isLent } == "rate eq 1 or rate eq 2 and isLent")
  }

  @Test func problemsAreKept() {
    expectError(.invalidValue) {
      try text(.v2) { $0.bought < .distantFuture.addingTimeInterval(1e13) && $0.isLent }
    }
    expectError(.invalidQuery) { try text(.v2) { !($0.discount < nil) } }
    expectError(.invalidArgument) { try text(.v2) { $0.title.length == 3 && $0.computed == "x" } }
    #expect(throws: CancellationError.self) { try text(.v2) { _ in throw CancellationError() } }
  }

  @Test func properties() throws {
    func text(_ condition: TypedExpression<Bool>) throws -> String {
      try condition.expression().rendered(for: .v3)
    }
    #expect(
      try text(Property("title") == "text" && Property("Address/City") != "x")
        == "title eq 'text' and Address/City ne 'x'")
    #expect(
      try text(Property("a") < 5 || Property("a") <= Int32(5) || Property("a") > 2.5 || Property("a") >= true)
        == "a lt 5L or a le 5 or a gt 2.5 or a ge true")
    #expect(try text(Property("a") == EdmValue.null) == "a eq null")
    #expect(
      try text(Property("a").hasPrefix("x") && Property("a").contains("y") && Property("a").hasSuffix("z"))
        == "startswith(a,'x') and substringof('y',a) and endswith(a,'z')")
    #expect(try text(Property("a").isIn([Int32(1), 2])) == "a eq 1 or a eq 2")
    #expect(try text(Property("a").typed(as: Bool.self) && !Property("b").typed()) == "a and not b")
    expectError(.invalidQuery) { try text(Property("a eq 1 or b") == "x") }
  }

  @Test func words() throws {
    let condition =
      Queries.with("title", eq: "O'Neil") && !Queries.with("rate", lt: Int32(4))
      || Queries.with("a", prefix: "x")
    #expect(
      try condition.expression().rendered(for: .v2)
        == "title eq 'O''Neil' and not (rate lt 4) or startswith(a,'x')")
    let rest =
      Queries.with("a", ne: 1) && Queries.with("b", le: 2.5) && Queries.with("c", gt: "x")
      && Queries.with("d", ge: true)
    #expect(try rest.expression().rendered(for: .v2) == "a ne 1L and b le 2.5 and c gt 'x' and d ge true")
  }

  @Test func keyPaths() throws {
    var query = Query()
    try query.select([\Book.partitionKey, \Book.title, \Book.publisher.city], naming: .unchanged)
    try query.order(by: \Book.rate, .descending, naming: .unchanged)
    try query.order(by: \Book.printer?.city, naming: .unchanged)
    #expect(
      try query.queryString(for: .v2)
        == "$select=PartitionKey%2Ctitle%2Cpublisher%2Fcity&$orderby=rate%20desc%2Cprinter%2Fcity")
  }

  /// Long conditions, so that a compiler that finds them hard shows it here.
  @Test func longConditions() throws {
    let eight = try text(.v2) {
      $0.author == "夏目漱石" && $0.rate >= 4 && $0.copies != 7 && $0.price < 12.5 && !$0.isLent
        && $0.title.hasPrefix("坊")
        && $0.subtitle != nil && $0.discount <= 1
    }
    #expect(
      eight.hasPrefix("author eq '夏目漱石' and rate ge 4 and copies ne 7L and price lt 12.5 and not isLent"))
    let mixed = try text(.v2) {
      ($0.rate == 1 || $0.rate == 2 || $0.rate == 3)
        && (4 < $0.copies || $0.price * 2 + 1 > 5 || -1 < $0.price)
        && !($0.isLent || $0.title == "x") && Property("a") == 5 && $0["b"] != "c"
    }
    #expect(mixed.contains("(4L lt copies or price mul 2.0 add 1.0 gt 5.0 or -1.0 lt price)"))
  }
}

extension TypedFilterTests.Book {
  fileprivate var computed: String { title + author }
}
