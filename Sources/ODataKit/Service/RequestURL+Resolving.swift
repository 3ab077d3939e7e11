extension RequestURL {
  /// The absolute URL of a link that a service gave, seen from this URL (RFC 3986 § 5.2).
  ///
  /// A link to another host is followed only as far as the transport goes; credentials are never sent along, see
  /// ``ODataService``.
  package func resolving(_ link: String) throws(ODataError) -> RequestURL {
    guard let url = RequestURL(URLReference.resolve(link, against: description)) else {
      throw ODataError(
        .malformedPayload, "The service sent a link that is not a URL; it cannot be followed.")
    }
    return url
  }
}
