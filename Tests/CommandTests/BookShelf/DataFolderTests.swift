import Foundation
import Testing

@testable import BookShelf

#if os(Linux)
  @Suite struct DataFolderTests {
    @Test(arguments: [
      (["HOME": "/home/a"], "/home/a/.local/share"),
      (["HOME": "/home/a", "XDG_DATA_HOME": "/data"], "/data"),
      (["HOME": "/home/a", "XDG_DATA_HOME": ""], "/home/a/.local/share"),
      (["HOME": "/home/a", "XDG_DATA_HOME": "relative"], "/home/a/.local/share"),
      (["HOME": ""], FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share"),
    ])
    func `follows the XDG base directory specification`(environment: [String: String], path: String) {
      #expect(DataFolder.url(environment).path == path)
    }
  }
#endif
