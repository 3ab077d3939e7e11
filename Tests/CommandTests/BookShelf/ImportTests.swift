import AzureTable
import Foundation
import ODataKit
import ODataTestSupport
import Testing

@Suite struct ImportTests {
  static let dirty = #"""
    book_id,Authors,TITLE,average_rating,extra
    1,夏目漱石,坊っちゃん,4.49,x
    2,O'Neil,"Q&A, <1> ""x""",4.5,x
    3,A,T
    4,,No author,4,x
    5,A, ,4,x
    6,A,Not a rate,good,x
    7,A,No rate,,x
    8,A,"Two
    lines",3,x
    9,A,"broken"quote,3,x
    a/b,A,A key that no table takes,3,x
    1,夏目漱石,坊っちゃん again,5,x

    """#

  @Test(arguments: TestedPlace.allCases) func `good rows are stored and bad ones set aside with their reason`(
    place: TestedPlace
  ) async throws {
    try await place.with { options, home in
      try home.file("dirty.csv", Self.dirty)
      let imported = try await Tool.bookShelf.run(options + ["import", "dirty.csv"], in: home)
      #expect(imported.status == 0, "\(imported.errors)")
      #expect(imported.output.hasPrefix("Imported 5 books to the shelf default in "))
      #expect(imported.output.hasSuffix("; 6 rows rejected, see dirty.rejected.csv.\n"))
      #expect(imported.errors.isEmpty)
      #expect(
        try await Tool.bookShelf.run(options + ["list"], in: home).lines == [
          "1\t5\t夏目漱石\t坊っちゃん again", "2\t5\tO'Neil\tQ&A, <1> \"x\"", "7\t-\tA\tNo rate",
          "8\t3\tA\tTwo\\u{A}lines",
        ])
      let rejected = try home.text("dirty.rejected.csv").replacing("\r\n", with: "\n")
      let lines = rejected.split(separator: "\n").map(String.init)
      #expect(
        lines.prefix(6) == [
          "book_id,Authors,TITLE,average_rating,extra,reason",
          "3,A,T,,,the row has 3 columns where the header has 5", "4,,No author,4,x,the author is empty",
          "5,A, ,4,x,the title is empty",
          "6,A,Not a rate,good,x,the rate is not a number from -2147483648 to 2147483647",
          "9,A,\"broken\"quote,3,x,something stands between the end of a quoted field and the next comma",
        ])
      #expect(lines.count == 7)
      #expect(lines.last?.hasPrefix("a/b,A,A key that no table takes,3,x,") == true)
    }
  }

  @Test func `a shelf that no table takes ends it before the first row`() async throws {
    let home = try TemporaryFolder()
    try home.file("books.csv", "title,author\nt,a\n")
    for command in [["import", "books.csv"], ["list"], ["add", "--title", "t", "--author", "a"]] {
      for shelf in ["a/b", "a\\b", "a#b", "a?b", "a\nb", String(repeating: "s", count: 513)] {
        let done = try await Tool.bookShelf.run(["--shelf", shelf] + command, in: home)
        #expect(done.status == 1)
        #expect(
          done.errors.hasSuffix(
            "This cannot be the name of a shelf: it has up to 512 characters, without / \\ # ? and control characters; "
              + "give another --shelf.\n"))
      }
    }
    #expect(throws: (any Error).self) { try home.text("books.rejected.csv") }
  }

  @Test func `a rate is a decimal number`() async throws {
    let home = try TemporaryFolder()
    try home.file(
      "rates.csv", "id,title,author,rate\n1,t,a, 4.34 \n2,t,a,0x10\n3,t,a,nan\n4,t,a,1e1\n5,t,a,inf\n")
    let imported = try await Tool.bookShelf("import", "rates.csv", in: home)
    #expect(imported.output.contains("; 3 rows rejected"))
    #expect(try await Tool.bookShelf("list", in: home).lines == ["1\t4\ta\tt", "4\t10\ta\tt"])
  }

  @Test func `one by one stores the same`() async throws {
    let home = try TemporaryFolder()
    try home.file("dirty.csv", Self.dirty)
    let imported = try await Tool.bookShelf("import", "dirty.csv", "--one-by-one", in: home)
    #expect(imported.output.contains(" with 5 requests; 6 rows rejected"))
    #expect(try await Tool.bookShelf("list", in: home).lines.count == 4)
  }

  @Test func `without bad rows there is no file of rejects, and a limit ends the import`() async throws {
    let home = try TemporaryFolder()
    try home.file("good.csv", "\u{FEFF}title,author\r\nA,B\r\nC,D\r\nE,F")
    let imported = try await Tool.bookShelf("import", "good.csv", "--limit", "2", in: home)
    #expect(imported.output.hasPrefix("Imported 2 books to the shelf default in "))
    #expect(imported.output.hasSuffix(" s with 1 change set.\n"))
    #expect(!home.has("good.rejected.csv"))
    #expect(try await Tool.bookShelf("list", in: home).lines.count == 2)
  }

  @Test func `importing again replaces`() async throws {
    let home = try TemporaryFolder()
    try home.file("books.csv", "id,title,author,rate\n1,A,B,3\n2,C,D,4\n")
    #expect(try await Tool.bookShelf("import", "books.csv", in: home).status == 0)
    try home.file("books.csv", "id,title,author,rate\n1,A,B,5\n")
    #expect(try await Tool.bookShelf("import", "books.csv", in: home).status == 0)
    #expect(try await Tool.bookShelf("list", in: home).lines == ["1\t5\tB\tA", "2\t4\tD\tC"])
  }

  @Test func `rows too large for one change set are sent in several`() async throws {
    let home = try TemporaryFolder()
    let long = String(repeating: "é", count: 30_000)
    let rows = (1...100).map { "\($0),\(long),\(long)\n" }.joined()
    try home.file("large.csv", "id,title,author\n" + rows + "101,\(long)\(long),too long\n")
    let imported = try await Tool.bookShelf("import", "large.csv", in: home)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.output.hasPrefix("Imported 100 books "))
    #expect(imported.output.contains("; 1 row rejected"))
    #expect(try await Tool.bookShelf("list", in: home).lines.count == 100)
  }

  static let unusable: [(name: String, text: String?, sentence: String)] = [
    ("absent.csv", nil, "absent.csv cannot be read: there is no such file."),
    (".", nil, ". cannot be read: Is a directory."),
    (
      "empty.csv", "", "empty.csv is empty; its first row must name the columns, among them title and author."
    ),
    (
      "header.csv", "name,author\nA,B\n",
      """
      header.csv has no title column; its first row must name the columns, among them title and author (or authors).
      """
    ),
    (
      "bad.csv", "title,author\nA,\n,B\n",
      "None of the 2 rows of bad.csv could be imported; bad.rejected.csv says why."
    ),
    (
      "utf16.csv", nil, "The file is in UTF-16; save it as CSV in UTF-8."
    ),
  ]

  @Test(arguments: unusable) func `a file that cannot be used ends with a sentence`(
    name: String, text: String?, sentence: String
  ) async throws {
    let home = try TemporaryFolder()
    if let text { try home.file(name, text) }
    if name == "utf16.csv" {
      try Data([0xFF, 0xFE, 0x61, 0x00]).write(to: home.url.appending(path: name))
    }
    let outcome = try await Tool.bookShelf("import", name, in: home)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "BookShelf: \(sentence)\n")
    #expect(outcome.output.isEmpty)
  }

  @Test(.enabled(if: SharedFolder.url != nil, "needs the shared folder beside the checkout"))
  func `ten thousand real books in a hundred change sets`() async throws {
    let home = try TemporaryFolder()
    try Data(SharedFolder.bytes("data/goodbooks-10k.csv")).write(to: home.url.appending(path: "books.csv"))
    let imported = try await Tool.bookShelf("import", "books.csv", in: home)
    #expect(imported.output.hasPrefix("Imported 10000 books "))
    #expect(imported.output.hasSuffix(" with 100 change sets.\n"))
    let found = try await Tool.bookShelf("list", "--author", "J.R.R. Tolkien", in: home)
    #expect(found.lines.contains { $0.hasSuffix("\tThe Hobbit") })
    #expect(try await Tool.bookShelf("list", in: home).lines.count == 10_000)
  }

  @Test func `killing the server loses no acknowledged change set and leaves no half of one`() async throws {
    let home = try TemporaryFolder()
    let store = home.path("served.tables")
    let server = try await RunningServer(store: store, in: home)
    try home.file(
      "many.csv", "id,title,author\n" + (0..<20_000).map { "\($0),Title \($0),Author\n" }.joined())
    let process = Tool.bookShelf.process(
      ["--connection", server.connectionString, "--trace", "import", "many.csv"], in: home)
    let trace = Pipe()
    process.standardError = trace
    process.standardOutput = FileHandle.nullDevice
    // The trace tells when the third change set is acknowledged; the server dies then, in the middle of the next.
    let acknowledged = AcknowledgementCounter()
    async let drained: Void = trace.fileHandleForReading.drain { acknowledged.take($0) }
    async let status = process.runToEnd()
    await acknowledged.reached(3)
    try await server.kill()
    #expect(try await status == 1)
    await drained
    let stored = try await Tool.bookShelf("--store", store, "list", in: home).lines.count
    #expect(acknowledged.count >= 3 && acknowledged.count < 200)
    #expect(stored == acknowledged.count * 100 || stored == (acknowledged.count + 1) * 100)
  }
}
