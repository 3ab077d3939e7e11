import Foundation
import ODataKit
import Testing

@testable import TableEmulator

struct RecordCodingTests {
  private static let everything = EntityRecord([
    "S": .string("日本語 🦊\0"), "E": .string(""), "B": .binary([0, 255]), "N": .binary([]), "T": .boolean(true),
    "F": .boolean(false), "I": .int32(.min), "L": .int64(.min), "D": .double(-0.0), "P": .double(.infinity),
    "Q": .double(.nan), "G": .guid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()),
    "Z": .dateTime(.maximum), "Naïve": .string("x"),
  ])

  private func decoded(_ bytes: [UInt8], with reader: inout StoredRecordReader) -> EntityRecord? {
    bytes.withUnsafeBytes { reader.record(key: StoreKey("p", "r"), timestamp: .unixEpoch, bytes: $0) }
  }

  @Test func everyTypeComesBackExactly() throws {
    var reader = StoredRecordReader()
    let record = try #require(decoded(RecordCoding.encode(Self.everything), with: &reader))
    #expect(Array(record.shape.names.prefix(3)) == ["PartitionKey", "RowKey", "Timestamp"])
    #expect(Array(record.values.prefix(3)) == [.string("p"), .string("r"), .dateTime(.unixEpoch)])
    #expect(Array(record.shape.names.dropFirst(3)) == Self.everything.shape.names)
    #expect(Array(record.values.dropFirst(3)) == Self.everything.values)
  }

  @Test func theLayoutIsAsDocumented() {
    let record = EntityRecord([
      "PartitionKey": .string("p"), "A": .string("é"), "Gone": .null, "Bb": .int32(258), "Timestamp": .null,
    ])
    #expect(RecordCoding.encode(record) == [1, 5, 1, 0x41, 2, 0x42, 0x62, 1, 2, 0xC3, 0xA9, 4, 2, 1, 0, 0])
  }

  @Test func rowsOfOneFormShareAShape() throws {
    var reader = StoredRecordReader()
    let first = try #require(decoded(RecordCoding.encode(EntityRecord(["A": .int32(1)])), with: &reader))
    let second = try #require(decoded(RecordCoding.encode(EntityRecord(["A": .string("x")])), with: &reader))
    let third = try #require(decoded(RecordCoding.encode(EntityRecord(["B": .int32(1)])), with: &reader))
    #expect(first.shape === second.shape)
    #expect(third.shape.names.last == "B")
  }

  @Test func bytesThatAreCutOffAreRefused() {
    let bytes = RecordCoding.encode(Self.everything)
    for count in bytes.indices {
      var reader = StoredRecordReader()
      #expect(decoded(Array(bytes.prefix(count)), with: &reader) == nil, "\(count) bytes")
    }
  }

  @Test func anotherVersionIsRefused() {
    var bytes = RecordCoding.encode(EntityRecord(["A": .int32(1)]))
    bytes[0] = 2
    var reader = StoredRecordReader()
    #expect(decoded(bytes, with: &reader) == nil)
  }
}
