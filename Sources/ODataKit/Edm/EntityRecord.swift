/// The names of a row's properties, in order; shared by all rows of a feed that have the same ones.
///
/// Rows hold values only, so a feed of a thousand rows holds its names once. Look-up is a walk over the names:
/// entities have a dozen properties, and a walk over a dozen short strings beats hashing one.
public final class RecordShape: Sendable, Hashable {
  /// The property names in order, each once.
  public let names: [String]

  /// Makes a shape; the names must differ from each other.
  public init(names: [String]) { self.names = names }

  static let empty = RecordShape(names: [])

  /// The position of `name`, compared by code units.
  public func index(of name: String) -> Int? {
    names.firstIndex { $0.utf8.elementsEqual(name.utf8) }
  }

  /// Same names in the same order.
  public static func == (a: RecordShape, b: RecordShape) -> Bool {
    a === b || a.names.elementsEqual(b.names) { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Hashes the names.
  public func hash(into hasher: inout Hasher) { hasher.combine(names) }
}

/// An entity as both formats, both sides and both kinds of model see it: properties in order, each with an exact
/// value, and the control information beside them.
public struct EntityRecord: Sendable, Hashable {
  /// What the service says about the entity, apart from its properties.
  public var control: ControlInformation
  /// The names, shared with other rows where possible.
  public private(set) var shape: RecordShape
  /// The values, one for each name of the shape.
  public private(set) var values: [EdmValue]

  /// Makes an entity without properties.
  public init(control: ControlInformation = ControlInformation()) {
    self.control = control
    shape = .empty
    values = []
  }

  /// Makes a row of a shared shape; `values` has one value for each of its names.
  public init(shape: RecordShape, values: [EdmValue], control: ControlInformation = ControlInformation()) {
    precondition(shape.names.count == values.count, "A record needs one value for each name of its shape.")
    self.control = control
    self.shape = shape
    self.values = values
  }

  /// Makes an entity of pairs in order; a later value of the same name replaces the earlier.
  public init(
    _ properties: KeyValuePairs<String, EdmValue>, control: ControlInformation = ControlInformation()
  ) {
    self.init(control: control)
    for (name, value) in properties { self[name] = value }
  }

  /// The number of properties.
  public var count: Int { values.count }

  /// The value of a property, or `nil` where the entity does not have it. Setting adds or replaces; setting `nil`
  /// removes the property, whereas setting ``EdmValue/null`` keeps it with a null.
  public subscript(name: String) -> EdmValue? {
    get { shape.index(of: name).map { values[$0] } }
    set {
      switch (shape.index(of: name), newValue) {
      case (let index?, let value?): values[index] = value
      case (let index?, nil):
        var names = shape.names
        names.remove(at: index)
        values.remove(at: index)
        shape = RecordShape(names: names)
      case (nil, let value?):
        shape = RecordShape(names: shape.names + [name])
        values.append(value)
      case (nil, nil): break
      }
    }
  }

  /// Names and values in order.
  public var properties: Zip2Sequence<[String], [EdmValue]> { zip(shape.names, values) }
}
