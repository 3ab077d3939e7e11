/// A point in time with the offset from UTC it was written with.
public struct EdmDateTimeOffset: Sendable, Hashable {
  /// The instant, as UTC.
  public let instant: EdmDateTime
  /// Minutes east of UTC.
  public let offset: Int16
}
