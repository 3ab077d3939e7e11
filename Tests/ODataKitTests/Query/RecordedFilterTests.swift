import Foundation
import ODataKit
import ODataTestSupport
import Testing

/// Filters and keys that clients of other people sent to the real service.
@Suite struct RecordedFilterTests {
  private static func matches(_ pattern: some RegexComponent<(Substring, Substring)>) throws -> [String] {
    let folder = try #require(SharedFolder.url).appending(path: "recordings")
    var found: Set<String> = []
    for sub in ["json", "json-full", "atom", "cosmos"] {
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: sub).path)
      for file in files.sorted() where file.hasSuffix(".json") {
        let text = String(decoding: try SharedFolder.bytes("recordings/\(sub)/\(file)"), as: UTF8.self)
        for match in text.matches(of: pattern) { found.insert(String(match.1)) }
      }
    }
    return found.sorted()
  }

  @Test(.enabled(if: SharedFolder.url != nil, "The folder of recordings is not there."))
  func filters() throws {
    let filters = try Self.matches(#/filter=([^"\\ &]+)/#)
    #expect(filters.count >= 20)
    for recorded in filters {
      let text = try #require(PercentEncoding.decode(recorded, plusIsSpace: true))
      let tree = try FilterParser.parse(text, dialect: .azureTable)
      // What was sent is what would be sent, except for the zeros behind a fraction.
      #expect(try tree.rendered(for: .azureTable) == text.replacing("05.200Z", with: "05.2Z"))
    }
  }

  @Test(.enabled(if: SharedFolder.url != nil, "The folder of recordings is not there."))
  func keys() throws {
    let keys = try Self.matches(#/(\((?:%27|')?[^"\\ ?()]*(?:RowKey=|%27)[^"\\ ?()]*\))/#)
    #expect(keys.count >= 40)
    for recorded in keys {
      let key = try EntityKey.parse(recorded, dialect: .azureTable)
      let again = try EntityKey.parse(key.predicate(for: .azureTable), dialect: .azureTable)
      #expect(again == key, "\(recorded)")
    }
  }
}
