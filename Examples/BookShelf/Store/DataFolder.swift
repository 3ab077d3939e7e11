import Foundation

/// The folder where the user's programs keep their data.
enum DataFolder {
  /// The file of the books, in a folder that is made if it is missing.
  static func storeFile(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> URL {
    let folder = url(environment).appending(path: "BookShelf")
    do {
      // Readable for the user alone, as the XDG base directory specification wants it.
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        "The folder \(folder.path) for the books cannot be made: \(systemReason(error)); name a file with --store."
      )
    }
    return folder.appending(path: "books.sqlite")
  }

  static func url(_ environment: [String: String]) -> URL {
    #if os(macOS)
      return URL.applicationSupportDirectory
    #else
      // The specification has a relative path ignored; an empty one would be the current folder.
      func folder(_ name: String) -> URL? {
        environment[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
      }
      let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
      return folder("XDG_DATA_HOME") ?? home.appending(path: ".local/share")
    #endif
  }
}
