internal import ODataKit

extension EntityTag {
  /// The service's tag is the Timestamp: `W/"datetime'2013-05-30T20%3A57%3A14.07173Z'"`, colons encoded and
  /// trailing zeros cut off.
  init(timestamp: EdmDateTime) {
    self.init(rawValue: "W/\"datetime'\(PercentEncoding.encode(timestamp.description))'\"")
  }
}
