import ODataKit
import Testing

/// References resolved against a base.
struct URLReferenceTests {
  @Test(
    "The examples of RFC 3986 § 5.4",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
      (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"),
      (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
      ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."),
      ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
  func standard(_ reference: String, _ resolved: String) {
    #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == resolved)
  }

  @Test func aKeyIsNoScheme() {
    let root = "https://svc.example/Books.svc/"
    #expect(
      URLReference.resolve("Books('a:b')", against: root) == "https://svc.example/Books.svc/Books('a:b')")
    #expect(
      URLReference.resolve("Books(PartitionKey='..',RowKey='')", against: root).hasSuffix("='..',RowKey='')"))
    #expect(
      URLReference.resolve("Books(1)", against: root + "$metadata#Books") == root + "Books(1)")
  }

  @Test func whatHasNoBaseStaysAsItIs() {
    #expect(URLReference.resolve("a/../b", against: nil) == "a/../b")
    #expect(URLReference.resolve("a", against: "") == "a")
    #expect(URLReference.resolve("http://x/a/../b", against: "http://y/") == "http://x/a/../b")
    #expect(URLReference.resolve("c", against: "http://host") == "http://host/c")
  }

  @Test func basesMayBeRelativeThemselves() {
    #expect(URLReference.resolve("Books(1)", against: "svc/") == "svc/Books(1)")
    #expect(URLReference.resolve("../x", against: "svc/") == "svc/../x")
    #expect(URLReference.resolve("/x", against: "svc/") == "/x")
  }
}
