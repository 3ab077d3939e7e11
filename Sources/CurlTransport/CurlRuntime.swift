internal import CCurl

/// libcurl as it is found on this machine.
enum CurlRuntime {
  /// Initialises libcurl once for the process, and says what it lacks, if anything.
  static let missing: CurlError? = {
    let code = curl_global_init(Int(CURL_GLOBAL_ALL))
    guard code == CURLE_OK else {
      return CurlError(.unavailable, unsafe String(cString: curl_easy_strerror(code)))
    }
    guard let info = unsafe ccurl_version_info() else {
      return CurlError(.unavailable, "libcurl does not tell its version")
    }
    let version = unsafe String(cString: info.pointee.version)
    guard unsafe info.pointee.version_num >= 0x07_58_00 else {
      return CurlError(.unavailable, "libcurl \(version) is too old, at least 7.88 is needed")
    }
    // Without asynchronous look-ups one slow name server would stop every transfer of the engine.
    let needed = [
      (CURL_VERSION_SSL, "TLS"), (CURL_VERSION_LIBZ, "gzip"), (CURL_VERSION_ASYNCHDNS, "asynchronous DNS"),
    ]
    let features = unsafe info.pointee.features
    let lacking = needed.filter { features & Int32($0.0) == 0 }.map(\.1)
    guard lacking.isEmpty else {
      return CurlError(
        .unavailable, "libcurl \(version) was built without \(lacking.joined(separator: ", "))")
    }
    return nil
  }()
}
