import Foundation
import ODataKit
import Testing

@Suite struct PredicateTests {
  struct Address: Codable, Sendable {
    var city: String
    var zip: String?
  }
  struct Book: Codable, Sendable {
    var title: String, subtitle: String?, rate: Int32, copies: Int, price: Double, discount: Double?
    var isLent: Bool, bought: Date, publisher: Address, printer: Address?, tags: [String]
  }

  private func text(_ predicate: Predicate<Book>, _ dialect: Dialect = .v2) throws -> String {
    try filterExpression(predicate, naming: .unchanged).rendered(for: dialect)
  }

  @Test func translated() throws {
    let city = "東京"
    let date = Date(timeIntervalSince1970: 1_352_516_645)
    let rates: [Int32] = [1, 2]
    #expect(
      try text(#Predicate { $0.title == "x" && $0.rate >= 4 && !$0.isLent })
        == "title eq 'x' and rate ge 4 and not isLent")
    #expect(
      try text(#Predicate { $0.rate < 1 || $0.rate > 2 && $0.copies <= 3 || $0.price != 4 })
        == "rate lt 1 or rate gt 2 and copies le 3L or price ne 4.0")
    #expect(
      try text(#Predicate { $0.publisher.city == city || $0.printer?.city == "x" })
        == "publisher/city eq '東京' or printer/city eq 'x'")
    #expect(
      try text(#Predicate { $0.subtitle == nil || $0.discount! > 2.5 || $0.bought < date })
        == "subtitle eq null or discount gt 2.5 or bought lt datetime'2012-11-10T03:04:05'")
    #expect(
      try text(#Predicate { $0.title.starts(with: "a") || $0.title.contains("b") || $0.title.count > 3 })
        == "startswith(title,'a') or substringof('b',title) or length(title) gt 3L")
    #expect(try text(#Predicate { rates.contains($0.rate) }) == "rate eq 1 or rate eq 2")
    #expect(
      try text(#Predicate { (1...5).contains($0.rate) || (1..<5).contains($0.copies) })
        == "rate ge 1 and rate le 5 or copies ge 1L and copies lt 5L")
    #expect(
      try text(#Predicate { ($0.price + 1) * 2 < $0.discount! }) == "(price add 1.0) mul 2.0 lt discount")
    #expect(try text(#Predicate { $0.price / 4 - 1 > -$0.price }) == "price div 4.0 sub 1.0 gt -price")
    #expect(try text(#Predicate { $0.copies % 3 == -5 }) == "copies mod 3L eq -5L")
    #expect(try text(#Predicate { $0.title.isEmpty }) == "title eq ''")
  }

  @Test func forTables() throws {
    #expect(
      try text(
        #Predicate { $0.subtitle?.starts(with: "abc") == true && $0.isLent && $0.rate == -5 }, .azureTable)
        == "subtitle ge 'abc' and subtitle lt 'abd' and isLent eq true and rate eq -5")
  }

  @Test func whatNoQuerySays() {
    expectError(.unsupported) { try text(#Predicate { ($0.discount ?? 0) < 1 }) }
    expectError(.unsupported) { try text(#Predicate { $0.tags.contains("x") }) }
    expectError(.unsupported) { try text(#Predicate { $0.isLent ? true : $0.rate > 1 }) }
  }
}
