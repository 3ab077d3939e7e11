internal import Foundation

/// Where a store keeps its tables.
enum StoreLocation: Sendable {
  /// In a file; SQLite puts `-wal` and `-shm` beside it.
  case file(URL)
  /// In memory, gone with the store.
  case memory

  var sqliteName: String {
    switch self {
    case .file(let url): url.path(percentEncoded: false)
    case .memory: ":memory:"
    }
  }

  /// How a sentence begins.
  var sentenceName: String {
    switch self {
    case .file(let url): "The store \"\(url.path(percentEncoded: false))\""
    case .memory: "The store in memory"
    }
  }
}
