import ODataKit

/// Writes the same entities as the table service sends them, in both formats. Nothing is random: two runs, and two
/// machines, measure the same bytes.
struct SampleData {
  private static let host = "http://127.0.0.1:10202/devstoreaccount1/"
  private static let authors = [
    "夏目漱石", "Natsume Soseki", "村上 春樹", "Akutagawa R.", "川端康成 (訳)", "Ursula K. LeGuin", "Donald E. Knuth",
    "紫式部 Murasaki",
  ]
  private static let titles = [
    "吾輩は猫である", "雪国 Snow Country", "銀河鉄道の夜 & 他", "Kokoro こころ", "走れメロス", "羅生門 Rashomon", "源氏物語 Genji",
    "坊っちゃん Botchan",
  ]

  /// The text of one entity's properties.
  private struct Texts {
    var partitionKey, rowKey, timestamp, title, author, rate, price, isbn, published, inStock: String
    var tagTime: String

    init(_ index: Int) {
      func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
      }
      partitionKey = "p" + digits(index / 100, 5)
      rowKey = "r" + digits(index, 7)
      let second = digits(index % 60, 2)
      let fraction = digits(index * 7919 % 10_000_000, 7)
      timestamp = "2026-11-30T12:34:\(second).\(fraction)Z"
      tagTime = "2026-11-30T12%3A34%3A\(second).\(fraction)Z"
      title = "\(SampleData.titles[index & 7]) - Volume \(index), ed. \(1 + index % 7)"
      author = SampleData.authors[index * 5 % 8]
      rate = String(1 + index % 5)
      price = String(5.25 + Double(index * 37 % 1000) / 8)
      isbn = String(9_784_000_000_000 + index * 7919)
      let date = "\(digits(1950 + index % 70, 4))-\(digits(1 + index % 12, 2))-\(digits(1 + index % 28, 2))"
      published = "\(date)T\(digits(index % 24, 2)):\(digits(index % 60, 2)):00Z"
      inStock = index % 3 == 0 ? "false" : "true"
    }
  }

  // MARK: Atom

  static let feedHead = Array(
    """
    <?xml version="1.0" encoding="utf-8"?><feed xml:base="\(host)" xmlns="http://www.w3.org/2005/Atom" \
    xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" \
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
    xmlns:georss="http://www.georss.org/georss" xmlns:gml="http://www.opengis.net/gml"><id>\(host)T</id>\
    <title type="text">T</title><updated>2026-11-30T12:34:56Z</updated><link rel="self" title="T" href="T" />
    """.utf8)
  static let feedTail = Array("</feed>".utf8)

  static func appendEntry(_ index: Int, to bytes: inout [UInt8]) {
    let book = Texts(index)
    let key = "T(PartitionKey='\(book.partitionKey)',RowKey='\(book.rowKey)')"
    let title = index & 7 == 2 ? book.title.split(separator: "&").joined(separator: "&amp;") : book.title
    bytes +=
      """
      <entry m:etag="W/&quot;datetime'\(book.tagTime)'&quot;"><id>\(host)\(key)</id>\
      <category term="devstoreaccount1.T" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme" />\
      <link rel="edit" title="T" href="\(key)" /><title /><updated>2026-11-30T12:34:56Z</updated>\
      <author><name /></author><content type="application/xml"><m:properties>\
      <d:PartitionKey>\(book.partitionKey)</d:PartitionKey><d:RowKey>\(book.rowKey)</d:RowKey>\
      <d:Timestamp m:type="Edm.DateTime">\(book.timestamp)</d:Timestamp>\
      <d:title>\(title)</d:title><d:author>\(book.author)</d:author>\
      <d:rate m:type="Edm.Int32">\(book.rate)</d:rate><d:price m:type="Edm.Double">\(book.price)</d:price>\
      <d:isbn m:type="Edm.Int64">\(book.isbn)</d:isbn>\
      <d:published m:type="Edm.DateTime">\(book.published)</d:published>\
      <d:inStock m:type="Edm.Boolean">\(book.inStock)</d:inStock></m:properties></content></entry>
      """.utf8
  }

  // MARK: JSON, with the minimal metadata that the service sends unless it is asked for more or less

  static let pageHead = Array(#"{"odata.metadata":"\#(host)$metadata#T","value":["#.utf8)
  static let pageTail = Array("]}".utf8)

  static func appendObject(_ index: Int, to bytes: inout [UInt8]) {
    let book = Texts(index)
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    bytes +=
      """
      {"odata.etag":"W/\\"datetime'\(book.tagTime)'\\"",\
      "PartitionKey":"\(book.partitionKey)","RowKey":"\(book.rowKey)","Timestamp":"\(book.timestamp)",\
      "title":"\(book.title)","author":"\(book.author)","rate":\(book.rate),"price":\(book.price),\
      "isbn@odata.type":"Edm.Int64","isbn":"\(book.isbn)",\
      "published@odata.type":"Edm.DateTime","published":"\(book.published)","inStock":\(book.inStock)}
      """.utf8
  }

  // MARK: Whole

  static func feed(_ count: Int) -> [UInt8] {
    var bytes = feedHead
    for index in 0..<count { appendEntry(index, to: &bytes) }
    return bytes + feedTail
  }

  static func page(_ count: Int) -> [UInt8] {
    var bytes = pageHead
    for index in 0..<count { appendObject(index, to: &bytes) }
    return bytes + pageTail
  }

  /// The entity that both texts of an index stand for.
  static func book(_ index: Int) throws -> Book {
    let texts = Texts(index)
    guard let timestamp = EdmDateTime(texts.timestamp), let published = EdmDateTime(texts.published) else {
      throw BenchmarkError("The sample has a date that is none.")
    }
    return Book(
      partitionKey: texts.partitionKey, rowKey: texts.rowKey, timestamp: timestamp, title: texts.title,
      author: texts.author, rate: 1 + index % 5, price: 5.25 + Double(index * 37 % 1000) / 8,
      isbn: 9_784_000_000_000 + Int64(index) * 7919, published: published, inStock: index % 3 != 0)
  }
}

/// Why a benchmark cannot be run, or measured something else than it should.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
