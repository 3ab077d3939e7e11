import CurlTransport
import Testing

extension CurlResponse {
  /// The whole body.
  func bytes() async throws -> [UInt8] {
    var all: [UInt8] = []
    while let chunk = try await body.next() {
      #expect(!chunk.isEmpty)
      all += chunk
    }
    return all
  }

  /// The whole body as text.
  func text() async throws -> String { String(decoding: try await bytes(), as: UTF8.self) }
}

/// The `CurlError` that `body` throws.
func curlError(_ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) async
  -> CurlError?
{
  await #expect(throws: CurlError.self, sourceLocation: sourceLocation) { try await body() }
}
