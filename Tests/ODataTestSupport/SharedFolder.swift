package import Foundation

/// The folder of recordings, cases and data that lies beside a checkout where the project is developed. Tests that
/// need it read it in place, and are skipped with a message where it is absent.
package enum SharedFolder {
  /// `../shared` beside the package, if there is one.
  package static let url: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = package.deletingLastPathComponent().appending(path: "shared")
    return FileManager.default.fileExists(atPath: folder.appending(path: "recordings").path) ? folder : nil
  }()

  /// The bytes of a file in it.
  package static func bytes(_ path: String) throws -> [UInt8] {
    guard let url else { throw CocoaError(.fileNoSuchFile) }
    return [UInt8](try Data(contentsOf: url.appending(path: path)))
  }
}
