extension RequestURL {
  /// The absolute URL of a link that a service gave: absolute, an absolute path, or relative to this URL's folder
  /// (RFC 3986 § 5.2, for the forms that services send).
  ///
  /// A link to another host is followed only as far as the transport goes; credentials are never sent along, see
  /// ``ODataService``.
  package func resolving(_ link: String) throws(ODataError) -> RequestURL {
    if let absolute = RequestURL(link) { return absolute }
    let base = "\(scheme)://\(authority)"
    let text: String
    if link.utf8.starts(with: "/".utf8) {
      text = base + link
    } else if link.utf8.starts(with: "?".utf8) {
      text = base + path + link
    } else {
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
      text = base + folder + link
    }
    guard let url = RequestURL(text) else {
      throw ODataError(
        .malformedPayload, "The service sent a link that is not a URL; it cannot be followed.")
    }
    return url
  }
}
