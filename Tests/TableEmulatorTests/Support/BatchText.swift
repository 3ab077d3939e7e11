import ODataKit

/// The body of a batch as a client writes it: one change set, or whatever is put in.
struct BatchText {
  private var parts: [(head: String, body: String)] = []
  /// What stands in front of the change set, directly under the batch.
  var queries: [String] = []

  mutating func insert(_ table: String, _ entity: String, _ headers: String = "Prefer: return-no-content\r\n")
  {
    add("POST /devstoreaccount1/\(table)", headers, body: entity)
  }

  /// `line` is verb and target.
  mutating func add(_ line: String, _ headers: String = "", body: String? = nil) {
    var head = "\(line) HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\n\(headers)"
    if body != nil { head += "Content-Type: application/json\r\n" }
    parts.append((head, body ?? ""))
  }

  static let contentType = "multipart/mixed; boundary=batch_1"

  var text: String {
    let partHead = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
    var text = ""
    for query in queries {
      text +=
        "--batch_1\r\n\(partHead)\(query) HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\n\r\n\r\n"
    }
    if !parts.isEmpty {
      text += "--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n"
      for part in parts { text += "--changeset_1\r\n\(partHead)\(part.head)\r\n\(part.body)\r\n" }
      text += "--changeset_1--\r\n"
    }
    return text + "--batch_1--\r\n"
  }
}

extension TestTables {
  /// Sends a batch.
  func send(_ batch: BatchText, _ headers: HeaderFields = [:]) async throws -> Reply {
    var all = headers
    all["Content-Type"] = BatchText.contentType
    return try await send(.post, "/$batch", all, body: batch.text)
  }
}
