import ODataKit
import Testing

/// What an entry and a feed say in links, and what is expanded in them.
struct AtomLinkTests {
  static let namespaces = """
    xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    """
  static let related = "http://schemas.microsoft.com/ado/2007/08/dataservices/related"

  private func entry(_ children: String, base: String = "") throws -> EntityRecord {
    let records = try readAtom("<entry \(Self.namespaces)\(base)>\(children)</entry>").records
    return try #require(records.first)
  }

  @Test func linksOfNavigationProperties() throws {
    let record = try entry(
      """
      <link rel="\(Self.related)/Orders" type="application/atom+xml;type=feed" title="Orders" href="Customers(1)/Orders"/>
      <link rel="\(Self.related)links/Orders" type="application/xml" title="Orders" href="Customers(1)/$links/Orders"/>
      <link rel="\(Self.related)/Best%20Friend" href="a&amp;b"></link><link rel="\(Self.related)/"/>
      <link rel="alternate" href="x"/><link href="y"/>
      """)
    #expect(
      record.control.links == [
        NavigationLink(
          "Orders", navigationLink: "Customers(1)/Orders", associationLink: "Customers(1)/$links/Orders"),
        NavigationLink("Best%20Friend", navigationLink: "a&b"), NavigationLink(""),
      ])
    #expect(record.count == 0)
  }

  @Test func linksOfVersion4() throws {
    let record = try #require(
      try readAtom(
        """
        <entry xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://docs.oasis-open.org/odata/ns/metadata">
        <link rel="http://docs.oasis-open.org/odata/ns/related/Items" type="application/atom+xml;type=feed" href="O(1)/Items">
        <m:inline><feed><m:ref id="Items(7)"/></feed></m:inline></link>
        <link rel="http://docs.oasis-open.org/odata/ns/relatedlinks/Items" href="O(1)/Items/$ref"/>
        <link rel="http://docs.oasis-open.org/odata/ns/mediaresource/Photo" type="image/png" href="O(1)/Photo"/>
        <link rel="http://docs.oasis-open.org/odata/ns/edit-media/Photo" m:etag="&quot;p&quot;" href="O(1)/Photo/edit"/>
        </entry>
        """
      ).records.first)
    #expect(
      record.control.links == [
        NavigationLink("Items", navigationLink: "O(1)/Items", associationLink: "O(1)/Items/$ref")
      ])
    #expect(
      record["Items"]
        == .collection(EdmCollection([.complex(EntityRecord(control: ControlInformation(id: "Items(7)")))])))
    #expect(
      record["Photo"]
        == .stream(
          EdmStream(
            readLink: "O(1)/Photo", editLink: "O(1)/Photo/edit", contentType: "image/png",
            entityTag: EntityTag(rawValue: "\"p\""))))
  }

  @Test func anEntryIsExpandedWithAllItHas() throws {
    let record = try entry(
      """
      <id>outer</id><link rel="\(Self.related)/Room" type="application/atom+xml;type=entry" href="Room">
        <m:inline><entry m:etag="W/&quot;i&quot;"><id>inner</id><link rel="edit" href="Rooms(1)"/>
        <category term="M.Room" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>
        <link rel="\(Self.related)/Building" type="application/atom+xml;type=entry"><m:inline>
          <entry><id>innermost</id><content><m:properties><d:Name>B</d:Name></m:properties></content></entry>
        </m:inline></link>
        <content type="application/xml"><m:properties><d:Name>R</d:Name></m:properties></content></entry></m:inline></link>
      <content type="application/xml"><m:properties><d:Name>O</d:Name></m:properties></content>
      """)
    let building = EntityRecord(["Name": .string("B")], control: ControlInformation(id: "innermost"))
    var room = EntityRecord(
      ["Building": .complex(building), "Name": .string("R")],
      control: ControlInformation(
        id: "inner", entityTag: EntityTag(rawValue: "W/\"i\""), editLink: "Rooms(1)", typeName: "M.Room"))
    room.control.links = [NavigationLink("Building")]
    var expected = EntityRecord(
      ["Room": .complex(room), "Name": .string("O")], control: ControlInformation(id: "outer"))
    expected.control.links = [NavigationLink("Room", navigationLink: "Room")]
    #expect(record == expected)
  }

  @Test func whatIsExpandedMayBeNothing() throws {
    let record = try entry(
      """
      <link rel="\(Self.related)/A" type="application/atom+xml;type=entry"><m:inline/></link>
      <link rel="\(Self.related)/B" type='application/atom+xml; type="feed"'><m:inline> </m:inline></link>
      <link rel="\(Self.related)/C" type="application/atom+xml;type=feed"><m:inline><feed><m:count>0</m:count></feed></m:inline></link>
      <link rel="\(Self.related)/D" type="application/atom+xml;type=entry"></link>
      """)
    #expect(record.shape.names == ["A", "B", "C"])
    #expect(record.values == [.null, .collection(EdmCollection()), .collection(EdmCollection([], count: 0))])
    #expect(record.control.links.map(\.name) == ["A", "B", "C", "D"])
  }

  @Test func feedsThatAreExpandedHaveCountAndNextPageOfTheirOwn() throws {
    let (records, summary) = try readAtom(
      """
      <feed \(Self.namespaces)><m:count>1</m:count><entry>
      <link rel="\(Self.related)/Items" type="application/atom+xml;type=feed"><m:inline><feed><m:count>9</m:count>
      <entry><id>i1</id></entry><entry><id>i2</id></entry><link rel="next" href="Items?$skiptoken=2"/></feed></m:inline></link>
      <content><m:properties><d:N>1</d:N></m:properties></content></entry><link rel="next" href="outer"/></feed>
      """)
    #expect(summary == PayloadSummary(isFeed: true, count: 1, nextLink: "outer"))
    let items = ["i1", "i2"].map { EdmValue.complex(EntityRecord(control: ControlInformation(id: $0))) }
    #expect(
      records.map { $0["Items"] } == [
        .collection(EdmCollection(items, count: 9, nextLink: "Items?$skiptoken=2"))
      ])
    #expect(records[0]["N"] == .int32(1) || records[0]["N"] == .string("1"))
  }

  @Test func aReaderKnowsAFeedWhileAnEntryIsExpanded() throws {
    let reader = AtomReader()
    let start = """
      <feed \(Self.namespaces)><entry/><entry><link rel="\(Self.related)/A"><m:inline><entry><id>1</id>
      """
    #expect(try reader.read(Array(start.utf8)).count == 1)
    #expect(reader.isFeed)
    let single = AtomReader()
    let document = """
      <entry \(Self.namespaces)><link rel="\(Self.related)/A"><m:inline><feed><entry/>
      """
    #expect(try single.read(Array(document.utf8)).isEmpty)
    #expect(!single.isFeed)
  }

  @Test func mediaEntities() throws {
    let record = try entry(
      """
      <link rel="edit" href="Photos(1)"/><link rel="self" href="Photos(1)/read"/>
      <link rel="edit-media" m:etag="&quot;m&quot;" href="Photos(1)/$value"/>
      <content type="image/jpeg" src="http://cdn.example/1.jpg"/><m:properties><d:Name>sea</d:Name></m:properties>
      """)
    var control = ControlInformation(editLink: "Photos(1)")
    control.readLink = "Photos(1)/read"
    control.media = EdmStream(
      readLink: "http://cdn.example/1.jpg", editLink: "Photos(1)/$value", contentType: "image/jpeg",
      entityTag: EntityTag(rawValue: "\"m\""))
    #expect(record == EntityRecord(["Name": .string("sea")], control: control))
  }

  @Test func aSelfLinkThatIsTheEditLinkTellsNothing() throws {
    #expect(
      try entry("<link rel=\"self\" href=\"A\"/><link rel=\"edit\" href=\"A\"/>").control.readLink == nil)
    #expect(try entry("<link rel=\"self\" href=\"A\"/>").control.readLink == "A")
    let long = "http://www.iana.org/assignments/relation/"
    #expect(try entry("<link rel=\"\(long)edit\" href=\"A\"/>").control.editLink == "A")
  }

  @Test func aNavigationPropertyThatStandsInTheContentTooIsTwice() throws {
    let error = #expect(throws: ODataError.self) {
      _ = try entry(
        """
        <link rel="\(Self.related)/A"><m:inline/></link><content><m:properties><d:A>1</d:A></m:properties></content>
        """)
    }
    #expect(error?.message == "An entity has the property 'A' twice (line 1).")
  }

  // MARK: Changes

  @Test func theAnswerToADeltaLink() throws {
    let (records, summary) = try readAtom(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://docs.oasis-open.org/odata/ns/metadata" \
      xmlns:d="http://docs.oasis-open.org/odata/ns/data" xmlns:at="http://purl.org/atompub/tombstones/1.0" \
      xml:base="http://host/svc/">
      <m:count>5</m:count>
      <entry><id>http://host/svc/Customers('A')</id><content><m:properties><d:Name>A</d:Name></m:properties></content></entry>
      <at:deleted-entry ref="http://host/svc/Customers('B')" when="2024-05-06T07:08:09Z"/>
      <at:deleted-entry ref="Customers('C')" m:reason="changed"><at:comment>leak</at:comment></at:deleted-entry>
      <m:link source="Customers('A')" relationship="Orders" target="Orders(1)"/>
      <m:deleted-link source="Customers('A')" relationship="Orders" target="Orders(2)"/>
      <link rel="http://docs.oasis-open.org/odata/ns/delta" href="Customers?$deltatoken=8"/></feed>
      """)
    func control(_ id: String?, _ change: DeltaChange?) -> ControlInformation {
      var control = ControlInformation(id: id)
      control.base = "http://host/svc/"
      control.change = change
      return control
    }
    #expect(
      records == [
        EntityRecord(["Name": .string("A")], control: control("http://host/svc/Customers('A')", nil)),
        EntityRecord(control: control("http://host/svc/Customers('B')", .removed(.deleted))),
        EntityRecord(control: control("Customers('C')", .removed(.changed))),
        EntityRecord(
          control: control(
            nil, .addedLink(source: "Customers('A')", relationship: "Orders", target: "Orders(1)"))),
        EntityRecord(
          control: control(
            nil, .deletedLink(source: "Customers('A')", relationship: "Orders", target: "Orders(2)"))),
      ])
    #expect(
      summary
        == PayloadSummary(isFeed: true, count: 5, deltaLink: "http://host/svc/Customers?$deltatoken=8"))
  }

  // MARK: The base of relative links

  @Test func basesNestAndAreCombined() throws {
    let (records, summary) = try readAtom(
      """
      <feed \(Self.namespaces) xml:base="http://host/root/" xml:lang="en" xml:space="preserve">
      <entry><link rel="edit" href="A(1)"/></entry>
      <entry xml:base="deep/"><link rel="edit" href="A(2)"/>
        <link rel="\(Self.related)/B" href="x" xml:base="../other/"><m:inline><entry><link rel="edit" href="B(1)"/></entry></m:inline></link>
        <link rel="\(Self.related)/C" href="y"/>
        <content xml:base="/media/" src="p.png"/></entry>
      <entry xml:base="http://else.example/"><link rel="self" href="A(3)" xml:base=""/></entry>
      <link rel="next" href="A?p=2" xml:base="pages/"/></feed>
      """)
    #expect(
      records.map(\.control.base) == ["http://host/root/", "http://host/root/deep/", "http://else.example/"])
    #expect(records.map(\.control.editLink) == ["A(1)", "A(2)", nil])
    // What has a base of its own is resolved at once, since the record keeps only the entry's.
    #expect(
      records[1].control.links == [
        NavigationLink("B", navigationLink: "http://host/root/other/x"),
        NavigationLink("C", navigationLink: "y"),
      ])
    #expect(records[1].control.media?.readLink == "http://host/media/p.png")
    guard case .complex(let inner)? = records[1]["B"] else {
      Issue.record("The related entity is missing.")
      return
    }
    #expect(inner.control.base == "http://host/root/other/")
    #expect(inner.control.editLink == "B(1)")
    #expect(summary.nextLink == "http://host/root/pages/A?p=2")
  }

  @Test func aRelativeBaseStaysRelative() throws {
    let (records, summary) = try readAtom(
      """
      <feed \(Self.namespaces) xml:base="/svc/"><entry><link rel="edit" href="A(1)"/></entry><link rel="next" href="A?2"/></feed>
      """)
    #expect(records[0].control.base == "/svc/")
    #expect(summary.nextLink == "/svc/A?2")
  }
}
