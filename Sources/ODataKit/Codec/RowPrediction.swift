/// Guesses that the next row of a feed looks like the one before it, and gives up where that is seldom true.
struct RowPrediction<Template> {
  private(set) var template: Template?
  private var hits = 0
  private var misses = 0
  /// Whether a row has looked like the template since it was learnt, or since one did not.
  private var isProven = false

  /// Whether a template is worth to be made of a row that was read the long way.
  var wantsTemplate: Bool { misses < 8 + hits / 4 }

  /// Takes what was learnt from a row; `nil` for one that no template can be made of.
  mutating func learn(_ template: Template?) {
    self.template = template
    isProven = false
    if misses < .max { misses += 1 }
  }

  /// Says that a row looked like the template.
  mutating func hit() {
    hits += 1
    isProven = true
  }

  /// Whether the template is kept, though a row was read the long way: where that row has the same shape, it was most likely
  /// cut in two, and only the second of two such rows makes the template doubtful.
  mutating func keepsTemplate(hasSameShape: Bool) -> Bool {
    defer { isProven = false }
    return isProven && hasSameShape
  }

  /// Says that a row did not, or was not all there.
  mutating func miss() { if !wantsTemplate { template = nil } }

  /// Gives up for good.
  mutating func giveUp() {
    template = nil
    misses = .max
  }
}
