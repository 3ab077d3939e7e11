internal import Foundation
internal import ODataKit

/// One request and the head of its answer: id, time, version, and the form of errors.
struct Exchange {
  let id: String
  let time: EdmDateTime
  let version: Result<ServiceVersion, ServiceFault>
  private let headers: HeaderFields
  private let method: HTTPMethod

  init(_ request: EmulatorRequest, id: UUID, time: EdmDateTime) {
    self.id = id.uuidString.lowercased()
    self.time = time
    headers = request.headers
    method = request.method
    version = Result { () throws(ServiceFault) in try ServiceVersion(request.headers["x-ms-version"]) }
  }

  func response(to reply: ServiceReply) -> EmulatorResponse {
    var all = commonHeaders
    for field in reply.headers.fields { all.append(field.name, field.value) }
    if let version = try? version.get() {
      all["Preference-Applied"] =
        ServiceRequest.preference(headers, method: method, version: version)?.rawValue
    }
    return EmulatorResponse(status: reply.status, headers: all, body: reply.body)
  }

  func response(to fault: ServiceFault) -> EmulatorResponse {
    response(to: ErrorReply.make(fault, format: errorFormat, requestID: id, time: time))
  }

  /// JSON where the client asks for it; the service answers in XML whatever it cannot tell.
  private var errorFormat: ResponseFormat {
    guard let version = try? version.get(), version.speaksJSON else { return .atom }
    let format = try? FormatNegotiation.response(
      accept: headers[.accept], format: nil, version: version, dataServiceVersion: nil)
    return format ?? .atom
  }

  /// What every answer of the service has.
  private var commonHeaders: HeaderFields {
    var common: HeaderFields = [
      "Cache-Control": "no-cache", "Server": "Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0",
      "x-ms-request-id": id,
    ]
    if let clientID = headers["x-ms-client-request-id"] { common["x-ms-client-request-id"] = clientID }
    if let version = try? version.get() {
      common["x-ms-version"] = version.text
      if version >= .json { common["X-Content-Type-Options"] = "nosniff" }
    }
    common[.date] = HTTPDate.text(time)
    return common
  }
}

/// Error documents.
enum ErrorReply {
  /// The service's text has the request's id and the time behind it, on lines of their own.
  static func make(_ fault: ServiceFault, format: ResponseFormat, requestID: String, time: EdmDateTime)
    -> ServiceReply
  {
    let message = "\(fault.message)\nRequestId:\(requestID)\nTime:\(sevenDigits(time))"
    switch format {
    case .atom:
      var writer = AtomWriter()
      writer.errorDocument(code: fault.code, message: message)
      return ServiceReply(
        status: fault.status, headers: [.contentType: "application/xml;charset=utf-8"], body: writer.bytes)
    case .json:
      var writer = JSONEntityWriter()
      writer.errorDocument(code: fault.code, message: message)
      return ServiceReply(
        status: fault.status, headers: [.contentType: EntityDocument.contentType(of: format)],
        body: writer.bytes)
    }
  }

  /// `2017-10-02T20:21:34.0618764Z`: error messages keep the zeros that other times lose.
  private static func sevenDigits(_ time: EdmDateTime) -> String {
    var text = time.description
    text.removeLast()
    let fraction = text.utf8.count - "2017-10-02T20:21:34".utf8.count
    text += fraction == 0 ? ".0000000" : String(repeating: "0", count: 8 - fraction)
    return text + "Z"
  }
}
