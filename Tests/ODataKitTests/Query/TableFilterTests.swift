import ODataKit
import Testing

@Suite struct TableFilterTests {
  @Test(arguments: [
    ("(A eq 1 or B eq 2) and C eq 3", "(A eq 1 or B eq 2) and C eq 3"),
    ("A eq 1 or (B eq 2 and C eq 3)", "A eq 1 or B eq 2 and C eq 3"),
    ("not (A eq 1 and B eq 2)", "not (A eq 1 and B eq 2)"),
    ("Enabled", "Enabled eq true"),
    ("not Enabled", "not (Enabled eq true)"),
    ("not (Enabled and A eq 1) or Enabled", "not (Enabled eq true and A eq 1) or Enabled eq true"),
    ("true and X eq 1", "true and X eq 1"),
    ("'v' eq PartitionKey", "'v' eq PartitionKey"),
    ("startswith(A,'abc')", "A ge 'abc' and A lt 'abd'"),
    ("not startswith(A,'abc')", "not (A ge 'abc' and A lt 'abd')"),
    ("B and startswith(A,'a''&')", "B eq true and (A ge 'a''&' and A lt 'a''''')"),
    ("startswith(A,'')", "A ge ''"),
    ("startswith(A,'夏')", "A ge '夏' and A lt '夐'"),
    ("startswith(A,'🦊')", "A ge '🦊' and A lt '🦋'"),
    ("startswith(A,'x\u{D7FF}')", "A ge 'x\u{D7FF}' and A lt 'x\u{10000}'"),
    ("startswith(A,'x\u{10FFFF}')", "A ge 'x\u{10FFFF}' and A lt 'x\u{E000}'"),
    ("startswith(A,'x\u{FFFF}')", "A ge 'x\u{FFFF}' and A lt 'y'"),
    ("startswith(A,'\u{FFFF}')", "A ge '\u{FFFF}'"),
    ("A eq 2.5f and B eq 5 and C eq 5L", "A eq 2.5 and B eq 5 and C eq 5L"),
    ("A eq datetimeoffset'2012-11-10T03:04:05+02:00'", "A eq datetime'2012-11-10T01:04:05Z'"),
    ("A eq X'0001A0FF'", "A eq X'0001A0FF'"),
    ("A eq datetime'2014-09-02T21:09:14.8848547Z'", "A eq datetime'2014-09-02T21:09:14.8848547Z'"),
    ("A eq 5.0 or A eq NaN or A eq -INF", "A eq 5.0 or A eq NaN or A eq -INF"),
  ])
  func sent(text: String, expected: String) throws {
    #expect(try FilterParser.parse(text, dialect: .azureTable).rendered(for: .azureTable) == expected)
  }

  @Test(arguments: [
    (
      "contains(A,'b')",
      "The function 'contains' cannot be sent to the table service, which has no functions."
    ),
    ("length(A) eq 3", "The function 'length' cannot be sent to the table service, which has no functions."),
    (
      "A add 1 eq 2",
      "The operator 'add' cannot be part of a comparison in the table service, which has comparisons of a property "
        + "with a constant, 'and', 'or' and 'not'."
    ),
    (
      "-A eq 2",
      "The operator '-' cannot be part of a comparison in the table service, which has comparisons of a property with "
        + "a constant, 'and', 'or' and 'not'."
    ),
    (
      "A mul B",
      "The operator 'mul' cannot be sent to the table service, which has comparisons of a property with a constant, "
        + "'and', 'or' and 'not'."
    ),
    (
      "A eq B",
      "The operator 'eq' stands between two properties; the table service compares a property with a constant."
    ),
    (
      "1 lt 2",
      "The operator 'lt' stands between two constants; the table service compares a property with a constant."
    ),
    ("5", "A constant that is not true or false stands alone as a condition."),
    ("A/B eq 1", "The path 'A/B' leads into a property; table properties are flat."),
    (
      "A ne null",
      "The filter compares with null, which the table service refuses; it stores no nulls, and a comparison with a "
        + "property that an entity does not have is false."
    ),
    ("A eq 1.5M", "The filter has a constant of the type Edm.Decimal, which tables do not have."),
    ("A eq time'PT1H'", "The filter has a constant of the type Edm.Duration, which tables do not have."),
    (
      "startswith(A,B)",
      "The function 'startswith' can be sent to the table service only for a property and a constant string."
    ),
  ])
  func refused(text: String, expected: String) throws {
    let tree = try FilterParser.parse(text, dialect: .azureTable)
    #expect(message { try tree.rendered(for: .azureTable) } == expected)
  }

  @Test func lambdaIsRefused() throws {
    let tree = try FilterParser.parse("I/any(i:i eq 1)", dialect: .v4)
    #expect { try tree.rendered(for: .azureTable) } throws: { ODataError.Code.unsupported ~= $0 }
  }

  @Test func comparisonsAreCounted() throws {
    let fifteen = (1...15).map { "A ne \($0)" }.joined(separator: " and ")
    #expect(try FilterParser.parse(fifteen, dialect: .azureTable).rendered(for: .azureTable) == fifteen)
    for extra in [" and B", " and A ne 16"] {
      let tree = try FilterParser.parse(fifteen + extra, dialect: .azureTable)
      #expect(
        message { try tree.rendered(for: .azureTable) }
          == "The filter has more than 15 comparisons, the limit of the table service; split it over several queries."
      )
    }
    // A prefix counts as the two comparisons it becomes.
    let prefixes = (1...8).map { "startswith(A,'\($0)')" }.joined(separator: " or ")
    let tree = try FilterParser.parse(prefixes, dialect: .azureTable)
    #expect { try tree.rendered(for: .azureTable) } throws: { ODataError.Code.invalidQuery ~= $0 }
  }

  /// The range of a prefix takes exactly the strings with the prefix, whatever lies around its ends.
  @Test func prefixRangeIsExact() throws {
    let edges: [Unicode.Scalar] = [
      "\u{0}", "&", "'", "a", "b", "z", "\u{7F}", "\u{D7FE}", "\u{D7FF}", "\u{E000}", "\u{FFFE}", "\u{FFFF}",
      "\u{10000}", "\u{103FF}", "\u{10400}", "\u{1F98A}", "\u{10FFFE}", "\u{10FFFF}",
    ]
    var texts = [""]
    for a in edges {
      texts.append(String(a))
      for b in edges { texts.append(String(a) + String(b)) }
    }
    let units = texts.map { Array($0.utf16) }
    for (prefix, prefixUnits) in zip(texts, units) {
      let successor = KeyOrder.successor(ofPrefix: prefix)
      for (text, textUnits) in zip(texts, units) {
        let isInRange =
          KeyOrder.compare(text, prefix) >= 0 && successor.map { KeyOrder.compare(text, $0) < 0 } ?? true
        let order = textUnits.lexicographicallyPrecedes(prefixUnits) ? -1 : textUnits == prefixUnits ? 0 : 1
        guard isInRange == textUnits.starts(with: prefixUnits),
          KeyOrder.compare(text, prefix).signum() == order
        else {
          Issue.record("\(prefixUnits) \(textUnits)")
          return
        }
      }
    }
  }
}
