import Foundation
import ODataKit

extension EdmRow {
  /// Strings, bytes and GUIDs.
  static let texts: [EdmRow] = [
    EdmRow(
      .string("O'Neil & <Söhne>"),
      url: ("'O''Neil & <Söhne>'", "'O''Neil & <Söhne>'", "'O''Neil & <Söhne>'", "'O''Neil & <Söhne>'"),
      json: (
        #""P":"O'Neil & <Söhne>""#, #""P":"O'Neil & <Söhne>""#, #""P":"O'Neil & <Söhne>""#
      ),
      atom: (
        "<d:P>O'Neil &amp; &lt;Söhne&gt;</d:P>", "<d:P>O'Neil &amp; &lt;Söhne&gt;</d:P>",
        "<d:P>O'Neil &amp; &lt;Söhne&gt;</d:P>"
      ),
      others: [
        .verbose: [#""P":"O\u0027Neil \u0026 \u003cS\u00f6hne\u003e""#],
        .atomV2: [#"<d:P m:type="Edm.String">O&apos;Neil <![CDATA[& <Söhne>]]></d:P>"#],
        .atomV4: [##"<d:P m:type="#String">O&#39;Neil &amp; &lt;S&#xF6;hne></d:P>"##],
      ]),
    EdmRow(
      .string(""), url: ("''", "''", "''", "''"),
      json: (#""P":"""#, #""P":"""#, #""P":"""#),
      atom: ("<d:P></d:P>", "<d:P></d:P>", "<d:P></d:P>"),
      others: [.atomV2: ["<d:P/>"], .atomV4: [#"<d:P m:null="false" />"#]]),
    // Blanks at the ends, a line end of Windows, a letter in two code points, one outside of the first plane.
    EdmRow(
      .string(" \"e\u{301}\"\\\r\n🦊\t"),
      url: (
        "' \"e\u{301}\"\\\r\n🦊\t'", "' \"e\u{301}\"\\\r\n🦊\t'", "' \"e\u{301}\"\\\r\n🦊\t'",
        "' \"e\u{301}\"\\\r\n🦊\t'"
      ),
      json: (
        #""P":" \"e\#u{301}\"\\\r\n🦊\t""#, #""P":" \"e\#u{301}\"\\\r\n🦊\t""#,
        #""P":" \"e\#u{301}\"\\\r\n🦊\t""#
      ),
      atom: (
        "<d:P xml:space=\"preserve\"> \"e\u{301}\"\\&#xD;\n🦊\t</d:P>",
        "<d:P xml:space=\"preserve\"> \"e\u{301}\"\\&#xD;\n🦊\t</d:P>",
        "<d:P xml:space=\"preserve\"> \"e\u{301}\"\\&#xD;\n🦊\t</d:P>"
      ),
      others: [.jsonV4: [#""P":"\u0020\u0022e\u0301\u0022\u005c\u000d\u000a\ud83e\udd8a\u0009""#]]),
    // The two alphabets of base64 differ in `+` and `/`; the `=` at the end may be left out.
    EdmRow(
      .binary([0xFB, 0xEF, 0xFF, 0x01]),
      url: ("X'FBEFFF01'", "X'FBEFFF01'", "binary'--__AQ'", "X'FBEFFF01'"),
      json: (
        #""P":"++//AQ==""#, #""P@odata.type":"Edm.Binary","P":"++//AQ==""#,
        ##""P@odata.type":"#Binary","P":"--__AQ""##
      ),
      atom: (
        #"<d:P m:type="Edm.Binary">++//AQ==</d:P>"#, #"<d:P m:type="Edm.Binary">++//AQ==</d:P>"#,
        #"<d:P m:type="Binary">++//AQ==</d:P>"#
      ),
      others: [
        .urlV2: ["X'fbefff01'", "binary'FBEFFF01'"], .urlTable: ["binary'FBEFFF01'"],
        .urlV4: ["binary'--__AQ=='"], .jsonV4: [##""P@odata.type":"#Binary","P":"++//AQ==""##],
        .atomV4: [#"<d:P m:type="Binary">--__AQ</d:P>"#],
      ]),
    EdmRow(
      .binary([]), url: ("X''", "X''", "binary''", "X''"),
      json: (#""P":"""#, #""P@odata.type":"Edm.Binary","P":"""#, ##""P@odata.type":"#Binary","P":"""##),
      atom: (
        #"<d:P m:type="Edm.Binary"></d:P>"#, #"<d:P m:type="Edm.Binary"></d:P>"#,
        #"<d:P m:type="Binary"></d:P>"#
      )),
    EdmRow(
      .guid(UUID(uuidString: "DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833")!),
      url: (
        "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'", "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'",
        "debc44d5-04a9-42ea-ab2f-4e2cb49ff833", "guid'debc44d5-04a9-42ea-ab2f-4e2cb49ff833'"
      ),
      json: (
        #""P":"debc44d5-04a9-42ea-ab2f-4e2cb49ff833""#,
        #""P@odata.type":"Edm.Guid","P":"debc44d5-04a9-42ea-ab2f-4e2cb49ff833""#,
        ##""P@odata.type":"#Guid","P":"debc44d5-04a9-42ea-ab2f-4e2cb49ff833""##
      ),
      atom: (
        #"<d:P m:type="Edm.Guid">debc44d5-04a9-42ea-ab2f-4e2cb49ff833</d:P>"#,
        #"<d:P m:type="Edm.Guid">debc44d5-04a9-42ea-ab2f-4e2cb49ff833</d:P>"#,
        #"<d:P m:type="Guid">debc44d5-04a9-42ea-ab2f-4e2cb49ff833</d:P>"#
      ),
      others: [
        .urlV4: ["DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833"],
        .verbose: [#""P":"DEBC44D5-04A9-42EA-AB2F-4E2CB49FF833""#],
      ]),
  ]

  private static let instant = EdmDateTime("2014-09-02T21:09:14.884Z")!
  private static let ticks = EdmDateTime("2014-09-02T21:09:14.8848547Z")!
  private static let offset = EdmDateTimeOffset("2012-09-03T14:53:00+02:00")!

  /// Dates, times and durations.
  static let times: [EdmRow] = [
    // OData 4 has no DateTime: it becomes the instant it stands for.
    EdmRow(
      .dateTime(instant),
      url: (
        "datetime'2014-09-02T21:09:14.884'", "datetime'2014-09-02T21:09:14.884'", "2014-09-02T21:09:14.884Z",
        "datetime'2014-09-02T21:09:14.884Z'"
      ),
      json: (
        #""P":"\/Date(1409692154884)\/""#, #""P@odata.type":"Edm.DateTime","P":"2014-09-02T21:09:14.884Z""#,
        ##""P@odata.type":"#DateTimeOffset","P":"2014-09-02T21:09:14.884Z""##
      ),
      atom: (
        #"<d:P m:type="Edm.DateTime">2014-09-02T21:09:14.884Z</d:P>"#,
        #"<d:P m:type="Edm.DateTime">2014-09-02T21:09:14.884Z</d:P>"#, nil
      ),
      reads: [
        .urlV4: .dateTimeOffset(EdmDateTimeOffset("2014-09-02T21:09:14.884Z")!),
        .jsonV4: .dateTimeOffset(EdmDateTimeOffset("2014-09-02T21:09:14.884Z")!),
      ],
      others: [
        .urlV2: ["datetime'2014-09-02T21:09:14.8840000'"],
        .verbose: [#""P":"/Date(1409692154884)/""#, #""P":"2014-09-02T21:09:14.884""#],
        .atomV2: [#"<d:P m:type="Edm.DateTime">2014-09-02T21:09:14.8840000</d:P>"#],
      ]),
    EdmRow(
      .dateTimeOffset(offset),
      url: (
        "datetimeoffset'2012-09-03T14:53:00+02:00'", "datetimeoffset'2012-09-03T14:53:00+02:00'",
        "2012-09-03T14:53:00+02:00", nil
      ),
      json: (
        #""P":"\/Date(1346676780000+0120)\/""#,
        #""P@odata.type":"Edm.DateTimeOffset","P":"2012-09-03T14:53:00+02:00""#,
        ##""P@odata.type":"#DateTimeOffset","P":"2012-09-03T14:53:00+02:00""##
      ),
      atom: (
        #"<d:P m:type="Edm.DateTimeOffset">2012-09-03T14:53:00+02:00</d:P>"#,
        #"<d:P m:type="Edm.DateTimeOffset">2012-09-03T14:53:00+02:00</d:P>"#,
        #"<d:P m:type="DateTimeOffset">2012-09-03T14:53:00+02:00</d:P>"#
      ),
      others: [
        .urlV4: ["2012-09-03T14:53+02:00"], .verbose: [#""P":"2012-09-03T14:53:00+02:00""#],
      ]),
    // Edm.Time of OData 1 to 3 is a duration in spite of its name.
    EdmRow(
      .duration(EdmDuration("-P1DT2H3M4.5S")!),
      url: ("time'-P1DT2H3M4.5S'", "time'-P1DT2H3M4.5S'", "duration'-P1DT2H3M4.5S'", nil),
      json: (
        #""P":"-P1DT2H3M4.5S""#, #""P@odata.type":"Edm.Time","P":"-P1DT2H3M4.5S""#,
        ##""P@odata.type":"#Duration","P":"-P1DT2H3M4.5S""##
      ),
      atom: (
        #"<d:P m:type="Edm.Time">-P1DT2H3M4.5S</d:P>"#, #"<d:P m:type="Edm.Time">-P1DT2H3M4.5S</d:P>"#,
        #"<d:P m:type="Duration">-P1DT2H3M4.5S</d:P>"#
      ),
      others: [.urlV4: ["duration'-PT26H3M4.50S'"], .verbose: [#""P":"-PT93784.5S""#]], declared: .time),
    EdmRow(
      .date(EdmDate("2012-09-03")!), url: (nil, nil, "2012-09-03", nil),
      json: (nil, nil, ##""P@odata.type":"#Date","P":"2012-09-03""##),
      atom: (nil, nil, #"<d:P m:type="Date">2012-09-03</d:P>"#)),
    EdmRow(
      .timeOfDay(EdmTimeOfDay("11:22:33.4444444")!), url: (nil, nil, "11:22:33.4444444", nil),
      json: (nil, nil, ##""P@odata.type":"#TimeOfDay","P":"11:22:33.4444444""##),
      atom: (nil, nil, #"<d:P m:type="TimeOfDay">11:22:33.4444444</d:P>"#)),
  ]

  /// A time with all its ticks, which the milliseconds of verbose JSON have no room for.
  static let exactTimes: [EdmRow] = [
    EdmRow(
      .dateTime(ticks),
      url: (
        "datetime'2014-09-02T21:09:14.8848547'", "datetime'2014-09-02T21:09:14.8848547'",
        "2014-09-02T21:09:14.8848547Z", "datetime'2014-09-02T21:09:14.8848547Z'"
      ),
      json: (
        nil, #""P@odata.type":"Edm.DateTime","P":"2014-09-02T21:09:14.8848547Z""#,
        ##""P@odata.type":"#DateTimeOffset","P":"2014-09-02T21:09:14.8848547Z""##
      ),
      atom: (
        #"<d:P m:type="Edm.DateTime">2014-09-02T21:09:14.8848547Z</d:P>"#,
        #"<d:P m:type="Edm.DateTime">2014-09-02T21:09:14.8848547Z</d:P>"#, nil
      ),
      reads: [
        .urlV4: .dateTimeOffset(EdmDateTimeOffset("2014-09-02T21:09:14.8848547Z")!),
        .jsonV4: .dateTimeOffset(EdmDateTimeOffset("2014-09-02T21:09:14.8848547Z")!),
      ])
  ]
}
