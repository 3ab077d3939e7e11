internal import CCurl

/// Owns a libcurl easy handle. Used on the curl thread only.
@safe struct EasyHandle: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CurlError) {
    guard let pointer = unsafe curl_easy_init() else { throw CurlError(.other, "libcurl is out of memory") }
    unsafe self.pointer = pointer
  }

  deinit { unsafe curl_easy_cleanup(pointer) }

  func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
    try check(unsafe ccurl_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) throws(CurlError) { try set(option, value ? 1 : 0) }

  func set(_ option: CURLoption, offset value: Int64) throws(CurlError) {
    try check(unsafe ccurl_set_offset(pointer, option, curl_off_t(value)))
  }

  /// libcurl keeps a copy of the text.
  func set(_ option: CURLoption, _ value: String) throws(CurlError) {
    try check(unsafe ccurl_set_string(pointer, option, value))
  }

  /// libcurl keeps the pointer, not what it points to.
  @unsafe func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(CurlError) {
    try check(unsafe ccurl_set_pointer(pointer, option, value))
  }

  func setHeaders(_ list: borrowing HeaderList) throws(CurlError) {
    try check(unsafe ccurl_set_list(pointer, CURLOPT_HTTPHEADER, list.first))
  }

  @unsafe func setCallback(
    _ function: CURLoption, _ callback: ccurl_data_callback, contextOption: CURLoption,
    context: UnsafeMutableRawPointer
  ) throws(CurlError) {
    try check(unsafe ccurl_set_data_callback(pointer, function, callback))
    try unsafe set(contextOption, pointer: context)
  }

  /// A body that libcurl copies.
  func setBody(_ bytes: [UInt8]) throws(CurlError) {
    try set(CURLOPT_POST, true)
    // The size goes first: it tells libcurl how much to copy.
    try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
    let code = unsafe bytes.withUnsafeBytes { bytes in
      // An empty array has no address, and libcurl takes NULL for "use the read callback".
      unsafe ccurl_set_pointer(
        pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? emptyBody))
    }
    try check(code)
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe ccurl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    return unsafe ccurl_get_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  func check(_ code: CURLcode) throws(CurlError) {
    guard code != CURLE_OK else { return }
    throw CurlError(code, detail: "", exposure: .notSent)
  }
}

/// A byte to point at where there are none. Never written to, never freed.
nonisolated(unsafe) private let emptyBody: UnsafeRawPointer = {
  let byte = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
  unsafe byte.storeBytes(of: 0, as: UInt8.self)
  return UnsafeRawPointer(byte)
}()

/// Owns a libcurl list of header lines.
@safe struct HeaderList: ~Copyable {
  let first: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) throws(CurlError) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = unsafe curl_slist_append(list, line) else {
        unsafe curl_slist_free_all(list)
        throw CurlError(.other, "libcurl is out of memory")
      }
      unsafe list = longer
    }
    unsafe first = list
  }

  deinit { unsafe curl_slist_free_all(first) }
}
