/// Guesses that the next row of a feed looks like the one before it, and gives up where that is seldom true.
struct RowPrediction<Template> {
  private(set) var template: Template?
  private var hits = 0
  private var misses = 0

  /// Whether a template is worth to be made of a row that was read the long way.
  var wantsTemplate: Bool { misses < 8 + hits / 4 }

  /// Takes what was learnt from a row; `nil` for one that no template can be made of.
  mutating func learn(_ template: Template?) {
    self.template = template
    if misses < .max { misses += 1 }
  }

  /// Says that a row looked like the template.
  mutating func hit() { hits += 1 }

  /// Says that a row did not, or was not all there.
  mutating func miss() { if !wantsTemplate { template = nil } }

  /// Gives up for good.
  mutating func giveUp() {
    template = nil
    misses = .max
  }
}
