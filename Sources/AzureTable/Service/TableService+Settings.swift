internal import ODataKit

extension TableService {
  /// The settings of the account's table service (Get Table Service Properties).
  public func properties() async throws -> TableServiceProperties {
    let response = try await service.settings(.get, at: settingsURL("properties"))
    return try TableServiceProperties(reading: response)
  }

  /// Changes settings; what is `nil` stays as it is (Set Table Service Properties). The service takes up to 30 seconds to
  /// follow.
  public func setProperties(_ properties: TableServiceProperties) async throws {
    _ = try await service.settings(.put, at: settingsURL("properties"), body: properties.document())
  }

  /// How far the secondary location of a geo-redundant account has come (Get Table Service Stats). Asks the secondary
  /// location, which other accounts do not have: the error is then one of the network.
  public func statistics() async throws -> TableServiceStatistics {
    var secondary = try ODataService(
      root: endpoint.secondary(), conventions: service.conventions, format: .automatic,
      authorizer: service.authorizer, transport: service.transport, timeout: service.timeout)
    secondary.retryPolicy = service.retryPolicy
    let url = secondary.root.appending(segment: "").appending(option: "restype=service")
      .appending(option: "comp=stats")
    return try TableServiceStatistics(reading: try await secondary.settings(.get, at: url))
  }

  private func settingsURL(_ component: String) -> RequestURL {
    service.root.appending(segment: "").appending(option: "restype=service")
      .appending(option: "comp=" + component)
  }
}

extension TableClient {
  /// The stored access policies of the table (Get Table ACL). Only the account key may read them.
  public func accessPolicies() async throws -> [TableAccessPolicy] {
    try TableAccessPolicy.read(try await service.settings(.get, at: policiesURL))
  }

  /// Replaces all stored access policies of the table (Set Table ACL); they take up to 30 seconds to come into force.
  ///
  /// Throws ``ODataKit/ODataError/Code/invalidArgument`` for more than five policies, and for an id that is empty, longer
  /// than 64 characters or given twice.
  public func setAccessPolicies(_ policies: [TableAccessPolicy]) async throws {
    _ = try await service.settings(.put, at: policiesURL, body: TableAccessPolicy.document(policies))
  }

  private var policiesURL: RequestURL {
    service.root.appending(segment: PercentEncoding.encode(name)).appending(option: "comp=acl")
  }
}

extension ODataService {
  /// Exchanges a document of settings, which is XML in every version of the service, and gives the body of the answer.
  fileprivate func settings(
    _ method: HTTPMethod, at url: RequestURL, body: [UInt8]? = nil
  ) async throws -> [UInt8] {
    let (response, _) = try await exchange { builder in
      var request = builder.get(url)
      request.method = method
      request.headers[.accept] = "application/xml"
      if let body {
        request.headers[.contentType] = "application/xml"
        request.body = .bytes(body)
      }
      return request
    }
    var bytes: [UInt8] = []
    for try await chunk in response.body {
      bytes += chunk
      guard bytes.count <= 1 << 20 else {
        throw ODataError(.payloadTooLarge, "The settings of the service are larger than 1 MiB.")
      }
    }
    return bytes
  }
}

extension RequestURL {
  /// The same account at its secondary location: `-secondary` behind the account's name, which is the first label of the
  /// host, or the first segment of the path where the host is an emulator's.
  fileprivate func secondary() throws(ODataError) -> RequestURL {
    var text: String
    if host.utf8.contains(where: { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }),
      path == "/" || path.isEmpty
    {
      let label = authority.prefix { $0 != "." && $0 != ":" }
      text = "\(scheme)://\(label)-secondary\(authority.dropFirst(label.count))\(path)"
    } else {
      var segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard segments.count > 1, !segments[1].isEmpty else {
        throw ODataError(
          .unsupported, "The endpoint names no account, so it has no secondary location to ask.")
      }
      segments[1] += "-secondary"
      text = "\(scheme)://\(authority)\(segments.joined(separator: "/"))"
    }
    guard let url = RequestURL(text) else {
      throw ODataError(.invalidArgument, "The endpoint has no secondary location to ask.")
    }
    return url
  }
}
