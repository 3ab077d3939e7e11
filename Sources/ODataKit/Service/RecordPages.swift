/// The way through the pages of a query, of which two are remembered however long it is: the last one, since a page that
/// leads to itself is the most common mistake and found at once, and one of those before.
///
/// A way that runs in circles is found by Brent's method: the latter is replaced after 1, 2, 4, 8… pages, so that
/// it stands within the circle at last, with more pages to come than the circle has. That is the case after at most three
/// times as many pages as lie in front of the circle and in it.
struct PageTrail {
  private var remembered: RequestURL?
  private var last: RequestURL?
  private var length = 0
  private var limit = 1

  /// Whether the page is one of those remembered, and so was read already.
  func leadsBack(to url: RequestURL) -> Bool { url == last || url == remembered }

  /// Goes on to a page.
  mutating func append(_ url: RequestURL) {
    if length == limit || remembered == nil {
      remembered = url
      limit *= 2
      length = 0
    }
    last = url
    length += 1
  }
}

/// The entities of a query, page after page, read while they arrive. Nothing is sent before the first is asked for,
/// and the next page only once this one is used up.
package final class RecordPages {
  private let service: ODataService
  private let types: PayloadTypes
  private var nextURL: RequestURL?
  private var trail = PageTrail()
  private var page: Page?
  private var ready: ArraySlice<EntityRecord> = []

  private struct Page {
    let url: RequestURL
    let headers: HeaderFields
    let reader: any PayloadReader
    var chunks: HTTPResponseBody.AsyncIterator
  }

  /// Makes the pages of an entity set, from the first one on.
  package init(_ service: ODataService, set: String, url: RequestURL) {
    self.service = service
    types = service.payloadTypes(of: set)
    nextURL = url
  }

  /// The next entity, from this page or a later one.
  package func next() async throws -> EntityRecord? {
    while true {
      if let record = ready.popFirst() { return record }
      if page == nil {
        guard let url = nextURL else { return nil }
        try await open(url)
      }
      try await advance()
    }
  }

  private func open(_ url: RequestURL) async throws {
    // A service that hands out a page it has given before would be followed for ever.
    guard !trail.leadsBack(to: url) else {
      throw ODataError(
        .malformedPayload, "The service's link to the next page leads back to a page that was read already.")
    }
    // Where this throws, nothing was read of the page, and whoever asks again gets it.
    let (response, format) = try await service.exchange { $0.get(url) }
    trail.append(url)
    nextURL = nil
    page = Page(
      url: url, headers: response.headers,
      reader: service.makeReader(for: response, format: format, types: types),
      chunks: response.body.makeAsyncIterator())
  }

  /// What is no list must not pass for one row of a list.
  private static var loneObject: ODataError {
    ODataError(
      .malformedPayload,
      "The service answered a query of a whole set with a single object, which is no list of entities.")
  }

  /// Reads one chunk, or ends the page.
  private func advance() async throws {
    guard var current = page else { return }
    if let chunk = try await current.chunks.next() {
      page = current
      let records = try current.reader.read(chunk)
      guard records.isEmpty || current.reader.isFeed else { throw Self.loneObject }
      ready = records[...]
      return
    }
    page = nil
    let summary = try current.reader.finish()
    guard summary.isFeed else { throw Self.loneObject }
    nextURL = try service.conventions.nextPage(
      after: PageEnd(headers: current.headers, summary: summary), of: current.url)
  }
}
