/// Which of the two payload formats a service is spoken to in.
public enum PayloadFormat: String, Sendable, Hashable, CaseIterable {
  /// Atom wherever the service speaks it, JSON elsewhere; a service that answers 415 is spoken to in the other
  /// format from then on.
  case automatic
  /// Atom (`application/atom+xml`).
  case atom
  /// JSON.
  case json
}

/// Bounds on what a reader takes from a service before it refuses the payload.
public struct PayloadLimits: Sendable, Hashable {
  /// Levels of nested elements or containers.
  public var depth = 128
  /// Bytes of one text or one attribute. libxml2 takes at most 10 MB of what it gives in one piece: an attribute, a CDATA
  /// section, a comment.
  public var textLength = 16 << 20
  /// Bytes that are held of one entity with all that is expanded in it, before it can be given out; of an error, too.
  public var entityLength = 64 << 20
  /// Bytes of the whole payload.
  public var totalLength = Int.max
  /// Bytes of one header block of a batch part.
  public var headerLength = 64 << 10

  /// Bytes of the body of one batch part.
  public var partLength = 64 << 20

  /// Makes the default limits: 128 levels, 16 MiB a text, 64 MiB an entity, 64 KiB of headers and 64 MiB of body a part, no limit for the
  /// whole.
  public init() {}
}

/// What a reader knows of a payload once it has seen the end.
package struct PayloadSummary: Sendable, Equatable {
  /// Whether the payload was a feed (a collection), rather than one entry.
  package var isFeed: Bool
  /// The total of the query where it was asked for.
  package var count: Int64?
  /// The link to the next page, as absolute as the payload tells.
  package var nextLink: String?
  /// The link to what will have changed since, as absolute as the payload tells (OData 4).
  package var deltaLink: String?

  package init(
    isFeed: Bool, count: Int64? = nil, nextLink: String? = nil, deltaLink: String? = nil
  ) {
    self.isFeed = isFeed
    self.count = count
    self.nextLink = nextLink
    self.deltaLink = deltaLink
  }
}

/// Reads entities out of a payload that arrives in chunks cut anywhere. One reader for one payload.
package protocol PayloadReader: AnyObject {
  /// Whether what was read so far is a feed; certain as soon as the first entity of one is out.
  var isFeed: Bool { get }
  /// Takes the next bytes; gives the entities that became complete with them, in order.
  func read(_ bytes: [UInt8]) throws -> [EntityRecord]
  /// Says that the body is complete; throws ``ODataError/Code/malformedPayload`` if the payload is not.
  func finish() throws -> PayloadSummary
}
