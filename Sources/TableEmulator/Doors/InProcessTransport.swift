internal import Foundation
internal import ODataKit

/// The door for the program itself: a `Transport` that hands requests to the emulator without a socket.
///
/// SQLite blocks, so nothing of it runs on the cooperative pool. Writes wait for each other anyway and have one queue;
/// reads go beside them.
struct InProcessTransport: Transport {
  private let core: EmulatorCore
  private let writes = DispatchQueue(label: "table-emulator.writes")
  private let reads = DispatchQueue(label: "table-emulator.reads", attributes: .concurrent)

  init(_ core: EmulatorCore) { self.core = core }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let whole = EmulatorRequest(
      method: request.method, url: request.url, headers: request.headers,
      body: try await Self.collect(request.body))
    let queue = request.method == .get ? reads : writes
    let response = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: core.handle(whole)) }
    }
    // A write that was done stays done, and who waits for it is told so even when it was cancelled meanwhile.
    if request.method == .get { try Task.checkCancellation() }
    return HTTPResponse(
      status: response.status, headers: response.headers, body: HTTPResponseBody(response.body))
  }

  private static func collect(_ body: HTTPBody) async throws -> [UInt8] {
    switch body {
    case .none: return []
    case .bytes(let bytes): return bytes
    case .stream(_, _, let makeChunks):
      var all: [UInt8] = []
      for try await chunk in makeChunks() {
        all += chunk
        // One byte too many is enough for the service to refuse it; the rest need not be kept.
        if all.count > ServiceLimits.body { break }
      }
      return all
    }
  }
}
