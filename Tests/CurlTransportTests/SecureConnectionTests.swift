import CurlTransport
import Testing

@Suite(.enabled(if: SecureServer.tool != nil, "The openssl tool is not there."))
struct SecureConnectionTests {
  private let size = 8 << 20

  private func server() async throws -> SecureServer {
    try await SecureServer(tool: try #require(SecureServer.tool), file: (name: "file", size: size))
  }

  private func engine(trusting server: SecureServer) throws -> CurlEngine {
    var options = CurlOptions()
    options.certificateAuthorityFile = server.certificate
    return try CurlEngine(options)
  }

  @Test func unknownCertificateIsRefused() async throws {
    let server = try await server()
    let error = await curlError {
      _ = try await CurlEngine().send(CurlRequest("POST", "https://localhost:\(server.port)/file"))
    }
    #expect(error?.kind == .secureConnectionFailed)
    #expect(error?.exposure == .notSent)
  }

  @Test func certificateOfAnotherHostIsRefused() async throws {
    let server = try await server()
    let engine = try engine(trusting: server)
    let error = await curlError {
      _ = try await engine.send(CurlRequest("GET", "https://127.0.0.1:\(server.port)/file"))
    }
    #expect(error?.kind == .secureConnectionFailed)
  }

  /// A paused transfer over TLS, with bytes that are decrypted but not yet taken.
  @Test(.timeLimit(.minutes(1)))
  func slowReaderSlowsTheServer() async throws {
    let server = try await server()
    let response = try await engine(trusting: server).send(
      CurlRequest("GET", "https://localhost:\(server.port)/file"))
    while response.body.pauseCount == 0 { await Task.yield() }
    #expect(try await response.bytes().count == size)
    #expect(response.body.peakBufferedBytes <= CurlOptions().highWatermark + 16 << 10)
  }
}
