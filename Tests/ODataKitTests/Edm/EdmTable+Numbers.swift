import ODataKit

extension EdmRow {
  /// Null, Booleans and numbers.
  static let numbers: [EdmRow] = [
    EdmRow(
      .null, url: ("null", "null", "null", nil),
      json: (#""P":null"#, #""P":null"#, #""P":null"#),
      atom: (#"<d:P m:null="true" />"#, #"<d:P m:null="true" />"#, #"<d:P m:null="true" />"#)),
    EdmRow(
      .boolean(true), url: ("true", "true", "true", "true"),
      json: (#""P":true"#, #""P":true"#, #""P":true"#),
      atom: (
        #"<d:P m:type="Edm.Boolean">true</d:P>"#, #"<d:P m:type="Edm.Boolean">true</d:P>"#,
        #"<d:P m:type="Boolean">true</d:P>"#
      ),
      others: [.urlV4: ["TRUE"], .atomV2: [#"<d:P m:type="Edm.Boolean">1</d:P>"#]]),
    EdmRow(
      .byte(255), url: ("255", "255", "255", "255"),
      json: (#""P":255"#, #""P@odata.type":"Edm.Byte","P":255"#, ##""P@odata.type":"#Byte","P":255"##),
      atom: (
        #"<d:P m:type="Edm.Byte">255</d:P>"#, #"<d:P m:type="Edm.Byte">255</d:P>"#,
        #"<d:P m:type="Byte">255</d:P>"#
      ),
      reads: [.urlV2: .int32(255), .urlV3: .int32(255), .urlV4: .int32(255), .urlTable: .int32(255)]),
    EdmRow(
      .sbyte(-128), url: ("-128", "-128", "-128", "-128"),
      json: (#""P":-128"#, #""P@odata.type":"Edm.SByte","P":-128"#, ##""P@odata.type":"#SByte","P":-128"##),
      atom: (
        #"<d:P m:type="Edm.SByte">-128</d:P>"#, #"<d:P m:type="Edm.SByte">-128</d:P>"#,
        #"<d:P m:type="SByte">-128</d:P>"#
      ),
      reads: [.urlV2: .int32(-128), .urlV3: .int32(-128), .urlV4: .int32(-128), .urlTable: .int32(-128)]),
    EdmRow(
      .int16(-32768), url: ("-32768", "-32768", "-32768", "-32768"),
      json: (
        #""P":-32768"#, #""P@odata.type":"Edm.Int16","P":-32768"#, ##""P@odata.type":"#Int16","P":-32768"##
      ),
      atom: (
        #"<d:P m:type="Edm.Int16">-32768</d:P>"#, #"<d:P m:type="Edm.Int16">-32768</d:P>"#,
        #"<d:P m:type="Int16">-32768</d:P>"#
      ),
      reads: [
        .urlV2: .int32(-32768), .urlV3: .int32(-32768), .urlV4: .int32(-32768), .urlTable: .int32(-32768),
      ]),
    EdmRow(
      .int32(.min), url: ("-2147483648", "-2147483648", "-2147483648", "-2147483648"),
      json: (#""P":-2147483648"#, #""P":-2147483648"#, #""P":-2147483648"#),
      atom: (
        #"<d:P m:type="Edm.Int32">-2147483648</d:P>"#, #"<d:P m:type="Edm.Int32">-2147483648</d:P>"#,
        #"<d:P m:type="Int32">-2147483648</d:P>"#
      )),
    EdmRow(
      .int64(5), url: ("5L", "5L", "5", "5L"),
      json: (#""P":"5""#, #""P@odata.type":"Edm.Int64","P":"5""#, ##""P@odata.type":"#Int64","P":5"##),
      atom: (
        #"<d:P m:type="Edm.Int64">5</d:P>"#, #"<d:P m:type="Edm.Int64">5</d:P>"#,
        #"<d:P m:type="Int64">5</d:P>"#
      ),
      reads: [.urlV4: .int32(5)],
      others: [
        .urlV2: ["5l"], .verbose: [#""P":5"#], .jsonV4: [##""P@odata.type":"#Int64","P":"5""##],
      ]),
    // Above 2⁵³ a number of most programs loses digits.
    EdmRow(
      .int64(9_007_199_254_740_993),
      url: ("9007199254740993L", "9007199254740993L", "9007199254740993", "9007199254740993L"),
      json: (
        #""P":"9007199254740993""#, #""P@odata.type":"Edm.Int64","P":"9007199254740993""#,
        ##""P@odata.type":"#Int64","P":9007199254740993"##
      ),
      atom: (
        #"<d:P m:type="Edm.Int64">9007199254740993</d:P>"#,
        #"<d:P m:type="Edm.Int64">9007199254740993</d:P>"#, #"<d:P m:type="Int64">9007199254740993</d:P>"#
      )),
    EdmRow(
      .single(0.1), url: ("0.1f", "0.1f", "0.1", "0.10000000149011612"),
      json: (#""P":0.1"#, #""P@odata.type":"Edm.Single","P":0.1"#, ##""P@odata.type":"#Single","P":0.1"##),
      atom: (
        #"<d:P m:type="Edm.Single">0.1</d:P>"#, #"<d:P m:type="Edm.Single">0.1</d:P>"#,
        #"<d:P m:type="Single">0.1</d:P>"#
      ),
      reads: [.urlV4: .double(0.1), .urlTable: .double(0.10000000149011612)],
      others: [.urlV2: ["0.1F", "1e-1f"], .verbose: [#""P":"0.1""#]]),
    EdmRow(
      .single(.nan), url: ("NaNf", "NaNf", "NaN", "NaN"),
      json: (
        #""P":"NaN""#, #""P@odata.type":"Edm.Single","P":"NaN""#, ##""P@odata.type":"#Single","P":"NaN""##
      ),
      atom: (
        #"<d:P m:type="Edm.Single">NaN</d:P>"#, #"<d:P m:type="Edm.Single">NaN</d:P>"#,
        #"<d:P m:type="Single">NaN</d:P>"#
      ),
      reads: [.urlV4: .double(.nan), .urlTable: .double(.nan)]),
    // A double stays one although it is whole.
    EdmRow(
      .double(5), url: ("5.0", "5.0", "5.0", "5.0"),
      json: (#""P":5.0"#, #""P":5.0"#, #""P":5.0"#),
      atom: (
        #"<d:P m:type="Edm.Double">5.0</d:P>"#, #"<d:P m:type="Edm.Double">5.0</d:P>"#,
        #"<d:P m:type="Double">5.0</d:P>"#
      ),
      others: [
        .verbose: [#""P":5"#, #""P":"5""#, #""P":5E0"#], .light: [#""P@odata.type":"Edm.Double","P":5"#],
        .atomV2: [#"<d:P m:type="Edm.Double">5</d:P>"#],
      ]),
    EdmRow(
      .double(-1.5e-7), url: ("-1.5E-7", "-1.5E-7", "-1.5E-7", "-1.5E-7"),
      json: (#""P":-1.5E-7"#, #""P":-1.5E-7"#, #""P":-1.5E-7"#),
      atom: (
        #"<d:P m:type="Edm.Double">-1.5E-7</d:P>"#, #"<d:P m:type="Edm.Double">-1.5E-7</d:P>"#,
        #"<d:P m:type="Double">-1.5E-7</d:P>"#
      )),
    EdmRow(
      .double(.nan), url: ("NaN", "NaN", "NaN", "NaN"),
      json: (
        #""P":"NaN""#, #""P@odata.type":"Edm.Double","P":"NaN""#, ##""P@odata.type":"#Double","P":"NaN""##
      ),
      atom: (
        #"<d:P m:type="Edm.Double">NaN</d:P>"#, #"<d:P m:type="Edm.Double">NaN</d:P>"#,
        #"<d:P m:type="Double">NaN</d:P>"#
      )),
    // Azure tables and .NET spell them out in JSON, XML and OData 4 have `INF`; both are read everywhere.
    EdmRow(
      .double(.infinity), url: ("INF", "INF", "INF", "INF"),
      json: (
        #""P":"INF""#, #""P@odata.type":"Edm.Double","P":"Infinity""#,
        ##""P@odata.type":"#Double","P":"INF""##
      ),
      atom: (
        #"<d:P m:type="Edm.Double">INF</d:P>"#, #"<d:P m:type="Edm.Double">INF</d:P>"#,
        #"<d:P m:type="Double">INF</d:P>"#
      ),
      others: [
        .verbose: [#""P":"Infinity""#], .light: [#""P@odata.type":"Edm.Double","P":"INF""#],
        .jsonV4: [##""P@odata.type":"#Double","P":"Infinity""##],
        .atomV3: [#"<d:P m:type="Edm.Double">Infinity</d:P>"#],
      ]),
    EdmRow(
      .double(-.infinity), url: ("-INF", "-INF", "-INF", "-INF"),
      json: (
        #""P":"-INF""#, #""P@odata.type":"Edm.Double","P":"-Infinity""#,
        ##""P@odata.type":"#Double","P":"-INF""##
      ),
      atom: (
        #"<d:P m:type="Edm.Double">-INF</d:P>"#, #"<d:P m:type="Edm.Double">-INF</d:P>"#,
        #"<d:P m:type="Double">-INF</d:P>"#
      ),
      others: [
        .verbose: [#""P":"-Infinity""#], .light: [#""P@odata.type":"Edm.Double","P":"-INF""#],
        .jsonV4: [##""P@odata.type":"#Double","P":"-Infinity""##],
        .atomV3: [#"<d:P m:type="Edm.Double">-Infinity</d:P>"#],
      ]),
    // The zero behind the five is a digit as well.
    EdmRow(
      .decimal(EdmDecimal("1.50")!), url: ("1.50M", "1.50M", "1.50", nil),
      json: (
        #""P":"1.50""#, #""P@odata.type":"Edm.Decimal","P":"1.50""#,
        ##""P@odata.type":"#Decimal","P":1.50"##
      ),
      atom: (
        #"<d:P m:type="Edm.Decimal">1.50</d:P>"#, #"<d:P m:type="Edm.Decimal">1.50</d:P>"#,
        #"<d:P m:type="Decimal">1.50</d:P>"#
      ),
      reads: [.urlV4: .double(1.5)],
      others: [
        .urlV2: ["1.50m"], .verbose: [#""P":1.50"#], .jsonV4: [##""P@odata.type":"#Decimal","P":"1.50""##],
      ]),
    EdmRow(
      .decimal(EdmDecimal("-79228162514264337593543950335.0001")!),
      url: (
        "-79228162514264337593543950335.0001M", "-79228162514264337593543950335.0001M",
        "-79228162514264337593543950335.0001", nil
      ),
      json: (
        #""P":"-79228162514264337593543950335.0001""#,
        #""P@odata.type":"Edm.Decimal","P":"-79228162514264337593543950335.0001""#,
        ##""P@odata.type":"#Decimal","P":-79228162514264337593543950335.0001"##
      ),
      atom: (
        #"<d:P m:type="Edm.Decimal">-79228162514264337593543950335.0001</d:P>"#,
        #"<d:P m:type="Edm.Decimal">-79228162514264337593543950335.0001</d:P>"#,
        #"<d:P m:type="Decimal">-79228162514264337593543950335.0001</d:P>"#
      ),
      reads: [.urlV4: .double(-79228162514264337593543950335.0001)]),
  ]
}
