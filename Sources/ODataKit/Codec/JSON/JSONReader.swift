/// Reads entities out of JSON while it arrives: JSON light of OData 3 at all metadata levels, as Azure's tables send it,
/// JSON of OData 4 and 4.01, and the verbose JSON of OData 1 and 2.
///
/// What an annotation says of a value counts, whether it stands in front of it or behind it; then what the metadata says,
/// if the value allows; then the spelling: numbers without a point are `Edm.Int32`, or `Edm.Int64` where they do not fit,
/// numbers with one `Edm.Double`. A property that occurs twice is an error, since two readers might choose differently.
///
/// An object in an entity is a complex value, an array a collection; both may turn out to be related entities, by what
/// they say of themselves, by the context URL or by the metadata, and then one of ``ControlInformation/links`` has the
/// name of the property. In the answer to a delta link, what is no entity is a record with a
/// ``ControlInformation/change``.
///
/// An error that the service puts into the answer after it has begun is thrown as
/// ``ODataError/Code/service``; what is broken or cut short as ``ODataError/Code/malformedPayload``.
package final class JSONReader: PayloadReader {
  private let limits: PayloadLimits
  private var machine: Machine
  private var buffer: [UInt8] = []
  private var totalLength = 0
  private var failure: ODataError?

  /// Makes a reader; `types` tells what the payload leaves open.
  package init(limits: PayloadLimits = PayloadLimits(), types: PayloadTypes = PayloadTypes()) {
    self.limits = limits
    machine = Machine(
      tokenizer: JSONTokenizer(limits: limits), assembler: JSONEntityAssembler(types: types, limits: limits))
  }

  package var isFeed: Bool { machine.assembler.summary.isFeed }

  package func read(_ bytes: [UInt8]) throws -> [EntityRecord] {
    if let failure { throw failure }
    totalLength += bytes.count
    guard totalLength <= limits.totalLength else {
      let error = ODataError(
        .payloadTooLarge, "The JSON payload is larger than the limit of \(limits.totalLength) bytes.")
      failure = error
      throw error
    }
    if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
    try advance(isFinal: false)
    return machine.assembler.takeRecords()
  }

  package func finish() throws -> PayloadSummary {
    try advance(isFinal: true)
    guard machine.tokenizer.isComplete else { throw machine.tokenizer.malformed("it ends too early") }
    return machine.assembler.summary
  }

  private func advance(isFinal: Bool) throws(ODataError) {
    if let failure { throw failure }
    do throws(ODataError) {
      try buffer.withUnsafeBufferPointer { bytes throws(ODataError) in
        try machine.advance(over: bytes, isFinal: isFinal)
      }
    } catch {
      failure = error
      throw error
    }
    let consumed = machine.tokenizer.position
    buffer.removeFirst(consumed)
    machine.tokenizer.drop(consumed)
  }
}

extension JSONReader {
  /// Both halves in one value, so that a chunk of thousands of tokens asks the object for access once.
  private struct Machine {
    var tokenizer: JSONTokenizer
    var assembler: JSONEntityAssembler

    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) throws(ODataError) {
      while true {
        assembler.takeRows(in: bytes, from: &tokenizer)
        guard let token = try tokenizer.next(in: bytes, isFinal: isFinal) else { return }
        try assembler.take(token, from: tokenizer)
      }
    }
  }
}
