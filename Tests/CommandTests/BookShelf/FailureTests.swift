import Foundation
import Testing

@Suite struct FailureTests {
  @Test func `a book that is not there`() async throws {
    let home = try TemporaryFolder()
    #expect(try await Tool.bookShelf("show", "x", in: home).status == 1)
    #expect(
      try await Tool.bookShelf("add", "--title", "T", "--author", "A", "--id", "here", in: home).status == 0)
    for arguments in [["show", "x"], ["update", "x", "--rate", "1"], ["remove", "x", "here"]] {
      let outcome = try await Tool.bookShelf.run(arguments, in: home)
      #expect(outcome.status == 1)
      #expect(
        outcome.errors
          == "BookShelf: There is no book with the id x on the shelf default; see BookShelf list.\n")
    }
    #expect(try await Tool.bookShelf("list", in: home).output.isEmpty)
  }

  @Test func `an id that is taken`() async throws {
    let home = try TemporaryFolder()
    let add = ["add", "--title", "T", "--author", "A", "--id", "one"]
    #expect(try await Tool.bookShelf.run(add, in: home).status == 0)
    let again = try await Tool.bookShelf.run(add, in: home)
    #expect(again.status == 1)
    #expect(
      again.errors
        == "BookShelf: There is a book with the id one on the shelf default already; give another --id, or update it.\n"
    )
  }

  @Test(arguments: ["a/b", "a\\b", "a#b", "a?b", "a\tb", String(repeating: "k", count: 600)])
  func `an id that no table takes`(id: String) async throws {
    let outcome = try await Tool.bookShelf(
      "add", "--title", "T", "--author", "A", "--id", id, in: TemporaryFolder())
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("RowKey"))
    #expect(outcome.output.isEmpty)
  }

  @Test func `a control character that Atom cannot carry`() async throws {
    let home = try TemporaryFolder()
    let add = ["add", "--title", "bell \u{7}", "--author", "A", "--id", "bell"]
    let atom = try await Tool.bookShelf.run(["--format", "atom"] + add, in: home)
    #expect(atom.status == 1)
    #expect(atom.errors.contains("title") && atom.errors.contains("JSON"))
    #expect(try await Tool.bookShelf.run(["--format", "json"] + add, in: home).status == 0)
    #expect(
      try await Tool.bookShelf("--format", "json", "list", in: home).lines == ["bell\t-\tA\tbell \\u{7}"])
  }

  @Test func `a filter that cannot be read`() async throws {
    let outcome = try await Tool.bookShelf("find", "author eq 'x", in: TemporaryFolder())
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("BookShelf: "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["missing-folder/books.sqlite", ".", "no-store.txt"])
  func `a store that cannot be used`(path: String) async throws {
    let home = try TemporaryFolder()
    try home.file("no-store.txt", String(repeating: "This is no table store. ", count: 100))
    let outcome = try await Tool.bookShelf("--store", home.path(path), "list", in: home)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("BookShelf: The store \""))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ("nonsense", "cannot be read"), ("AccountName=a;", "AccountKey"),
    ("AccountName=a;AccountKey=c2VjcmV0!", "Base64"),
    ("UseDevelopmentStorage=maybe", "UseDevelopmentStorage"),
  ])
  func `a connection string that is none`(text: String, part: String) async throws {
    let outcome = try await Tool.bookShelf("--connection", text, "list", in: TemporaryFolder())
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(part))
    #expect(!outcome.errors.contains("c2VjcmV0"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `a wrong key, and a server that is gone`() async throws {
    let gone = try await {
      var last = ""
      try await withServer { connectionString, home in
        last = connectionString
        let wrong = connectionString.replacing(/AccountKey=[^;]*/, with: "AccountKey=c2VjcmV0")
        let outcome = try await Tool.bookShelf("--connection", wrong, "list", in: home)
        #expect(outcome.status == 1)
        #expect(
          outcome.errors.hasPrefix(
            "BookShelf: The key or signature in --connection is not accepted; copy it again from the account. "
          ))
        #expect(outcome.errors.contains("403"))
        #expect(!outcome.errors.contains("c2VjcmV0"))
        #expect(outcome.output.isEmpty)
      }
      return last
    }()
    let outcome = try await Tool.bookShelf("--connection", gone, "list", in: TemporaryFolder())
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("127.0.0.1"))
    #expect(!outcome.errors.contains("Eby8vdM02"))
  }

  @Test func `a port in use, and a store in use`() async throws {
    let home = try TemporaryFolder()
    let store = home.path("served.tables")
    let server = try await RunningServer(store: store, in: home)
    let port = try #require(server.connectionString.firstMatch(of: /127\.0\.0\.1:(\d+)/)?.1)
    let samePort = try await Tool.tablectl("serve", "--in-memory", "--port", String(port), in: home)
    #expect(samePort.status == 1)
    #expect(samePort.errors.contains(port))
    let sameStore = try await Tool.tablectl("serve", "--store", store, "--port", "0", in: home)
    #expect(sameStore.status == 1)
    #expect(sameStore.errors.contains("served.tables"))
    #expect(try await server.interrupt() == 0)
  }

  @Test(arguments: [
    (["a\u{1B}[31m\nb"], 2, #"there is no command a\u{1B}[31m\u{A}b; see BookShelf --help."#),
    (["import", "no\nfile"], 1, #"no\u{A}file cannot be read: there is no such file."#),
  ])
  func `a sentence stays on its line and leaves the terminal alone`(
    arguments: [String], status: Int32, sentence: String
  ) async throws {
    let outcome = try await Tool.bookShelf.run(arguments, in: TemporaryFolder())
    #expect(outcome.status == status)
    #expect(outcome.errors == "BookShelf: \(sentence)\n")
  }

  @Test func `a sentence of the server stays on its line too`() async throws {
    let outcome = try await Tool.tablectl(
      "serve", "--port", "0", "--store", "no\nfolder/\u{1B}[31m", in: TemporaryFolder())
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(#"no\u{A}folder/\u{1B}[31m"#))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `a data folder that cannot be made`() async throws {
    let home = try TemporaryFolder()
    try home.file(".local", "a file where a folder should be")
    try home.file("Library", "a file where a folder should be")
    let outcome = try await Tool.bookShelf("list", in: home)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("BookShelf: The folder "))
    #expect(
      outcome.errors.hasSuffix(" for the books cannot be made: Not a directory; name a file with --store.\n"))
  }

  #if os(Linux)
    @Test func `a full disk behind the output`() async throws {
      let home = try TemporaryFolder()
      #expect(try await Tool.bookShelf("add", "--title", "T", "--author", "A", in: home).status == 0)
      let outcome = try await Tool.bookShelf("list", in: home, output: URL(filePath: "/dev/full"))
      #expect(outcome.status == 1)
      #expect(outcome.errors == "BookShelf: The output cannot be written: No space left on device.\n")
    }

    @Test func `nobody who reads standard error`() async throws {
      let home = try TemporaryFolder()
      for (tool, arguments) in [(Tool.tablectl, ["sell"]), (Tool.bookShelf, ["sell"])] {
        let process = tool.process(arguments, in: home)
        process.standardError = FileHandle(forWritingAtPath: "/dev/full")
        #expect(try await process.runToEnd() == 2)
      }
    }
  #endif
}
