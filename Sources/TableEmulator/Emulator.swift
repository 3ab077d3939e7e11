public import AzureTable
internal import CurlTransport
public import Foundation
public import ODataKit

/// A table service of one's own: the Azure Table protocol over a file or memory.
///
/// It speaks both formats at the versions that have them, with the service's limits, error codes, paging and change
/// sets. A program uses it in process, through ``transport``, or lets other programs in with
/// ``listen(host:port:log:)``.
///
/// ```swift
/// let emulator = try Emulator.open(at: folder.appending(path: "books.tables"))
/// let response = try await emulator.transport.send(HTTPRequest(.get, emulator.endpoint.appending(segment: "Tables")))
/// ```
///
/// Several emulators, also of several processes, may have the same file open. Every write is one transaction, a change
/// set too, and is on the disk when it is answered.
public final class Emulator: Sendable {
  private let store: TableStore
  private let core: EmulatorCore
  /// The account the tables belong to: the development account that every emulator has.
  public var credential: SharedKeyCredential { core.configuration.credential }
  /// Carries requests to the emulator without a socket; they need no signature.
  public let transport: any Transport

  /// The service's root for requests through ``transport``. The host stands for this process; nothing listens there.
  public var endpoint: RequestURL {
    RequestURL(scheme: "http", authority: "127.0.0.1", path: "/" + credential.accountName)
  }

  /// Opens the store in `file`, and makes it where there is none; its folder must exist.
  ///
  /// Throws ``ODataKit/ODataError`` with one of the codes ``ODataKit/ODataError/Code/storeUnusable``,
  /// ``ODataKit/ODataError/Code/storeReadOnly``, ``ODataKit/ODataError/Code/storeLocked``,
  /// ``ODataKit/ODataError/Code/storeFull`` and ``ODataKit/ODataError/Code/storeTooNew``.
  public static func open(at file: URL, durability: StoreDurability = .full) throws -> Emulator {
    try Emulator(.file(file), durability: durability, configuration: EmulatorConfiguration())
  }

  /// Makes a store in memory, empty, gone with the emulator.
  public static func inMemory() throws -> Emulator {
    try Emulator(.memory, durability: .relaxed, configuration: EmulatorConfiguration())
  }

  init(_ location: StoreLocation, durability: StoreDurability, configuration: EmulatorConfiguration) throws {
    store = try TableStore(location, durability: durability, now: configuration.now)
    core = EmulatorCore(store: store, configuration: configuration)
    transport = InProcessTransport(core)
  }

  /// Lets other programs in over HTTP until ``TableServer/stop()``; requests have to be signed with
  /// ``credential``.
  ///
  /// `host` is an address of this machine, the loopback one unless told otherwise; `port` 0 takes any that is free.
  /// `log` is called for each request, on the connection's thread. Throws ``ODataKit/ODataError`` where the port is
  /// taken, the address is not this machine's, or another server has the same file.
  public func listen(
    host: String = "127.0.0.1", port: UInt16 = 10002, log: (@Sendable (RequestLogEntry) -> Void)? = nil
  ) throws -> TableServer {
    var configuration = core.configuration
    configuration.checksSignatures = true
    let claim: StoreClaim? = if case .file(let url) = store.location { try StoreClaim(url) } else { nil }
    let server = try SocketServer(
      EmulatorCore(store: store, configuration: configuration), host: host, port: port, log: log)
    return TableServer(server, claim: claim, credential: credential)
  }
}

/// A ``Emulator`` that listens. Let go, it stops.
public final class TableServer: Sendable {
  private let server: SocketServer
  private let claim: Locked<StoreClaim?>
  private let credential: SharedKeyCredential

  init(_ server: SocketServer, claim: StoreClaim?, credential: SharedKeyCredential) {
    self.server = server
    self.claim = Locked(claim)
    self.credential = credential
  }

  /// The port it listens on.
  public var port: UInt16 { server.port }

  /// The service's root, e.g. `http://127.0.0.1:10002/devstoreaccount1`.
  public var endpoint: RequestURL {
    let host = server.host.utf8.contains(UInt8(ascii: ":")) ? "[\(server.host)]" : server.host
    return RequestURL(scheme: "http", authority: "\(host):\(port)", path: "/" + credential.accountName)
  }

  /// What clients are configured with. It holds the account's key, which is the well-known one of all emulators.
  public var connectionString: String {
    "DefaultEndpointsProtocol=http;AccountName=\(credential.accountName);"
      + "AccountKey=\(Data(credential.key).base64EncodedString());TableEndpoint=\(endpoint);"
  }

  /// Takes no more connections, answers the requests under way, and ends; the file is free for another server then.
  /// Blocks until all that is done, about ten seconds at most. Does nothing the second time.
  public func stop() {
    server.stop()
    claim.withLock { $0 = nil }
  }
}
