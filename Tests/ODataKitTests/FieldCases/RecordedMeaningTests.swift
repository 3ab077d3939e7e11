import Foundation
import ODataTestSupport
import Testing

@testable import ODataKit

/// Every file that was recorded from a real service, and nothing left out silently: its bodies are read, written again in
/// their own format, and mean the same when they are read once more.
@Suite(.enabled(if: SharedFolder.url != nil, "needs the folder of recordings beside the checkout"))
struct RecordedMeaningTests {
  /// Files without a body, and where they are used instead.
  private static let others = [
    "INDEX.md": "tells where the files are from",
    "odata/odata-abnf-testcases.yaml": "literals and queries; held by the cases of the grammar",
  ]

  private static func files() throws -> [String] {
    guard let folder = SharedFolder.url?.appending(path: "recordings") else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter {
        !((try? folder.appending(path: $0).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? true)
      }
      .sorted()
  }

  @Test("Each recorded file means the same when it was read, written and read again")
  func meaning() throws {
    var table = "| file | entities | result |\n|---|---:|---|\n"
    var count = 0
    var entities = 0
    for file in try Self.files() {
      if let use = Self.others[file] {
        table += "| \(file) | - | no body: \(use) |\n"
        continue
      }
      var meaning = RecordedMeaning()
      do { try Self.read(file, into: &meaning) } catch { meaning.fail("\(error)") }
      #expect(meaning.differences.isEmpty, "\(file)")
      #expect(!meaning.bodies.isEmpty || Self.hasNoBodies.contains(file), "\(file)")
      table += "| \(file) | \(meaning.entities) | \(meaning.result) |\n"
      count += 1
      entities += meaning.entities
    }
    // In ASCII, since `swift test` drops what it prints where a pipe cuts a longer character in two.
    print("\(table)\(count) files, \(entities) entities.")
    #expect(count > 60 && entities > 500)
  }

  /// Conversations in which nobody sends one.
  private static let hasNoBodies: Set<String> = []

  private static func read(_ file: String, into meaning: inout RecordedMeaning) throws {
    if file.hasSuffix(".json"), let exchanges = try? Recordings.exchanges(in: file) {
      for exchange in exchanges {
        try meaning.take(
          exchange.requestBody ?? [], contentType: exchange.requestHeaders["content-type"], isRequest: true)
        try meaning.take(
          exchange.responseBody, status: exchange.status,
          contentType: exchange.responseHeaders["content-type"])
      }
      return
    }
    var bytes = try SharedFolder.bytes("recordings/" + file)
    let isRequest = file.hasSuffix("Request.batch")
    if isRequest {
      // The sample begins with a header field of the message around it.
      let start = try #require(bytes.firstRange(of: Array("--batch_".utf8))?.lowerBound)
      bytes.removeFirst(start)
    }
    try meaning.take(bytes, isRequest: isRequest)
  }
}
