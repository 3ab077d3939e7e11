import AzureTable
import Foundation
import ODataKit
import TableEmulator

/// Opens the place where the books are.
enum Store {
  /// Takes what goes over the wire, see ``TracingTransport``.
  typealias Trace = @Sendable ([UInt8]) -> Void

  /// The account of a connection string, or else the table service in this process over a file: the same commands
  /// work on both.
  static func open(_ invocation: Invocation, _ console: Console) throws -> TableService {
    let trace: Trace? = invocation.isTraced ? console.note : nil
    switch invocation.place {
    case .account(let connectionString):
      return try TableService(
        connectionString: connectionString, format: invocation.format,
        transport: traced(LibcurlTransport.shared, trace))
    case .file(let path):
      return try embedded(URL(filePath: path), invocation.format, trace)
    case .dataFolder:
      return try embedded(DataFolder.storeFile(), invocation.format, trace)
    }
  }

  private static func embedded(_ file: URL, _ format: PayloadFormat, _ trace: Trace?) throws -> TableService {
    try .embedded(in: Emulator.open(at: file), format: format) { traced($0, trace) }
  }

  private static func traced(_ transport: any Transport, _ trace: Trace?) -> any Transport {
    guard let trace else { return transport }
    return TracingTransport(transport, write: trace)
  }
}
