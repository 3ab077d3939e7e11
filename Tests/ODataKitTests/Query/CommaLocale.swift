import Foundation

#if canImport(Glibc)
  import Glibc

  /// A locale whose numbers have a comma, in use by this thread: what C's functions for numbers go by.
  ///
  /// One of the machine, or else one made for the purpose, in a folder that the environment names.
  struct CommaLocale {
    private static let compiler = "/usr/bin/localedef"
    private static let names = ["de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "es_ES.UTF-8", "de_DE"]

    private let locale: locale_t
    private let previous: locale_t?
    private let folder: URL?

    /// Whether there is one, or may be made.
    static var canBeHad: Bool {
      if let locale = installed() {
        freelocale(locale)
        return true
      }
      return FileManager.default.isExecutableFile(atPath: compiler)
        && FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/de_DE")
    }

    /// Takes one into use; `nil` where none is to be had.
    init?() {
      if let locale = Self.installed() {
        (self.locale, folder) = (locale, nil)
      } else {
        let folder = FileManager.default.temporaryDirectory.appending(path: "locale-\(UUID().uuidString)")
        guard let locale = try? Self.made(in: folder) else { return nil }
        (self.locale, self.folder) = (locale, folder)
      }
      previous = uselocale(locale)
    }

    /// Gives the thread back what it had.
    func end() {
      uselocale(previous)
      freelocale(locale)
      if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// One and a half, as C writes it now.
    var sample: String {
      var buffer = [CChar](repeating: 0, count: 16)
      _ = withVaList([1.5]) { vsnprintf(&buffer, buffer.count, "%.1f", $0) }
      return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func installed() -> locale_t? {
      names.lazy.compactMap { newlocale(1 << LC_NUMERIC, $0, nil) }.first
    }

    private static func made(in folder: URL) throws -> locale_t? {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let process = Process()
      process.executableURL = URL(filePath: compiler)
      process.arguments = ["-i", "de_DE", "-f", "UTF-8", folder.appending(path: names[0]).path]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      setenv("LOCPATH", folder.path, 1)
      return installed()
    }
  }
#endif
