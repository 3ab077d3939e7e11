/// A JSON value held whole, for small documents whose members may come in any order: a declaration of CSDL JSON, an error.
indirect enum JSONTree {
  case object([Member])
  case array([JSONTree])
  case string(String)
  /// As it is spelled.
  case number(String)
  case boolean(Bool)
  case null

  /// A name and its value.
  struct Member {
    let name: String
    let value: JSONTree
  }

  /// The members of an object; none for any other value.
  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The elements of an array; none for any other value.
  var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }

  /// The member of a name.
  subscript(name: StaticString) -> JSONTree? { members.first { $0.name.spells(name) }?.value }

  /// The text of a string.
  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The text of whatever has one: a string, a number, `true` or `false`.
  var lexical: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .object, .array, .null: nil
    }
  }
}

extension JSONTree {
  /// Reads a small document, whole in memory.
  ///
  /// Throws ``ODataError/Code/malformedPayload`` for what is no JSON, and ``ODataError/Code/payloadTooLarge`` beyond a limit.
  init(reading bytes: [UInt8], limits: PayloadLimits) throws(ODataError) {
    var tokenizer = JSONTokenizer(limits: limits)
    var builder = JSONTreeBuilder()
    self = try bytes.withUnsafeBufferPointer { bytes throws(ODataError) in
      var tree: JSONTree?
      while let token = try tokenizer.next(in: bytes, isFinal: true) {
        guard let text = String(validating: tokenizer.text, as: UTF8.self) else {
          throw tokenizer.malformed("a text is not UTF-8")
        }
        tree = builder.take(token, text: text)
      }
      guard let tree, tokenizer.isComplete else { throw tokenizer.malformed("it ends too early") }
      return tree
    }
  }
}

/// Puts JSON values together out of tokens, one at a time.
struct JSONTreeBuilder {
  /// An open object or array. Both kinds in one type, so that what is appended to never has a second owner.
  private struct Frame {
    var isObject: Bool
    var name = ""
    var members: [JSONTree.Member] = []
    var elements: [JSONTree] = []
  }

  private var frames: [Frame] = []

  /// Takes a token; gives the value once it is complete.
  mutating func take(_ token: JSONTokenizer.Token, text: String) -> JSONTree? {
    switch token {
    case .beginObject, .beginArray:
      frames.append(Frame(isObject: token == .beginObject))
      return nil
    case .name:
      frames[frames.count - 1].name = text
      return nil
    case .string: return add(.string(text))
    case .number: return add(.number(text))
    case .boolean(let value): return add(.boolean(value))
    case .null: return add(.null)
    case .endObject, .endArray:
      let frame = frames.removeLast()
      return add(frame.isObject ? .object(frame.members) : .array(frame.elements))
    }
  }

  /// The value as far as it has come, where the input broke off; `nil` where nothing has.
  mutating func close() -> JSONTree? {
    var value: JSONTree?
    while value == nil, let frame = frames.popLast() {
      value = add(frame.isObject ? .object(frame.members) : .array(frame.elements))
    }
    return value
  }

  private mutating func add(_ value: JSONTree) -> JSONTree? {
    guard let last = frames.indices.last else { return value }
    if frames[last].isObject {
      frames[last].members.append(JSONTree.Member(name: frames[last].name, value: value))
    } else {
      frames[last].elements.append(value)
    }
    return nil
  }
}
