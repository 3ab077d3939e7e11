/// Which characters make a name: of a property, a type, a variable in a filter.
///
/// Those of OData's identifiers (OData 4 ABNF, rule `odataIdentifier`) and of C#'s, which Azure tables go by.
extension Unicode.Scalar {
  /// Whether a name may begin with it: a letter or `_`.
  package var startsIdentifier: Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0x5F: return true
    case ..<0x80: return false
    default:
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
        return true
      default: return false
      }
    }
  }

  /// Whether a name may go on with it: what it may begin with, digits, marks, connectors and format characters.
  package var continuesIdentifier: Bool {
    if startsIdentifier { return true }
    switch value {
    case 0x30...0x39: return true
    case ..<0x80: return false
    default:
      switch properties.generalCategory {
      case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation, .format: return true
      default: return false
      }
    }
  }
}
