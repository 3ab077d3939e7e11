internal import CLibXML
internal import Foundation

/// The name of an element or attribute as the parser holds it: zero-ended UTF-8, interned in the parser's dictionary.
///
/// The dictionary lives as long as the parser, and within one parser two equal names are the same pointer. So a name
/// may be kept and compared by address, without making a `String`.
struct XMLName {
  /// The name without its prefix.
  let local: UnsafePointer<UInt8>
  /// The URI of the namespace; `nil` for none. The prefix a document chose for it says nothing.
  let namespace: UnsafePointer<UInt8>?

  /// Whether the local part is `text`, byte for byte.
  func isCalled(_ text: StaticString) -> Bool { xmlStrEqual(local, text.utf8Start) != 0 }

  /// Whether the namespace is `uri`, byte for byte.
  func isIn(_ uri: StaticString) -> Bool {
    namespace.map { xmlStrEqual($0, uri.utf8Start) != 0 } ?? false
  }
}

/// A place in the document, looked up only when an error has to name it. Valid within the call that hands it over.
struct XMLPosition {
  let context: xmlParserCtxtPtr?

  /// The line, counted from 1.
  var line: Int { Int(xmlSAX2GetLineNumber(context)) }

  /// A name that stands in an attribute, as the parser would hold that of an element (see ``XMLName``).
  func interned(_ name: String) -> UnsafePointer<UInt8>? {
    var name = name
    return name.withUTF8 { bytes in
      guard let context, let start = bytes.baseAddress else { return nil }
      return xmlDictLookup(context.pointee.dict, start, CInt(bytes.count))
    }
  }
}

/// The attributes of one start tag; valid only within the call that hands them over.
struct XMLAttributes {
  /// Five pointers for each attribute: local name, prefix, namespace, begin and end of the value.
  private let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  /// The number of attributes, namespace declarations not among them.
  let count: Int

  init(base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) {
    self.base = base
    self.count = base == nil ? 0 : count
  }

  /// How many bytes all values have together.
  var length: Int { (0..<count).reduce(0) { $0 + rawValue($1).count } }

  /// The name of attribute `index`; an attribute without prefix is in no namespace.
  func name(_ index: Int) -> XMLName? {
    guard let base, let local = base[index * 5] else { return nil }
    return XMLName(local: local, namespace: base[index * 5 + 2])
  }

  /// The value of attribute `index` as the parser gives it: the end is where the quote stood, not a zero byte, and an
  /// ampersand stands as `&#38;` (libxml2 leaves that one reference for the tree builder to resolve).
  func rawValue(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let base, let begin = base[index * 5 + 3], let end = base[index * 5 + 4] else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: begin, count: end - begin)
  }

  /// The value of attribute `index` with every reference resolved.
  func string(_ index: Int) -> String {
    let raw = rawValue(index)
    guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var position = 0
    while position < raw.count {
      bytes.append(raw[position])
      let isReference =
        raw[position] == UInt8(ascii: "&") && raw[(position + 1)...].starts(with: "#38;".utf8)
      position += isReference ? 5 : 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The position of the attribute `local` in no namespace.
  func index(of local: StaticString) -> Int? {
    (0..<count).first { name($0).map { $0.namespace == nil && $0.isCalled(local) } ?? false }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes spell `text` exactly.
  func spells(_ text: StaticString) -> Bool {
    equals(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Whether the bytes are the same as others; `elementsEqual` compares them one by one.
  func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let baseAddress, let otherAddress = other.baseAddress else { return true }
    return memcmp(baseAddress, otherAddress, count) == 0
  }
}
