import Foundation

/// `openssl s_server` with a certificate made for the occasion; gives files of its folder by HTTP/1.0 over TLS.
final class SecureServer {
  /// Where the tool is, if it is there.
  static let tool: URL? = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }

  let folder: URL
  let port: Int
  private let process: Process

  /// The certificate, which signs itself.
  var certificate: String { folder.appending(path: "certificate.pem").path }

  init(tool: URL, file: (name: String, size: Int)) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "secure-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 0x61, count: file.size).write(to: folder.appending(path: file.name))
    let request = Self.process(
      tool, in: folder,
      "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 -subj /CN=localhost"
        + " -addext subjectAltName=DNS:localhost")
    _ = try await Self.output(of: request, until: nil)
    process = Self.process(
      tool, in: folder, "s_server -accept 127.0.0.1:0 -cert certificate.pem -key key.pem -WWW")
    // It says "ACCEPT 127.0.0.1:" and the port.
    let line = try await Self.output(of: process, until: "ACCEPT ")
    guard
      let port = line.split(separator: ":").last.flatMap({
        Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
      })
    else { throw CocoaError(.executableLoad) }
    self.port = port
  }

  deinit {
    // Not `terminate()`: a process started from a worker thread inherits that thread's blocked SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func process(_ tool: URL, in folder: URL, _ arguments: String) -> Process {
    let process = Process()
    process.executableURL = tool
    process.currentDirectoryURL = folder
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.standardError = FileHandle.nullDevice
    process.standardInput = Pipe()
    return process
  }

  /// Runs the process until it prints a line with `prefix`, or ends.
  private static func output(of process: Process, until prefix: String?) async throws -> String {
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let file = pipe.fileHandleForReading
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var text = ""
        while true {
          let data = file.availableData
          guard !data.isEmpty else { break }
          text += String(decoding: data, as: UTF8.self)
          if let prefix, let line = text.split(separator: "\n").first(where: { $0.hasPrefix(prefix) }),
            text.hasSuffix("\n")
          {
            continuation.resume(returning: String(line))
            // What it prints further must not fill the pipe.
            while !file.availableData.isEmpty {}
            return
          }
        }
        continuation.resume(returning: text)
      }
    }
  }
}
