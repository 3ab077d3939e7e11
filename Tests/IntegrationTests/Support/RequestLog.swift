import Foundation
import ODataKit

/// Passes requests on and notes each as `GET /Books?$top=1`.
///
/// `@unchecked Sendable` because the lines are touched under the lock only.
final class RequestLog: Transport, @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [String] = []

  /// The requests so far.
  var lines: [String] { lock.withLock { noted } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    lock.withLock { noted.append("\(request.method) \(request.url.target)") }
    return try await LibcurlTransport.shared.send(request)
  }
}
