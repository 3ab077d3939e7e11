/// The entities of a query, page after page, read while they arrive. Nothing is sent before the first is asked for,
/// and the next page only once this one is used up.
package final class RecordPages {
  private let service: ODataService
  private var nextURL: RequestURL?
  private var visited: Set<RequestURL> = []
  private var page: Page?
  private var ready: ArraySlice<EntityRecord> = []
  /// The total of the query, where it was asked for and the first page has been read.
  package private(set) var totalCount: Int64?

  private struct Page {
    let url: RequestURL
    let headers: HeaderFields
    let reader: any PayloadReader
    var chunks: HTTPResponseBody.AsyncIterator
  }

  package init(_ service: ODataService, url: RequestURL) {
    self.service = service
    nextURL = url
  }

  /// Where reading goes on after the current page; `nil` at the end, and before the page has been read to its end.
  package var continuation: RequestURL? { page == nil ? nextURL : nil }

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

  /// All entities of the current page, or of the first when none has been read.
  package func nextPage() async throws -> [EntityRecord] {
    guard let url = nextURL else { return [] }
    var all: [EntityRecord] = []
    try await open(url)
    while page != nil {
      try await advance()
      all += ready
      ready = []
    }
    return all
  }

  private func open(_ url: RequestURL) async throws {
    // A service that hands out a page it has given before would be followed for ever.
    guard visited.insert(url).inserted else {
      throw ODataError(
        .malformedPayload, "The service's link to the next page leads back to a page that was read already.")
    }
    let (response, format) = try await service.exchange { $0.get(url) }
    nextURL = nil
    page = Page(
      url: url, headers: response.headers, reader: service.makeReader(response.headers, format: format),
      chunks: response.body.makeAsyncIterator())
  }

  /// Reads one chunk, or ends the page.
  private func advance() async throws {
    guard var current = page else { return }
    if let chunk = try await current.chunks.next() {
      page = current
      ready = try current.reader.read(chunk)[...]
      return
    }
    let summary = try current.reader.finish()
    totalCount = totalCount ?? summary.count
    nextURL = try service.conventions.nextPage(
      after: PageEnd(headers: current.headers, summary: summary), of: current.url)
    page = nil
  }
}
