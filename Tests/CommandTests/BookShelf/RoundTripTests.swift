import Foundation
import Testing

/// The same commands against a file and against a server, in both formats: the rows must be the same.
enum TestedPlace: String, CaseIterable, Sendable {
  case fileAtom, fileJSON, serverAtom, serverJSON

  /// Runs `body` with the options that lead to the place.
  func with(_ body: (_ options: [String], _ home: TemporaryFolder) async throws -> Void) async throws {
    let format = ["--format", self == .fileAtom || self == .serverAtom ? "atom" : "json"]
    switch self {
    case .fileAtom, .fileJSON:
      let home = try TemporaryFolder()
      try await body(["--store", home.path("books.sqlite")] + format, home)
    case .serverAtom, .serverJSON:
      try await withServer { connectionString, home in
        try await body(["--connection", connectionString] + format, home)
      }
    }
  }
}

@Suite struct RoundTripTests {
  @Test(arguments: TestedPlace.allCases) func `books are added, found, changed and removed`(
    place: TestedPlace
  ) async throws {
    try await place.with { options, home in
      func bookShelf(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.bookShelf.run(options + arguments, in: home)
      }
      let empty = try await bookShelf("list")
      #expect(empty.status == 0, "\(empty.errors)")
      #expect(empty.output.isEmpty)

      let added = try await bookShelf(
        "add", "--title", "坊っちゃん", "--author", "夏目漱石", "--rate", "4", "--id", "botchan")
      #expect(added.status == 0)
      #expect(added.output == "botchan\n")
      let other = try await bookShelf(
        "add", "--title", "Q&A <1> \"x\" 'y'", "--author", "O'Neil", "--id", "O'Neil")
      #expect(other.output == "O'Neil\n")
      let guid = try await bookShelf("add", "--title", "こころ", "--author", "夏目漱石", "--rate=5").lines[0]
      #expect(UUID(uuidString: guid) != nil)

      let byAuthor = try await bookShelf("list", "--author", "夏目漱石")
      #expect(
        Set(byAuthor.lines) == ["botchan\t4\t夏目漱石\t坊っちゃん", "\(guid)\t5\t夏目漱石\tこころ"])
      #expect(
        try await bookShelf("list", "--author", "O'Neil").output == "O'Neil\t-\tO'Neil\tQ&A <1> \"x\" 'y'\n")
      #expect(
        try await bookShelf("find", "author eq '夏目漱石' and rate ge 4").lines.sorted()
          == byAuthor.lines.sorted())
      #expect(try await bookShelf("list", "--min-rate", "5").lines == ["\(guid)\t5\t夏目漱石\tこころ"])
      #expect(try await bookShelf("list", "--title", "坊っちゃん").lines == ["botchan\t4\t夏目漱石\t坊っちゃん"])
      #expect(try await bookShelf("list", "--top", "2").lines.count == 2)
      #expect(try await bookShelf("--shelf", "another", "list").output.isEmpty)

      #expect(try await bookShelf("update", "botchan", "--rate", "5").status == 0)
      #expect(
        try await bookShelf("show", "botchan").output == """
          id:     botchan
          shelf:  default
          title:  坊っちゃん
          author: 夏目漱石
          rate:   5

          """)

      #expect(try await bookShelf("remove", "O'Neil", guid).status == 0)
      #expect(try await bookShelf("list").lines == ["botchan\t5\t夏目漱石\t坊っちゃん"])
    }
  }

  @Test(arguments: TestedPlace.allCases) func `JSON lines hold the whole book`(place: TestedPlace)
    async throws
  {
    try await place.with { options, home in
      let added = try await Tool.bookShelf.run(
        options + [
          "--json", "--shelf", "s p", "add", "--title", "a\"\\\n\u{7F}坊", "--author", "O'Neil", "--id", "x y",
        ],
        in: home)
      #expect(added.status == 0, "\(added.errors)")
      let listed = try await Tool.bookShelf.run(options + ["--json", "--shelf", "s p", "list"], in: home)
      #expect(listed.output == added.output)
      let pattern = """
        {"partitionKey":"s p","rowKey":"x y","timestamp":"TIME","etag":"TAG",\
        "title":"a\\"\\\\\\n\\u007f坊","author":"O'Neil","rate":null}
        """
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any])
      let time = try #require(object["timestamp"] as? String)
      let tag = try #require(object["etag"] as? String)
      #expect(time.hasSuffix("Z"))
      #expect(tag.hasPrefix("W/\"datetime'"))
      #expect(
        listed.lines == [
          pattern.replacing("TIME", with: time).replacing("TAG", with: tag.replacing("\"", with: "\\\""))
        ])
    }
  }

  @Test func `the trace shows the request as it goes over the wire, without credentials`() async throws {
    try await withServer { connectionString, home in
      let add = try await Tool.bookShelf(
        "--connection", connectionString, "--trace", "add", "--title", "坊っちゃん", "--author", "夏目漱石", "--rate",
        "4",
        "--id", "botchan", in: home)
      #expect(add.status == 0)
      #expect(add.errors.contains("POST /devstoreaccount1/Books HTTP/1.1\n"))
      #expect(add.errors.contains("Content-Type: application/atom+xml"))
      #expect(add.errors.contains("<d:author>夏目漱石</d:author>"))
      #expect(add.errors.contains("<d:rate m:type=\"Edm.Int32\">4</d:rate>"))
      #expect(add.errors.contains("Authorization: SharedKey devstoreaccount1:***\n"))
      let find = try await Tool.bookShelf(
        "find", "author eq '夏目漱石' and rate ge 4", "--trace", "--connection", connectionString, in: home)
      #expect(find.lines == ["botchan\t4\t夏目漱石\t坊っちゃん"])
      let line = try #require(find.errors.split(separator: "\n").first { $0.hasPrefix("GET ") })
      #expect(line.contains("author%20eq%20%27%E5%A4%8F%E7%9B%AE%E6%BC%B1%E7%9F%B3%27"))
      #expect(find.errors.contains("\nHTTP/1.1 200\n"))
      #expect(find.errors.contains("<d:title>坊っちゃん</d:title>"))
      for line in (add.errors + find.errors).split(separator: "\n") where line.hasPrefix("Authorization") {
        #expect(line.hasSuffix(":***"))
      }
    }
  }

  @Test func `without a place the books are in the user's data folder`() async throws {
    let home = try TemporaryFolder()
    #expect(try await Tool.bookShelf("add", "--title", "T", "--author", "A", in: home).status == 0)
    #if os(Linux)
      #expect(home.has(".local/share/BookShelf/books.sqlite"))
      let attributes = try FileManager.default.attributesOfItem(atPath: home.path(".local/share/BookShelf"))
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    #endif
    #expect(try await Tool.bookShelf("list", in: home).lines.count == 1)
  }

  @Test func `a list longer than a page comes whole`() async throws {
    let home = try TemporaryFolder()
    let rows = (1...2345).map { "\($0),Title \($0),Author \($0 % 7)\n" }.joined()
    try home.file("many.csv", "id,title,author\n" + rows)
    #expect(try await Tool.bookShelf("import", "many.csv", in: home).status == 0)
    #expect(try await Tool.bookShelf("list", in: home).lines.count == 2345)
    #expect(try await Tool.bookShelf("list", "--top", "1500", in: home).lines.count == 1500)
    #expect(try await Tool.bookShelf("list", "--author", "Author 3", in: home).lines.count == 335)
  }

  @Test func `the demo tells its tour`() async throws {
    let home = try TemporaryFolder()
    let outcome = try await Tool.bookShelf("demo", in: home)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("POST /devstoreaccount1/Books HTTP/1.1\n"))
    #expect(outcome.output.contains("<d:title>坊っちゃん</d:title>"))
    #expect(outcome.output.contains("One change set of 4 operations.\n"))
    #expect(outcome.output.contains("botchan\t5\t夏目漱石\t坊っちゃん\n"))
    #expect(outcome.errors.isEmpty)
    #expect(!home.has(".local"))
  }
}
