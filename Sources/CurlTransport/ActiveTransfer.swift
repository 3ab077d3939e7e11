internal import CCurl

/// A transfer that libcurl works on: the easy handle with all it points to, and its callbacks. Lives on the curl thread.
///
/// The callbacks get an unretained pointer to this object; the engine's table holds it until after
/// `curl_multi_remove_handle`.
@safe final class ActiveTransfer {
  let transfer: Transfer
  private let easy: EasyHandle
  private let headers: HeaderList
  private let errorText: UnsafeMutablePointer<CChar>
  private var headReader: ResponseHeadReader
  private let trace: TraceFilter?
  /// What one of the callbacks found wrong. No Swift error may cross C, so it waits here.
  private var failure: CurlError?
  /// How often libcurl was about to send the request.
  private var attempts = 0
  private var isReceivingPaused = false
  private var isSendingPaused = false
  private var lastActivity: (mark: Int64, since: ContinuousClock.Instant)

  init(_ transfer: Transfer, options: CurlOptions, now: ContinuousClock.Instant) throws(CurlError) {
    self.transfer = transfer
    easy = try EasyHandle()
    headers = try HeaderList(transfer.headerLines)
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    headReader = ResponseHeadReader(limit: options.maxHeaderBytes)
    trace = options.trace.map(TraceFilter.init)
    lastActivity = (0, now)
    try configure(options)
  }

  deinit {
    // The easy handle ends after this; it must neither write into the freed text nor call an object that is going.
    _ = unsafe ccurl_set_pointer(easy.pointer, CURLOPT_ERRORBUFFER, nil)
    _ = unsafe ccurl_set_long(easy.pointer, CURLOPT_VERBOSE, 0)
    unsafe errorText.deallocate()
  }

  var handle: OpaquePointer { unsafe easy.pointer }

  // MARK: Options

  private func configure(_ options: CurlOptions) throws(CurlError) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe easy.set(CURLOPT_ERRORBUFFER, pointer: errorText)
    try unsafe easy.set(CURLOPT_PRIVATE, pointer: UnsafeMutableRawPointer(bitPattern: transfer.id))
    // Signals would interrupt other threads of the program; SIGPIPE is blocked on the curl thread.
    try easy.set(CURLOPT_NOSIGNAL, true)

