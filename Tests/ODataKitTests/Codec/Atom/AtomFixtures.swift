import ODataKit

/// Reads a whole document with one reader, cut into the given chunks.
func readAtom(
  _ chunks: [[UInt8]], limits: PayloadLimits = PayloadLimits()
) throws(ODataError) -> (records: [EntityRecord], summary: PayloadSummary) {
  let reader = AtomReader(limits: limits)
  var records: [EntityRecord] = []
  for chunk in chunks { records += try reader.read(chunk) }
  return (records, try reader.finish())
}

func readAtom(_ text: String) throws(ODataError) -> (records: [EntityRecord], summary: PayloadSummary) {
  try readAtom([Array(text.utf8)])
}

/// Wraps property elements into an entry document.
func atomEntry(_ properties: String) -> String {
  """
  <entry xmlns="http://www.w3.org/2005/Atom" \
  xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
  xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">\
  <content type="application/xml"><m:properties>\(properties)</m:properties></content></entry>
  """
}

/// Documents of the services this library speaks to, one for each way they differ in.
enum AtomFixture: String, CaseIterable {
  /// An entry of a table: tag, keys, system property, typed values.
  case tableEntry = """
    <?xml version="1.0" encoding="utf-8" standalone="yes"?>\r
    <entry xml:base="https://books.example/" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
    m:etag="W/&quot;datetime'2024-05-06T07%3A08%3A09.1234567Z'&quot;" xmlns="http://www.w3.org/2005/Atom">\r
      <id>https://books.example/Books(PartitionKey='%E6%A3%9A',RowKey='1')</id>\r
      <title type="text"></title>\r
      <updated>2024-05-06T07:08:10Z</updated>\r
      <author>\r
        <name />\r
      </author>\r
      <link rel="edit" title="Books" href="Books(PartitionKey='%E6%A3%9A',RowKey='1')" />\r
      <category term="books.Books" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />\r
      <content type="application/xml">\r
        <m:properties>\r
          <d:PartitionKey>棚</d:PartitionKey>\r
          <d:RowKey>1</d:RowKey>\r
          <d:Timestamp m:type="Edm.DateTime">2024-05-06T07:08:09.1234567Z</d:Timestamp>\r
          <d:Title xml:space="preserve"> 坊っちゃん &amp; <![CDATA[<吾輩>]]> </d:Title>\r
          <d:Rate m:type="Edm.Int32">4</d:Rate>\r
          <d:Sold m:type="Edm.Int64">9007199254740993</d:Sold>\r
          <d:Price m:type="Edm.Double">INF</d:Price>\r
          <d:InPrint m:type="Edm.Boolean">true</d:InPrint>\r
          <d:Cover m:type="Edm.Binary">AAEC</d:Cover>\r
          <d:Note m:null="true" />\r
          <d:Empty></d:Empty>\r
          <d:Blank> </d:Blank>\r
        </m:properties>\r
      </content>\r
    </entry>
    """

  /// A feed with rows of two shapes and a link to the next page.
  case tableFeed = """
    <feed xml:base="https://books.example/" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">
    <title type="text">Books</title><id>https://books.example/Books</id><updated>2024-05-06T07:08:10Z</updated>
    <link rel="self" title="Books" href="Books" /><m:count>12</m:count>
    <entry m:etag="W/&quot;1&quot;"><id>https://books.example/Books(1)</id><content type="application/xml">
    <m:properties><d:Title>One</d:Title><d:Rate m:type="Edm.Int32">1</d:Rate></m:properties></content></entry>
    <entry m:etag="W/&quot;2&quot;"><id>https://books.example/Books(2)</id><content type="application/xml">
    <m:properties><d:Title>Two</d:Title><d:Rate m:type="Edm.Int32">2</d:Rate></m:properties></content></entry>
    <entry m:etag="W/&quot;3&quot;"><id>https://books.example/Books(3)</id><content type="application/xml">
    <m:properties><d:Title>Three</d:Title><d:Author>夏目漱石</d:Author></m:properties></content></entry>
    <entry m:etag="W/&quot;4&quot;"><id>https://books.example/Books(4)</id><content type="application/xml">
    <m:properties><d:Title>Four</d:Title><d:Rate m:type="Edm.Int32">4</d:Rate></m:properties></content></entry>
    <entry m:etag="W/&quot;5&quot;"><id>https://books.example/Books(5)</id><content type="application/xml">
    <m:properties><d:Title>Five</d:Title></m:properties></content></entry>
    <link rel="next" href="https://books.example/Books?$skiptoken=a&amp;x=%26b" />
    </feed>
    """

