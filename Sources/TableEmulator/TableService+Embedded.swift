public import AzureTable
public import Foundation
public import ODataKit

extension TableService {
  /// The tables in a file, reached in process: no server, no network, no signatures; everything else is as with a
  /// service in the cloud.
  ///
  /// ```swift
  /// let service = try TableService.embedded(at: folder.appending(path: "books.tables"))
  /// ```
  ///
  /// The file is made where there is none. Throws what ``Emulator/open(at:durability:)`` throws.
  public static func embedded(
    at file: URL, format: PayloadFormat = .automatic, durability: StoreDurability = .full
  ) throws -> TableService {
    try embedded(in: Emulator.open(at: file, durability: durability), format: format)
  }

  /// The tables of an emulator, reached in process. Requests may be watched or changed on their way by a transport
  /// that is put around the emulator's own.
  public static func embedded(
    in emulator: Emulator, format: PayloadFormat = .automatic,
    through wrap: (any Transport) -> any Transport = { $0 }
  ) throws -> TableService {
    var service = try TableService(
      endpoint: emulator.endpoint, accountName: emulator.credential.accountName, credential: .none,
      format: format,
      transport: wrap(emulator.transport))
    // What a store inside of the process refuses it will refuse a second later.
    service.retryPolicy = .none
    return service
  }
}