    try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try easy.set(CURLOPT_URL, transfer.request.url)
    // Dots in the path are part of keys, and of what was signed.
    try easy.set(CURLOPT_PATH_AS_IS, true)
    try easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
    // An Authorization header must not follow a redirect.
    try easy.set(CURLOPT_FOLLOWLOCATION, false)
    try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    try easy.set(CURLOPT_ACCEPT_ENCODING, "")
    // libcurl takes 0 for its own default, and no more than an `int` holds.
    let connectMilliseconds = min(
      max(1, min(options.connectTimeout, CurlOptions.longest) / .milliseconds(1)), 0x7FFF_FFFF)
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(connectMilliseconds))
    try easy.set(CURLOPT_TCP_KEEPALIVE, true)
    if let file = options.certificateAuthorityFile { try easy.set(CURLOPT_CAINFO, file) }

    // The header is for the service alone, and the proxy's answer to CONNECT is not the response.
    try easy.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    if transfer.origin.isLoopback || options.proxy == .none {
      try easy.set(CURLOPT_PROXY, "")
    } else if case .fixed(let proxy) = options.proxy {
      try easy.set(CURLOPT_PROXY, proxy)
    }

    try unsafe configureRequest(context)
    try easy.setHeaders(headers)
    try unsafe easy.setCallback(
      CURLOPT_HEADERFUNCTION, Callbacks.receiveHeader, contextOption: CURLOPT_HEADERDATA, context: context)
    try unsafe easy.setCallback(
      CURLOPT_WRITEFUNCTION, Callbacks.receiveBody, contextOption: CURLOPT_WRITEDATA, context: context)
    try easy.check(unsafe ccurl_set_prerequest_callback(handle, Callbacks.aboutToSend))
    try unsafe easy.set(CURLOPT_PREREQDATA, pointer: context)
    if trace != nil {
      try easy.check(unsafe ccurl_set_debug_callback(handle, Callbacks.debug))
      try unsafe easy.set(CURLOPT_DEBUGDATA, pointer: context)
      try easy.set(CURLOPT_VERBOSE, true)
    }
  }

  private func configureRequest(_ context: UnsafeMutableRawPointer) throws(CurlError) {
    let request = transfer.request
    switch request.body {
    case .none where request.method == "HEAD":
      try easy.set(CURLOPT_NOBODY, true)
      return
    case .none where request.announcesEmptyBody: try easy.setBody([])
    case .none: try easy.set(CURLOPT_HTTPGET, true)
    case .bytes(let bytes): try easy.setBody(bytes)
    case .stream(let length, _):
      try easy.set(CURLOPT_UPLOAD, true)
      try easy.set(CURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
      try unsafe easy.setCallback(
        CURLOPT_READFUNCTION, Callbacks.sendBody, contextOption: CURLOPT_READDATA, context: context)
    }
    try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
  }

  // MARK: Orders of the engine

  /// Goes on after the reader has made room, or the writer has given bytes. May call the callbacks at once.
  func resume(receiving: Bool = false, sending: Bool = false) -> CURLcode {
    if receiving { isReceivingPaused = false }
    if sending { isSendingPaused = false }
    let paused = (isReceivingPaused ? CURLPAUSE_RECV : 0) | (isSendingPaused ? CURLPAUSE_SEND : 0)
    return unsafe curl_easy_pause(handle, paused)
  }

  /// Before the handle is removed in the middle of a transfer: libcurl would wait for a name look-up that is under way,
  /// and all other transfers with it.
  func prepareForRemoval() {
    // Cannot fail, and nothing could be done about it.
    _ = unsafe ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
  }

  /// When the service was last active, as far as can be told now. Silence that it is not to blame for does not count.
  func activity(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let mark =
      easy.offset(CURLINFO_SIZE_DOWNLOAD_T) + easy.offset(CURLINFO_SIZE_UPLOAD_T)
      + Int64(easy.long(CURLINFO_HEADER_SIZE)) + Int64(easy.long(CURLINFO_REQUEST_SIZE))
    if mark != lastActivity.mark || attempts == 0 || isReceivingPaused || isSendingPaused {
      lastActivity = (mark, now)
    }
    return lastActivity.since
  }

  // MARK: Results

  var exposure: CurlError.Exposure {
    if headReader.isComplete { return .answered }
    return attempts > 0 && easy.long(CURLINFO_REQUEST_SIZE) > 0 ? .unknown : .notSent
  }

  /// What libcurl's result means.
  func error(for code: CURLcode) -> CurlError? {
    guard code != CURLE_OK else { return nil }
    return failure ?? CurlError(code, detail: unsafe String(cString: errorText), exposure: exposure)
  }

  // MARK: Callbacks

  fileprivate func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    switch unsafe headReader.read(line) {
    case .more: return line.count
    case .complete(let head):
      transfer.state.withLock { $0.receiveHead() }?.resume(returning: head)
      return line.count
    case .tooLarge:
      failure = CurlError(.invalidResponse, "the header of the response is too large", exposure: .unknown)
    case .malformed:
      failure = CurlError(.invalidResponse, "the header of the response is malformed", exposure: .unknown)
    }
    return 0
  }

  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch transfer.state.withLock({ unsafe $0.receive(bytes) }) {
    case .taken: return bytes.count
    case .delivered(let reader, let chunk):
      reader.resume(returning: chunk)
      return bytes.count
    case .pause:
      isReceivingPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    case .refuse: return 0
    }
  }

  fileprivate func sendBody(_ target: UnsafeMutableRawBufferPointer) -> Int {
    guard let upload = transfer.upload else { return Int(CURL_READFUNC_ABORT) }
    switch upload.state.withLock({ unsafe $0.read(into: target) }) {
    case .copied(let count, let writer):
      writer?.resume()
      return count
    case .pause:
      isSendingPaused = true
      return Int(CURL_READFUNC_PAUSE)
    case .abort: return Int(CURL_READFUNC_ABORT)
    }
  }

  /// libcurl sends a request again by itself when a kept connection breaks before any answer. For a write of which
  /// bytes have left that would be sending twice what may have been carried out.
  fileprivate func aboutToSend() -> Int32 {
    attempts += 1
    guard attempts > 1, !transfer.request.isSafe, exposure != .notSent else { return CURL_PREREQFUNC_OK }
    failure = CurlError(
      .connectionLost, "the kept connection was closed after the request was sent", exposure: .unknown)
    return CURL_PREREQFUNC_ABORT
  }

  fileprivate func show(_ type: curl_infotype, _ text: UnsafeRawBufferPointer) {
    guard let trace, type == CURLINFO_TEXT || type == CURLINFO_HEADER_IN || type == CURLINFO_HEADER_OUT else {
      return
    }
    let direction = type == CURLINFO_TEXT ? "*" : type == CURLINFO_HEADER_IN ? "<" : ">"
    unsafe trace.show(String(decoding: text, as: UTF8.self), direction: direction)
  }
}

/// What libcurl calls, with an ``ActiveTransfer`` as the context.
private enum Callbacks {
  private static func active(_ context: UnsafeMutableRawPointer?) -> ActiveTransfer? {
    unsafe context.map { unsafe Unmanaged<ActiveTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  static let receiveHeader: ccurl_data_callback = { data, size, count, context in
    let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
    return unsafe active(context)?.receiveHeader(line) ?? 0
  }

  static let receiveBody: ccurl_data_callback = { data, size, count, context in
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
    return unsafe active(context)?.receiveBody(bytes) ?? 0
  }

  static let sendBody: ccurl_data_callback = { data, size, count, context in
    let target = unsafe UnsafeMutableRawBufferPointer(start: data, count: size * count)
    return unsafe active(context)?.sendBody(target) ?? Int(CURL_READFUNC_ABORT)
  }

  static let aboutToSend: curl_prereq_callback = { context, _, _, _, _ in
    unsafe active(context)?.aboutToSend() ?? CURL_PREREQFUNC_ABORT
  }

  static let debug: curl_debug_callback = { _, type, data, size, context in
    unsafe active(context)?.show(type, UnsafeRawBufferPointer(start: data, count: size))
    return 0
  }
}