  /// Prefixes of one's own, a media link entry, complex values, expanded entities, elements nobody knows.
  case service = """
    <?xml version="1.0"?>
    <!-- a comment --><?style none?>
    <a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:p="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:q="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:z="urn:z">
    <z:count>99</z:count>
    <a:entry q:etag='W/"a&amp;#38;b"' etag="no">
      <a:id>http://svc.example/Staff('1')</a:id>
      <z:properties><p:Leak>1</p:Leak></z:properties>
      <a:category term="blog" scheme="urn:topics" />
      <a:category term="Model.Employee" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />
      <a:link rel="edit-media" href="Staff('1')/$value" />
      <a:link rel="edit" href="Staff('1')"/>
      <a:link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Room" type="application/atom+xml;type=entry">
        <q:inline><a:entry q:etag="W/&quot;inner&quot;"><a:id>http://svc.example/Rooms(1)</a:id><a:content type="application/xml">
          <q:properties><p:Name>leak</p:Name></q:properties></a:content></a:entry></q:inline>
      </a:link>
      <a:link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Tasks" type="application/atom+xml;type=feed">
        <q:inline><a:feed><q:count>7</q:count><a:link rel="next" href="leak"/><a:entry><a:id>leak</a:id></a:entry></a:feed></q:inline>
      </a:link>
      <a:content type="image/png" src="Staff('1')/$value" />
      <q:properties>
        <p:Name>Walter<!-- middle -->Winter</p:Name>
        <p:Home q:type="Model.Address">leak<p:City>Heidelberg</p:City>leak</p:Home>
        <p:Phones q:type="Bag(Edm.String)"><p:element>1</p:element></p:Phones>
        <p:Nothing q:type="Model.Address"> </p:Nothing>
        <p:Colour q:type="Model.Colour">Red</p:Colour>
        <z:Other>leak</z:Other>
        <p:Gone q:type="Edm.DateTime" q:null="true" />
        <p:Kept q:type="Edm.Int32" q:null="false">7</p:Kept>
        <p:Length q:type="Edm.Time">PT1H30M</p:Length>
      </q:properties>
    </a:entry>
    </a:feed>
    """

  /// The namespaces and type names of OData 4.
  case version4 = """
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:data="http://docs.oasis-open.org/odata/ns/data" \
    xmlns:metadata="http://docs.oasis-open.org/odata/ns/metadata" metadata:context="$metadata#Books">
    <metadata:count>1</metadata:count>
    <entry metadata:etag="W/&quot;7&quot;"><id>http://v4.example/Books(7)</id><link rel="edit" href="Books(7)" />
    <category scheme="http://docs.oasis-open.org/odata/ns/scheme" term="#Library.Book" />
    <content type="application/xml"><metadata:properties><data:ID metadata:type="Int32">7</data:ID>
    <data:Published metadata:type="Date">1906-04-01</data:Published>
    <data:Seen metadata:type="DateTimeOffset">2024-05-06T07:08:09+09:00</data:Seen>
    <data:Colour metadata:type="#Library.Colour">Red</data:Colour>
    <data:Tags metadata:type="#Collection(String)"><metadata:element>a</metadata:element></data:Tags>
    <data:Title>坊っちゃん</data:Title></metadata:properties></content></entry></feed>
    """

