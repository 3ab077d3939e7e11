internal import ODataKit

/// A request while it comes in. Used by its connection's thread only.
final class IncomingRequest {
  private let target: String
  private(set) var method = ""
  private(set) var hasBegun = false
  /// Whether the body is, or says it will be, larger than the service takes.
  private(set) var isTooLarge = false
  private var headers = HeaderFields()
  private var body: [UInt8] = []

  /// `target` exactly as in the request line.
  init(target: String) { self.target = target }

  func begin(method: String, headers: HeaderFields) {
    hasBegun = true
    self.method = method
    self.headers = headers
    if let length = headers[.contentLength].flatMap({ Int($0) }) {
      isTooLarge = length > ServiceLimits.body
      if !isTooLarge { body.reserveCapacity(length) }
    }
  }

  /// Takes a piece of the body; once it is too large, only counts that it is.
  func append(_ piece: UnsafeRawBufferPointer) {
    guard !isTooLarge else { return }
    isTooLarge = body.count + piece.count > ServiceLimits.body
    if isTooLarge { body = [] } else { body.append(contentsOf: piece) }
  }

  func request(defaultAuthority: String) -> EmulatorRequest {
    EmulatorRequest(
      method: HTTPMethod(rawValue: method), url: url(defaultAuthority), headers: headers, body: body)
  }

  private func url(_ defaultAuthority: String) -> RequestURL {
    // A proxy's form of the request line has the whole URL.
    if target.utf8.first != UInt8(ascii: "/"), let absolute = RequestURL(target) { return absolute }
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    return RequestURL(
      scheme: "http", authority: headers["Host"] ?? defaultAuthority, path: String(Substring(parts[0])),
      query: parts.count == 2 ? String(Substring(parts[1])) : nil)
  }

  /// The target without the signature that an address can carry.
  var maskedTarget: String {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return target }
    let options = parts[1].split(separator: "&", omittingEmptySubsequences: false)
      .map { $0.utf8.starts(with: "sig=".utf8) ? "sig=***" : $0 }
    return "\(parts[0])?\(options.joined(separator: "&"))"
  }
}
