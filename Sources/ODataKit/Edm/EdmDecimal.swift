/// An `Edm.Decimal` with every digit it was written with.
public struct EdmDecimal: Sendable, Hashable {
  let digits: String
}
