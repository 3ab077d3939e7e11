import Testing

@testable import ODataKit

/// Entities and feeds as a service writes them, with everything that a record holds: their exact text, and that reading
/// it gives an equal record.
struct JSONServiceWriterTests {
  private func entity(
    _ record: EntityRecord, _ annotations: JSONAnnotations,
    _ context: JSONServiceContext = JSONServiceContext()
  ) throws -> String {
    var writer = JSONEntityWriter(annotations: annotations)
    try writer.serviceEntity(record, context: context)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  private func feed(
    _ records: [EntityRecord], _ annotations: JSONAnnotations, _ summary: PayloadSummary,
    _ context: JSONServiceContext = JSONServiceContext()
  ) throws -> String {
    var writer = JSONEntityWriter(annotations: annotations)
    try writer.serviceFeed(records, summary: summary, context: context)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  private static let order = EntityRecord(
    ["N": .int32(2)],
    control: ControlInformation(
      id: "http://h/Orders(2)", entityTag: EntityTag(rawValue: "\"2\""), editLink: "http://h/Orders(2)",
      typeName: "L.Order"))

  /// An entity that has everything.
  private static let book: EntityRecord = {
    var record = EntityRecord(
      [
        "Id": .int64(1), "Name": .string("é"),
        "Home": .complex(
          EntityRecord(["Zip": .int16(5)], control: ControlInformation(typeName: "L.Address"))),
        "Author": .complex(
          EntityRecord(
            ["Name": .string("N")],
            control: ControlInformation(id: "http://h/A(1)", editLink: "http://h/A(1)"))),
        "Orders": .collection(
          EdmCollection([.complex(order)], count: 5, nextLink: "http://h/Books(1)/Orders?$skip=1")),
        "Photo": .stream(
          EdmStream(
            readLink: "http://h/p", editLink: "http://h/q", contentType: "image/png",
            entityTag: EntityTag(rawValue: "\"3\""))),
      ],
      control: ControlInformation(
        id: "http://h/Books(1)", entityTag: EntityTag(rawValue: "W/\"1\""), editLink: "http://h/Books(1)",
        typeName: "L.Book"))
    record.control.media = EdmStream(
      readLink: "http://h/Books(1)/$value", editLink: "http://h/Books(1)/$value", contentType: "text/plain",
      entityTag: EntityTag(rawValue: "\"7\""))
    record.control.links = [
      NavigationLink(
        "Author", navigationLink: "http://h/Books(1)/Author",
        associationLink: "http://h/Books(1)/$links/Author"),
      NavigationLink("Orders", navigationLink: "http://h/Books(1)/Orders"),
      NavigationLink("Shop", navigationLink: "http://h/Books(1)/Shop"),
    ]
    return record
  }()

  @Test("An entity of OData 4 with everything")
  func version4() throws {
    let text = try entity(Self.book, .odata4, JSONServiceContext(url: "http://h/$metadata#Books/$entity"))
    #expect(
      text == ##"""
        {"@odata.context":"http://h/$metadata#Books/$entity","@odata.type":"#L.Book","@odata.id":"http://h/Books(1)",\##
        "@odata.etag":"W/\"1\"","@odata.editLink":"http://h/Books(1)",\##
        "@odata.mediaEditLink":"http://h/Books(1)/$value","@odata.mediaReadLink":"http://h/Books(1)/$value",\##
        "@odata.mediaContentType":"text/plain","@odata.mediaEtag":"\"7\"",\##
        "Id@odata.type":"#Int64","Id":1,"Name":"é","Home":{"@odata.type":"#L.Address","Zip@odata.type":"#Int16","Zip":5},\##
        "Author@odata.associationLink":"http://h/Books(1)/$links/Author",\##
        "Author@odata.navigationLink":"http://h/Books(1)/Author",\##
        "Author":{"@odata.id":"http://h/A(1)","@odata.editLink":"http://h/A(1)","Name":"N"},\##
        "Orders@odata.navigationLink":"http://h/Books(1)/Orders","Orders@odata.count":5,\##
        "Orders@odata.nextLink":"http://h/Books(1)/Orders?$skip=1",\##
        "Orders":[{"@odata.type":"#L.Order","@odata.id":"http://h/Orders(2)","@odata.etag":"\"2\"",\##
        "@odata.editLink":"http://h/Orders(2)","N":2}],\##
        "Photo@odata.mediaEditLink":"http://h/q","Photo@odata.mediaReadLink":"http://h/p",\##
        "Photo@odata.mediaContentType":"image/png","Photo@odata.mediaEtag":"\"3\"",\##
        "Shop@odata.navigationLink":"http://h/Books(1)/Shop"}
        """##)
    #expect(try readEntity(text) == Self.book)
    let short = try entity(Self.book, .odata401)
    #expect(short.hasPrefix(##"{"@type":"#L.Book","@id":"http://h/Books(1)","@etag":"W/\"1\"","##))
    #expect(short.contains(##""Id@type":"Int64","Id":1"##))
    #expect(try readEntity(short) == Self.book)
  }

  @Test("An entity of OData 3 with everything")
  func version3() throws {
    let text = try entity(Self.book, .odata3, JSONServiceContext(url: "http://h/$metadata#Books/@Element"))
    #expect(
      text == ##"""
        {"odata.metadata":"http://h/$metadata#Books/@Element","odata.type":"L.Book","odata.id":"http://h/Books(1)",\##
        "odata.etag":"W/\"1\"","odata.editLink":"http://h/Books(1)",\##
        "odata.mediaEditLink":"http://h/Books(1)/$value","odata.mediaReadLink":"http://h/Books(1)/$value",\##
        "odata.mediaContentType":"text/plain","odata.mediaETag":"\"7\"",\##
        "Id@odata.type":"Edm.Int64","Id":"1","Name":"é",\##
        "Home":{"odata.type":"L.Address","Zip@odata.type":"Edm.Int16","Zip":5},\##
        "Author@odata.associationLinkUrl":"http://h/Books(1)/$links/Author",\##
        "Author@odata.navigationLinkUrl":"http://h/Books(1)/Author",\##
        "Author":{"odata.id":"http://h/A(1)","odata.editLink":"http://h/A(1)","Name":"N"},\##
        "Orders@odata.navigationLinkUrl":"http://h/Books(1)/Orders","Orders@odata.count":"5",\##
        "Orders@odata.nextLink":"http://h/Books(1)/Orders?$skip=1",\##
        "Orders":[{"odata.type":"L.Order","odata.id":"http://h/Orders(2)","odata.etag":"\"2\"",\##
        "odata.editLink":"http://h/Orders(2)","N":2}],\##
        "Photo@odata.mediaEditLink":"http://h/q","Photo@odata.mediaReadLink":"http://h/p",\##
        "Photo@odata.mediaContentType":"image/png","Photo@odata.mediaETag":"\"3\"",\##
        "Shop@odata.navigationLinkUrl":"http://h/Books(1)/Shop"}
        """##)
    #expect(try readEntity(text) == Self.book)
  }

  @Test("An entity of OData 2 with everything")
  func version2() throws {
    let text = try entity(Self.book, .verbose)
    #expect(
      text == ##"""
        {"d":{"__metadata":{"uri":"http://h/Books(1)","etag":"W/\"1\"","type":"L.Book",\##
        "edit_media":"http://h/Books(1)/$value","media_src":"http://h/Books(1)/$value","content_type":"text/plain",\##
        "media_etag":"\"7\"","properties":{"Author":{"associationuri":"http://h/Books(1)/$links/Author"}}},\##
        "Id":"1","Name":"é","Home":{"__metadata":{"type":"L.Address"},"Zip":5},\##
        "Author":{"__metadata":{"uri":"http://h/A(1)"},"Name":"N"},\##
        "Orders":{"results":[{"__metadata":{"uri":"http://h/Orders(2)","etag":"\"2\"","type":"L.Order"},"N":2}],\##
        "__count":"5","__next":"http://h/Books(1)/Orders?$skip=1"},\##
        "Photo":{"__mediaresource":{"edit_media":"http://h/q","media_src":"http://h/p","content_type":"image/png",\##
        "media_etag":"\"3\""}},"Shop":{"__deferred":{"uri":"http://h/Books(1)/Shop"}}}}
        """##)
    // Verbose JSON says nothing of the types of primitive values, and of expanded entities not where they are read.
    var expected = Self.book
    expected.control.links[0].navigationLink = nil
    expected.control.links[1].navigationLink = nil
    let types = PayloadTypes(byName: ["Id": .int64, "Zip": .int16])
    #expect(try readEntity(text, types: types) == expected)
    #expect(
      try entity(Self.book, .verbose, JSONServiceContext(isVersion1: true)).contains(
        #""Orders":[{"__metadata":{"uri":"http://h/Orders(2)""#))
  }

  @Test("The metadata levels leave out what a client can make up, or all of it")
  func levels() throws {
    let url = "http://h/$metadata#Books/$entity"
    #expect(
      try entity(Self.book, .odata4, JSONServiceContext(url: url, metadata: .minimal)) == ##"""
        {"@odata.context":"http://h/$metadata#Books/$entity","@odata.type":"#L.Book","@odata.etag":"W/\"1\"",\##
        "Id@odata.type":"#Int64","Id":1,"Name":"é","Home":{"@odata.type":"#L.Address","Zip@odata.type":"#Int16","Zip":5},\##
        "Author":{"Name":"N"},"Orders@odata.count":5,"Orders@odata.nextLink":"http://h/Books(1)/Orders?$skip=1",\##
        "Orders":[{"@odata.type":"#L.Order","@odata.etag":"\"2\"","N":2}]}
        """##)
    #expect(
      try entity(Self.book, .odata3, JSONServiceContext(url: url, metadata: .none)) == ##"""
        {"Id":"1","Name":"é","Home":{"Zip":5},"Author":{"Name":"N"},"Orders@odata.count":"5",\##
        "Orders@odata.nextLink":"http://h/Books(1)/Orders?$skip=1","Orders":[{"N":2}]}
        """##)
  }

  @Test("Feeds with a count and links")
  func feeds() throws {
    let records = [EntityRecord(["A": .int32(1)]), EntityRecord(["A": .int32(2)])]
    let summary = PayloadSummary(isFeed: true, count: 12, nextLink: "http://h/n")
    let texts: [(JSONAnnotations, JSONServiceContext, String)] = [
      (
        .verbose, JSONServiceContext(),
        #"{"d":{"results":[{"A":1},{"A":2}],"__count":"12","__next":"http://h/n"}}"#
      ),
      (
        .odata3, JSONServiceContext(url: "http://h/$metadata#B"),
        #"{"odata.metadata":"http://h/$metadata#B","odata.count":"12","value":[{"A":1},{"A":2}],"odata.nextLink":"http://h/n"}"#
      ),
      (
        .odata4, JSONServiceContext(url: "http://h/$metadata#B"),
        #"{"@odata.context":"http://h/$metadata#B","@odata.count":12,"value":[{"A":1},{"A":2}],"@odata.nextLink":"http://h/n"}"#
      ),
      (
        .odata401, JSONServiceContext(),
        #"{"@count":12,"value":[{"A":1},{"A":2}],"@nextLink":"http://h/n"}"#
      ),
    ]
    for (annotations, context, text) in texts {
      #expect(try feed(records, annotations, summary, context) == text)
      let again = try readFeed(text)
      #expect(again == (records, summary))
    }
    #expect(try feed([], .verbose, PayloadSummary(isFeed: true)) == #"{"d":{"results":[]}}"#)
    #expect(
      try feed(records, .verbose, PayloadSummary(isFeed: true), JSONServiceContext(isVersion1: true))
        == #"{"d":[{"A":1},{"A":2}]}"#)
    #expect(try feed([], .odata4, PayloadSummary(isFeed: true)) == #"{"value":[]}"#)
  }

  private static let changes: [EntityRecord] = {
    var gone = EntityRecord(control: ControlInformation(id: "http://h/C(1)"))
    gone.control.change = .removed(.changed)
    var added = EntityRecord()
    added.control.change = .addedLink(source: "http://h/C(1)", relationship: "O", target: "http://h/O(1)")
    var deleted = EntityRecord()
    deleted.control.change = .deletedLink(source: "http://h/C(2)", relationship: "O", target: "http://h/O(2)")
    return [EntityRecord(["A": .int32(1)]), gone, added, deleted]
  }()

  @Test("What is gone, and links that came and went")
  func deltas() throws {
    let summary = PayloadSummary(isFeed: true, deltaLink: "http://h/d")
    let context = JSONServiceContext(url: "http://h/$metadata#C/$delta")
    let old = try feed(Self.changes, .odata4, summary, context)
    #expect(
      old == ##"""
        {"@odata.context":"http://h/$metadata#C/$delta","value":[{"A":1},\##
        {"@odata.context":"http://h/$metadata#C/$deletedEntity","id":"http://h/C(1)","reason":"changed"},\##
        {"@odata.context":"http://h/$metadata#C/$link","source":"http://h/C(1)","relationship":"O","target":"http://h/O(1)"},\##
        {"@odata.context":"http://h/$metadata#C/$deletedLink","source":"http://h/C(2)","relationship":"O",\##
        "target":"http://h/O(2)"}],"@odata.deltaLink":"http://h/d"}
        """##)
    let again = try readFeed(old)
    #expect(again == (Self.changes, summary))
    let new = try feed(Self.changes, .odata401, summary, context)
    #expect(new.contains(#"{"@removed":{"reason":"changed"},"@id":"http://h/C(1)"}"#))
    let newAgain = try readFeed(new)
    #expect(newAgain == (Self.changes, summary))
    for annotations in [JSONAnnotations.verbose, .odata3] {
      let error = #expect(throws: ODataError.self) { _ = try feed(Self.changes, annotations, summary) }
      #expect(
        error?.message
          == "What is gone since a feed was read cannot be told in the JSON of OData 1 to 3; OData 4 can.")
    }
  }

  @Test("Entities with links that are seen from the context URL have it again")
  func bases() throws {
    let text =
      #"{"@odata.context":"http://h/$metadata#C","value":[{"@odata.id":"C(1)","@odata.editLink":"C(1)","A":1},{"@odata.context":"http://g/$metadata#C/$entity","@odata.id":"C(2)","A":2}]}"#
    let (records, summary) = try readFeed(text)
    #expect(try feed(records, .odata4, summary) == text)
  }

  // MARK: Documents of values and references

  @Test("Documents of one value, in requests and answers")
  func values() throws {
    func text(
      _ value: EdmValue, _ annotations: JSONAnnotations, name: String = "value", isAnswer: Bool = false,
      contextURL: String? = nil
    ) throws -> String {
      var writer = JSONEntityWriter(annotations: annotations)
      try writer.valueDocument(value, name: name, isAnswer: isAnswer, contextURL: contextURL)
      let bytes = writer.take()
      if isAnswer { #expect(try JSONValueDocument.read(bytes) == value) }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try text(.string("x"), .verbose, name: "Name") == #"{"Name":"x"}"#)
    #expect(try text(.string("x"), .verbose, name: "Name", isAnswer: true) == #"{"d":{"Name":"x"}}"#)
    #expect(try text(.int32(5), .odata3) == #"{"value":5}"#)
    #expect(
      try text(.int64(5), .odata3, isAnswer: true, contextURL: "http://h/$metadata#Edm.Int64")
        == #"{"odata.metadata":"http://h/$metadata#Edm.Int64","value@odata.type":"Edm.Int64","value":"5"}"#)
    #expect(try text(.null, .odata3, isAnswer: true) == #"{"odata.null":true}"#)
    #expect(try text(.null, .odata4) == #"{"value":null}"#)
    #expect(
      try text(
        .collection(EdmCollection(elementType: .string, [.string("a")])), .odata4, isAnswer: true,
        contextURL: "http://h/$metadata#Collection(Edm.String)") == ##"""
          {"@odata.context":"http://h/$metadata#Collection(Edm.String)","value@odata.type":"#Collection(String)",\##
          "value":["a"]}
          """##)
    let home = EdmValue.complex(
      EntityRecord(["Zip": .int32(5)], control: ControlInformation(typeName: "L.Address")))
    #expect(try text(home, .odata4, isAnswer: true) == ##"{"@odata.type":"#L.Address","Zip":5}"##)
    #expect(try text(home, .odata3) == #"{"odata.type":"L.Address","Zip":5}"#)
    #expect(
      try text(home, .verbose, name: "Home", isAnswer: true)
        == #"{"d":{"Home":{"__metadata":{"type":"L.Address"},"Zip":5}}}"#)
  }

  @Test("References to entities, one and several")
  func references() throws {
    func text(
      _ references: [String], _ annotations: JSONAnnotations, isList: Bool, contextURL: String? = nil
    ) throws -> String {
      let list = #"{"d":{"results":[]}}"#
      var document = try EntityReferenceDocument(json: Array(list.utf8))
      document.references = references
      if isList { (document.count, document.nextLink) = (3, "http://h/n") }
      var writer = JSONEntityWriter(annotations: annotations)
      try writer.referenceDocument(document, isList: isList, contextURL: contextURL)
      let bytes = writer.take()
      #expect(try EntityReferenceDocument(json: bytes) == document)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try text(["http://h/C(1)"], .verbose, isList: false) == #"{"d":{"uri":"http://h/C(1)"}}"#)
    #expect(
      try text(["http://h/C(1)", "http://h/C(2)"], .verbose, isList: true)
        == #"{"d":{"results":[{"uri":"http://h/C(1)"},{"uri":"http://h/C(2)"}],"__count":"3","__next":"http://h/n"}}"#
    )
    #expect(
      try text(["http://h/C(1)"], .odata3, isList: true, contextURL: "http://h/$metadata#C/$links/O")
        == #"{"odata.metadata":"http://h/$metadata#C/$links/O","odata.count":"3","value":[{"url":"http://h/C(1)"}],"odata.nextLink":"http://h/n"}"#
    )
    #expect(
      try text(["http://h/C(1)"], .odata4, isList: false, contextURL: "http://h/$metadata#$ref")
        == #"{"@odata.context":"http://h/$metadata#$ref","@odata.id":"http://h/C(1)"}"#)
    #expect(
      try text(["http://h/C(1)"], .odata401, isList: true)
        == #"{"@count":3,"value":[{"@id":"http://h/C(1)"}],"@nextLink":"http://h/n"}"#)
  }
}
