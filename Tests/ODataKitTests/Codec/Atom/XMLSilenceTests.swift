import CLibXML
import Foundation
import ODataKit
import Testing

/// A library prints nothing: neither what is wrong with a document nor what stands in it.
struct XMLSilenceTests {
  @Test(
    "What libxml2 has to say of a broken encoding goes to nobody",
    arguments: ["us-ascii", "iso-2022-jp", "euc-jp", "utf-16"])
  func brokenEncoding(_ encoding: String) throws {
    final class Reports { var count = 0 }
    let reports = Reports()
    // Handlers belong to a thread, and this test stays on one.
    xmlSetStructuredErrorFunc(
      Unmanaged.passUnretained(reports).toOpaque(),
      { context, _ in
        guard let context else { return }
        Unmanaged<Reports>.fromOpaque(context).takeUnretainedValue().count += 1
      })
    defer { xmlSetStructuredErrorFunc(nil, nil) }
    let text = Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><feed><title>secret".utf8)
    #expect(throws: ODataError.self) {
      _ = try readAtom([text + [0xF5, 0x3F, 0xFF, 0xFE, 0x0A], Array("</title></feed>".utf8)])
    }
    #expect(reports.count == 0)
    // The handler that was there before is there again.
    xmlFreeDoc(xmlReadMemory("<a", 2, nil, nil, 0))
    #expect(reports.count > 0)
  }
}
