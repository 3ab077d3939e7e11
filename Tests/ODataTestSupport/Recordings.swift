import Foundation

/// One exchange that was recorded from a real service.
package struct RecordedExchange: Sendable {
  package var method: String
  package var url: String
  package var requestHeaders: [String: String]
  /// `nil` where there was none or the recorder masked it.
  package var requestBody: [UInt8]?
  package var status: Int
  package var responseHeaders: [String: String]
  package var responseBody: [UInt8]
}

/// The recordings in the shared folder.
package enum Recordings {
  private struct File: Decodable {
    var groups: [Group]
  }
  private struct Group: Decodable {
    var exchanges: [Exchange]
  }
  private struct Exchange: Decodable {
    struct Request: Decodable {
      var method: String
      var url: String
      var headers: [String: String]?
      var body: String?
    }
    struct Response: Decodable {
      var status: Int
      var headers: [String: String]?
      var body: String?
    }
    var request: Request
    var response: Response
  }

  /// The exchanges in a file below `recordings`; header names are in lower case.
  package static func exchanges(in path: String) throws -> [RecordedExchange] {
    let file = try JSONDecoder().decode(File.self, from: Data(SharedFolder.bytes("recordings/" + path)))
    return file.groups.flatMap(\.exchanges).map { exchange in
      RecordedExchange(
        method: exchange.request.method, url: exchange.request.url,
        requestHeaders: lowercased(exchange.request.headers),
        requestBody: exchange.request.body.map { Array($0.utf8) }, status: exchange.response.status,
        responseHeaders: lowercased(exchange.response.headers),
        responseBody: Array((exchange.response.body ?? "").utf8))
    }
  }

  /// The names of the files directly in a folder below `recordings`, sorted.
  package static func files(in folder: String, extension suffix: String) throws -> [String] {
    guard let url = SharedFolder.url?.appending(path: "recordings/" + folder) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix("." + suffix) }
      .sorted().map { folder + "/" + $0 }
  }

  private static func lowercased(_ headers: [String: String]?) -> [String: String] {
    Dictionary((headers ?? [:]).map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }
}

/// Ways to cut `bytes` into chunks: whole, byte by byte, and in two at every offset, as far as `limit` bytes allow
/// (a test with a long input takes cuts at every `count / limit`th offset).
package func cuts(of bytes: [UInt8], limit: Int = 4096) -> [[[UInt8]]] {
  let step = max(1, bytes.count / limit)
  return [[bytes], bytes.map { [$0] }]
    + stride(from: 0, through: bytes.count, by: step).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
}
