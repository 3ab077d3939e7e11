#if canImport(CryptoKit)
  import CryptoKit
#else
  import COpenSSL
#endif

/// HMAC with SHA-256 (RFC 2104), which signs Shared Key requests and shared access signatures.
package enum HMACSHA256 {
  /// The 32 bytes that authenticate `message` under `key`.
  package static func authenticationCode(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    #else
      // HMAC pads a key with zeros up to the block of 64 bytes, so an empty key is the same as one zero byte; what
      // OpenSSL makes of a null pointer, which Swift may pass for an empty array, need not be known then.
      let key = key.isEmpty ? [0] : key
      return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { code, count in
        var length: UInt32 = 0
        let made = HMAC(
          EVP_sha256(), key, Int32(key.count), message, message.count, code.baseAddress, &length)
        precondition(made != nil, "OpenSSL has no HMAC-SHA256; it is built without its default provider.")
        count = Int(length)
      }
    #endif
  }

  /// Whether both are the same bytes, in a time that tells nothing about where they differ.
  ///
  /// For servers: a comparison that stops early lets a client find a signature byte by byte.
  package static func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}