  /// All kinds of links, and entities expanded in entities, with bases of their own.
  case expanded = """
    <?xml version="1.0" encoding="utf-8"?>
    <feed xml:base="http://svc.example/Shop.svc/" xmlns="http://www.w3.org/2005/Atom" \
    xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <entry m:etag="W/&quot;X'01'&quot;"><id>http://svc.example/Shop.svc/Orders(1)</id>
    <category term="Shop.Order" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />
    <link rel="edit" href="Orders(1)" /><link rel="self" href="Orders(1)/read" />
    <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/relatedlinks/Lines" href="Orders(1)/$links/Lines" />
    <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Lines" type="application/atom+xml;type=feed" \
    href="Orders(1)/Lines"><m:inline><feed xml:base="other/"><m:count>2</m:count>
      <entry><id>L1</id><link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Book" \
      type="application/atom+xml;type=entry"><m:inline><entry xml:base="http://books.example/"><id>B1</id>
      <content><m:properties><d:Title>こころ</d:Title></m:properties></content></entry></m:inline></link>
      <content type="application/xml"><m:properties><d:N m:type="Edm.Byte">1</d:N></m:properties></content></entry>
      <entry><id>L2</id><link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Book" \
      type="application/atom+xml;type=entry"><m:inline /></link></entry>
      <link rel="next" href="Lines?$skiptoken=2" /></feed></m:inline></link>
    <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Notes" type="application/atom+xml;type=feed">\
    <m:inline></m:inline></link>
    <link rel="edit-media" m:etag="&quot;m&quot;" href="Orders(1)/$value" />
    <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/mediaresource/Scan" type="image/png" href="Scan" />
    <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/edit-media/Scan" type="image/png" m:etag="&quot;s&quot;" href="Scan/edit" />
    <content type="application/pdf" src="Orders(1)/$value" />
    <m:properties><d:Id m:type="Edm.Int32">1</d:Id><d:To m:type="Shop.Address"><d:City>大阪</d:City>
    <d:Phones m:type="Collection(Edm.String)"><d:element>1</d:element><d:element m:null="true" /></d:Phones></d:To>
    <d:At m:type="Edm.GeographyPoint"><gml:Point xmlns:gml="http://www.opengis.net/gml" \
    gml:srsName="http://www.opengis.net/def/crs/EPSG/0/4326"><gml:pos>34.69 135.50</gml:pos></gml:Point></d:At>
    </m:properties></entry></feed>
    """

  /// The answer to a delta link of OData 4.
  case changes = """
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://docs.oasis-open.org/odata/ns/metadata" \
    xmlns:d="http://docs.oasis-open.org/odata/ns/data" xmlns:at="http://purl.org/atompub/tombstones/1.0" \
    m:context="http://host/svc/$metadata#Customers/$delta"><m:count>4</m:count>
    <entry><id>http://host/svc/Customers('A')</id><category scheme="http://docs.oasis-open.org/odata/ns/scheme" term="#M.C" />
    <link rel="http://docs.oasis-open.org/odata/ns/related/Orders" href="Customers('A')/Orders" />
    <content type="application/xml"><m:properties><d:Home m:type="#M.Home"><d:City>Zürich</d:City></d:Home>
    <d:Colors m:type="#Collection(M.Color)"><m:element>Red</m:element></d:Colors>
    <d:Kept m:null="true" /></m:properties></content></entry>
    <at:deleted-entry ref="http://host/svc/Customers('B')" when="2024-05-06T07:08:09Z" m:reason="changed" />
    <m:link source="Customers('A')" relationship="Orders" target="Orders(1)" />
    <m:deleted-link source="Customers('A')" relationship="Orders" target="Orders(2)" />
    <link rel="http://docs.oasis-open.org/odata/ns/delta" href="http://host/svc/Customers?$deltatoken=8&amp;a=1" /></feed>
    """

  /// The generation whose vocabulary it uses.
  var dialect: Dialect { rawValue.contains("docs.oasis-open.org/odata/ns/data\"") ? .v4 : .v3 }
}
