/// Makes an ``ODataError`` of a response that is one: its status, its header fields and whatever stands in the body.
package enum ServiceError {
  /// Reads an error response of any service.
  ///
  /// The body decides for itself what it is, by its first character: services answer refused credentials in XML where
  /// JSON was asked for, old ones name no type, and what a proxy sends is HTML. Given the time by our own clock, a 403
  /// that comes with a `Date` more than 15 minutes away says so: a signature is refused then, and nothing else in the
  /// answer tells why.
  package static func read(
    status: Int, headers: HeaderFields, body: [UInt8], now: EdmDateTime? = nil
  ) -> ODataError {
    let raw = explanation(in: body)
    let found = raw?.mapText(harmless)
    // What stands around the text in table services is told by line ends, which no longer stand in a harmless one.
    let message = ServiceMessage(raw?.message ?? "")
    let code = [found?.code, headers["x-ms-error-code"].map(harmless)].compactMap(\.self).first {
      !$0.isEmpty
    }
    var sentences: [String] = []
    if !message.text.isEmpty {
      sentences.append(harmless(message.text))
    } else if let code {
      sentences.append("The service refused the request with the code \(code).")
    } else if let excerpt = excerpt(of: body) {
      sentences.append(
        "The service answered with status \(status) and a body that is no OData error; it begins with: \(excerpt)"
      )
    } else {
      sentences.append("The service answered with status \(status) and no explanation.")
    }
    if (300..<400).contains(status), let location = headers[.location] {
      // A query may hold a signature.
      let address = location.prefix { $0 != "?" && $0 != "#" }
      sentences.append(
        "It redirects to \(harmless(String(address))), which is not followed; use that address from the start."
      )
    }
    if status == 403, let now, let difference = clockDifference(headers, now) { sentences.append(difference) }
    var error = ODataError(
      kind(of: status, code), sentences.joined(separator: " "), httpStatus: status, serviceCode: code,
      requestID: requestID(headers) ?? message.requestID.map(harmless))
    error.retryAfter = retryAfter(headers, now)
    error.target = found?.target
    error.details = found?.details ?? []
    error.innerErrors = found?.innerErrors ?? []
    return error
  }

  /// The error that a service puts into an answer which it has begun as a success.
  static func breakingOff(_ raw: ServiceErrorBody) -> ODataError {
    let found = raw.mapText(harmless)
    let message = ServiceMessage(raw.message)
    var error = ODataError(
      .service, "The service broke off its answer with an error: \(harmless(message.text))",
      serviceCode: found.code.isEmpty ? nil : found.code, requestID: message.requestID.map(harmless))
    error.target = found.target
    error.details = found.details
    error.innerErrors = found.innerErrors
    return error
  }

  /// The service's id of the request, by which its operators find it.
  static func requestID(_ headers: HeaderFields) -> String? {
    (headers["x-ms-request-id"] ?? headers["request-id"]).map(harmless)
  }

  /// What the service says, where the body is an error of a known form.
  private static func explanation(in body: [UInt8]) -> ServiceErrorBody? {
    switch firstCharacter(of: body) {
    // Two bytes a character: no JSON of a service is (RFC 8259 § 8.1), XML may be.
    case UInt8(ascii: "<"), 0xFE, 0xFF: XMLErrorBody.read(body)
    case UInt8(ascii: "{"): JSONErrorBody.read(Array(body.drop { $0 != UInt8(ascii: "{") }))
    default: nil
    }
  }

  /// The first byte that is neither blank nor part of a byte order mark of UTF-8.
  private static func firstCharacter(of body: [UInt8]) -> UInt8? {
    let start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
    return start.first { !$0.isBlank }
  }

  private static func kind(of status: Int, _ code: String?) -> ODataError.Code {
    switch status {
    case 401, 403: .unauthorized
    case 404: .notFound
    // Other conflicts, a table that is being deleted among them, do not say that the thing is there.
    case 409 where code?.hasSuffix("AlreadyExists") == true: .alreadyExists
    case 412: .concurrencyConflict
    case 413: .payloadTooLarge
    case 415, 501: .unsupported
    default: .service
    }
  }

  /// The limit of Azure's services between the date a request is signed with and their own clock.
  private static let toleratedTicks = 15 * 60 * EdmDateTime.ticksPerSecond

  private static func clockDifference(_ headers: HeaderFields, _ now: EdmDateTime) -> String? {
    guard let there = headers[.date].flatMap(HTTPDate.instant) else { return nil }
    let ticks = abs(now.ticks - there.ticks)
    guard ticks > toleratedTicks else { return nil }
    return """
      The clock of this machine is \(ticks / (60 * EdmDateTime.ticksPerSecond)) minutes away from the service's: it is \
      \(HTTPDate.text(now)) here and \(HTTPDate.text(there)) there, and beyond 15 minutes signatures are refused; set \
      the clock.
      """
  }

  /// The delay the service asks for: seconds or a date (RFC 9110 § 10.2.3), or the milliseconds of Cosmos DB.
  private static func retryAfter(_ headers: HeaderFields, _ now: EdmDateTime?) -> Duration? {
    if let text = headers["x-ms-retry-after-ms"], let milliseconds = Double(text),
      (0..<1e12).contains(milliseconds)
    {
      return .milliseconds(Int64(milliseconds.rounded(.up)))
    }
    guard let text = headers["Retry-After"] else { return nil }
    if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
    guard let now, let then = HTTPDate.instant(text) else { return nil }
    // A date has no parts of a second; to come too early would be of no use.
    let ticks = max(0, then.ticks - now.ticks)
    return .seconds((ticks + EdmDateTime.ticksPerSecond - 1) / EdmDateTime.ticksPerSecond)
  }

  /// What a service says, harmless to a terminal and without the credentials it repeats: whatever has no shape of its
  /// own is spelled out, and a signature that was refused is not shown.
  private static func harmless(_ text: String) -> String { spelledOut(SecretMask.sentence(text)) }

  private static func spelledOut(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
        out += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// The beginning of a body for people to recognise, on one line and harmless to a terminal; `nil` for a blank one.
  static func excerpt(of body: [UInt8]) -> String? {
    let length = 120
    var start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
    start = start.drop { $0.isBlank }
    guard !start.isEmpty else { return nil }
    var text = ""
    var isBehindBlank = false
    // Secrets end with their lines, which are lost below.
    let shown = SecretMask.sentence(Array(start.prefix(length)))
    for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars {
      if scalar.value < 0x80, UInt8(scalar.value).isBlank {
        isBehindBlank = true
        continue
      }
      if isBehindBlank { text.append(" ") }
      isBehindBlank = false
      text.unicodeScalars.append(scalar)
    }
    text = spelledOut(text)
    if start.count > length {
      // The cut may have gone through a character.
      if text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
      text += "…"
    }
    return text
  }
}
