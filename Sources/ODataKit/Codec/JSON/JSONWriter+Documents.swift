// Documents that hold one value, and references to entities.
extension JSONEntityWriter {
  /// Writes a document that holds one value: a property that a client sets, or what a service answers with for it or for
  /// a function (OData 4 JSON Format § 11; OData 3 JSON Format § 6; MS-ODATA § 2.2.6.3.8).
  ///
  /// `name` is the property's: verbose JSON puts the value into an object with that name, and an answer around it into
  /// `d`. An answer that is null has no document in OData 4; a service sends 204 there.
  package mutating func valueDocument(
    _ value: EdmValue, name: String = "value", isAnswer: Bool = false, contextURL: String? = nil
  ) throws(ODataError) {
    answering = JSONServiceContext(url: contextURL)
    self.isAnswer = isAnswer
    try whole { writer throws(ODataError) in
      if writer.annotations == .verbose {
        if isAnswer { writer.buffer.append("{\"d\":") }
        writer.buffer.append(UInt8(ascii: "{"))
        try writer.only(value, named: name)
        writer.buffer.append(UInt8(ascii: "}"))
        if isAnswer { writer.buffer.append(UInt8(ascii: "}")) }
        return
      }
      let isV3 = writer.annotations == .odata3
      if case .complex(let record) = value {
        // The members of a complex value stand in the document itself.
        if isAnswer {
          try writer.serviceObject(record, base: contextURL, context: contextURL)
        } else {
          try writer.requestObject(record, writesNulls: true, includesType: true, type: nil)
        }
        return
      }
      writer.buffer.append(UInt8(ascii: "{"))
      if let contextURL { writer.control(isV3 ? "metadata" : "context", contextURL) }
      if isV3, isAnswer, value.isNull {
        // OData 3 JSON Format § 6.1.
        writer.control("null")
        writer.buffer.append("true")
      } else {
        try writer.only(value, named: "value")
      }
      writer.buffer.append(UInt8(ascii: "}"))
    }
    self.isAnswer = false
  }

  /// Writes a reference to an entity, as the body of a request: `{"@odata.id":…}` (OData 4 JSON Format § 13),
  /// `{"url":…}` (OData 3 JSON Format § 11), `{"uri":…}` (MS-ODATA § 2.2.6.3.14).
  package mutating func reference(to target: String) {
    buffer.append(UInt8(ascii: "{"))
    referenceMember(target)
    buffer.append(UInt8(ascii: "}"))
  }

  /// Writes references to entities as a service answers with them: one, or a list of them with what it says beside it.
  package mutating func referenceDocument(
    _ document: EntityReferenceDocument, isList: Bool, contextURL: String? = nil
  ) throws(ODataError) {
    answering = JSONServiceContext(url: contextURL)
    let isVerbose = annotations == .verbose
    buffer.append(UInt8(ascii: "{"))
    if isVerbose {
      buffer.append("\"d\":{")
    } else if let contextURL {
      control(annotations == .odata3 ? "metadata" : "context", contextURL)
    }
    guard isList else {
      if let only = document.references.first { referenceMember(only) }
      return buffer.append(isVerbose ? "}}" : "}")
    }
    if !isVerbose, let count = document.count {
      control("count")
      self.count(count)
    }
    member(isVerbose ? "results" : "value")
    buffer.append(UInt8(ascii: "["))
    for target in document.references {
      separate()
      reference(to: target)
    }
    buffer.append(UInt8(ascii: "]"))
    if isVerbose, let count = document.count {
      member("__count")
      self.count(count)
    }
    if let link = document.nextLink {
      if isVerbose { member("__next", link) } else { control("nextLink", link) }
    }
    buffer.append(isVerbose ? "}}" : "}")
  }

  /// Writes a property that has no others beside it.
  private mutating func only(_ value: EdmValue, named name: String) throws(ODataError) {
    let shape = try JSONShape(RecordShape(names: [name]), annotations, isASCII: isASCII)
    defer { withExtendedLifetime(shape) {} }
    try property(value, JSONShape.Name(shape: shape, index: 0), known: nil)
  }

  private mutating func referenceMember(_ target: String) {
    switch annotations {
    case .verbose: member("uri", target)
    case .odata3: member("url", target)
    case .odata4, .odata401: control("id", target)
    }
  }
}
