internal import CurlTransport

/// How a service wants to be sure that a change was meant, and not slipped in by a page of another site (CSRF).
public enum CSRFTokens: Sendable, Hashable {
  /// The service asks for no token.
  case none
  /// The service wants the token of an earlier answer, as SAP Gateway does: before the first change a GET of its root
  /// asks for one (`X-CSRF-Token: Fetch`), and every change and batch carries it, with the cookies of the session that it
  /// belongs to. Once it has expired (403 with `X-CSRF-Token: Required`) a new one is fetched, and the request, which the
  /// service has not carried out, is sent again.
  case fetch
}

extension HeaderFields.Name {
  /// `X-CSRF-Token`; its value is a secret and masked wherever it is shown.
  static let csrfToken: Self = "X-CSRF-Token"
  static let cookie: Self = "Cookie"
  static let setCookie: Self = "Set-Cookie"
}

/// The session that a service keeps for its client: the token and the cookies it belongs to, shared by the copies of a
/// service value. Never printed.
final class CSRFSession: Sendable, CustomStringConvertible {
  /// What goes with a request.
  struct Ticket: Sendable {
    /// The token; `nil` where none was fetched, empty where the service gives none.
    var token: String?
    fileprivate var cookies: [Cookie] = []
    /// Counts tokens, so that what comes late from a session that is over changes nothing.
    fileprivate var generation = 0

    /// Adds the cookies, and to a request that changes something the token.
    func stamp(_ request: inout HTTPRequest, at now: EdmDateTime = .now()) {
      let cookies = cookies.filter { $0.expiry.map { $0 > now } ?? true }
      if !cookies.isEmpty {
        request.headers[.cookie] = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
      }
      if request.method.changesSomething, let token, !token.isEmpty { request.headers[.csrfToken] = token }
    }

    /// Takes the cookies of a response.
    fileprivate mutating func take(_ headers: HeaderFields, at now: EdmDateTime) {
      for field in headers.fields where field.name == .setCookie {
        guard let cookie = Cookie(field.value, at: now) else { continue }
        cookies.removeAll { $0.name.hasSameBytes(as: cookie.name) }
        if cookie.expiry.map({ $0 > now }) ?? true, cookies.count < Cookie.maximumCount {
          cookies.append(cookie)
        }
      }
    }
  }

  private let state = Locked(Ticket())

  /// The session as it stands.
  var ticket: Ticket { state.withLock { $0 } }

  /// Takes what a response says of the session that `ticket` belongs to.
  func take(_ headers: HeaderFields, of ticket: Ticket, at now: EdmDateTime = .now()) {
    state.withLock { state in
      if state.generation == ticket.generation { state.take(headers, at: now) }
    }
  }

  /// Begins anew with the token of a response to `ticket`; empty where it holds none.
  func begin(_ headers: HeaderFields, after ticket: Ticket, at now: EdmDateTime = .now()) -> Ticket {
    var next = ticket
    let token = headers[.csrfToken] ?? ""
    next.token = ["fetch", "required"].contains(token.lowercased()) ? "" : token
    next.take(headers, at: now)
    return state.withLock { state in
      next.generation = state.generation + 1
      state = next
      return next
    }
  }

  /// The cookies go on, the token does not, unless another request has replaced it meanwhile.
  func expire(_ ticket: Ticket) {
    state.withLock { state in
      if state.generation == ticket.generation { state.token = nil }
    }
  }

  var description: String { "CSRFSession" }
}

/// A cookie as far as it is sent back: its name and value. It goes to the service it came from, whatever path it names.
private struct Cookie: Sendable {
  static let maximumCount = 50
  private static let maximumLength = 4096

  let name: String
  let value: String
  /// When it is over, and by a time that has passed the service takes it back; `nil` where it lasts as long as the session.
  let expiry: EdmDateTime?

  /// Reads the value of a `Set-Cookie` field (RFC 6265 § 5.2); `nil` for one without a name, or that is longer than any
  /// that has to be kept (§ 6.1).
  init?(_ field: String, at now: EdmDateTime) {
    let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      Substring($0).trimmingBlanks
    }
    let pair = parts[0].utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.count == 2, parts[0].utf8.count <= Self.maximumLength else { return nil }
    name = Substring(pair[0]).trimmingBlanks
    value = Substring(pair[1]).trimmingBlanks
    guard !name.isEmpty else { return nil }
    var (age, date): (EdmDateTime?, EdmDateTime?)
    for part in parts.dropFirst() {
      let attribute = part.utf8.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard attribute.count == 2 else { continue }
      let value = Substring(attribute[1]).trimmingBlanks
      switch Substring(attribute[0]).trimmingBlanks.lowercased() {
      case "max-age": age = Self.expiry(afterSeconds: value, from: now) ?? age
      case "expires": date = Self.instant(value) ?? date
      default: break
      }
    }
    // Whatever their order (RFC 6265 § 5.3).
    expiry = age ?? date
  }

  /// The value of `Max-Age` (RFC 6265 § 5.2.2); `nil` for one that is no number.
  private static func expiry(afterSeconds text: String, from now: EdmDateTime) -> EdmDateTime? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    // A number too large for a type is one of those without an end, to either side.
    let seconds = Int64(text) ?? (digits.count < text.utf8.count ? 0 : .max)
    guard seconds > 0 else { return .minimum }
    let longest = (EdmDateTime.maximum.ticks - now.ticks) / EdmDateTime.ticksPerSecond
    return EdmDateTime(ticks: now.ticks + min(seconds, longest) * EdmDateTime.ticksPerSecond)
  }

  /// The value of `Expires`. The first servers wrote dashes around the month and four digits of the year.
  private static func instant(_ text: String) -> EdmDateTime? {
    HTTPDate.instant(text) ?? HTTPDate.instant(text.replacing("-", with: " "))
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    var bytes = utf8
    while bytes.first?.isBlank == true { bytes.removeFirst() }
    while bytes.last?.isBlank == true { bytes.removeLast() }
    return String(Substring(bytes))
  }
}

extension HTTPMethod {
  /// Whether a service may change something for it.
  var changesSomething: Bool { self != .get && self != .head }
}
