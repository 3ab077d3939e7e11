internal import Foundation
public import ODataKit

/// The name of a storage account with one of its two keys.
///
/// The key is a password: neither `description`, `debugDescription` nor `dump` shows it.
public struct SharedKeyCredential: Sendable, Hashable {
  /// The account, e.g. `devstoreaccount1`.
  public let accountName: String
  /// The key as bytes.
  package let key: [UInt8]

  /// Takes the key as the portal shows it, in Base64.
  ///
  /// Throws ``ODataKit/ODataError/Code/invalidArgument`` for a name or key that cannot be one.
  public init(accountName: String, accountKey: String) throws(ODataError) {
    guard !accountName.isEmpty, accountName.utf8.allSatisfy(Self.isNameCharacter) else {
      throw ODataError(
        .invalidArgument,
        "The account name is \(accountName.isEmpty ? "empty" : "not one"): letters, digits and hyphens only.")
    }
    guard let key = Data(base64Encoded: accountKey), !key.isEmpty else {
      throw ODataError(
        .invalidArgument,
        "The account key is not Base64 text; copy the whole key, with the = at its end, from the account's page."
      )
    }
    self.accountName = accountName
    self.key = [UInt8](key)
  }

  /// The account that every storage emulator has, with its well-known key, which is no secret.
  public static let development = SharedKeyCredential(
    accountName: "devstoreaccount1", key: [UInt8](Data(base64Encoded: developmentKey) ?? Data()))

  /// The well-known key of ``development`` in Base64, as connection strings carry it.
  public static let developmentKey =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

  private init(accountName: String, key: [UInt8]) {
    self.accountName = accountName
    self.key = key
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension SharedKeyCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The account, never the key.
  public var description: String { "SharedKeyCredential(\(accountName), key hidden)" }
  /// The account, never the key.
  public var debugDescription: String { description }
  /// The account, never the key.
  public var customMirror: Mirror { Mirror(self, children: ["accountName": accountName]) }
}
