import ODataKit

/// What stands in the body of an error: always an error, and nothing in it can harm a terminal.
@Sendable func fuzzServiceError(_ input: FuzzInput) {
  for status in [400, 403, 409] {
    let error = ServiceError.read(status: status, headers: [:], body: input.bytes)
    demand(!error.message.isEmpty, "an error without a sentence")
    for text in [error.message, error.serviceCode ?? "", error.requestID ?? "", error.description] {
      demand(
        text.unicodeScalars.allSatisfy { scalar in
          scalar.value >= 0x20 && scalar.value != 0x7F && scalar.properties.generalCategory != .format
        }, "a control character in an error: \(text.debugDescription)")
    }
  }
}
