internal import AzureTable
internal import Foundation
internal import ODataKit

/// An entity's own properties as the bytes of one column.
///
/// Layout, version 1 (lengths are LEB128 numbers, fixed-size numbers little-endian):
///
///     version       1 byte, 1
///     names         length of the block, then the block: for each property length and UTF-8 bytes of its name
///     values        for each property one byte of type, then the value:
///                     1 string     length, UTF-8 bytes          5 Int64      8 bytes
///                     2 Binary     length, bytes                6 Double     8 bytes, the bits
///                     3 Boolean    1 byte, 0 or 1               7 Guid       16 bytes in text order
///                     4 Int32      4 bytes                      8 DateTime   8 bytes, ticks since year 1
///
/// The names stand together so that the rows of a scan, which mostly have the same ones, share one `RecordShape`
/// after one comparison of bytes. Keys and Timestamp are columns of their own and not repeated here; null is never
/// stored.
enum RecordCoding {
  static let version: UInt8 = 1

  enum TypeCode: UInt8 {
    case string = 1
    case binary, boolean, int32, int64, double, guid, dateTime
  }

  /// Writes the properties, system properties and nulls left out. Only the eight types of the service can be
  /// stored; validation has refused others before.
  static func encode(_ record: EntityRecord) -> [UInt8] {
    var names: [UInt8] = []
    var values: [UInt8] = []
    for (name, value) in record.properties where !value.isNull && !SystemProperty.isSystem(name) {
      names.appendLength(name.utf8.count)
      names.append(contentsOf: name.utf8)
      append(value, to: &values)
    }
    var out: [UInt8] = [version]
    out.reserveCapacity(names.count + values.count + 6)
    out.appendLength(names.count)
    out.append(contentsOf: names)
    out.append(contentsOf: values)
    return out
  }

  private static func append(_ value: EdmValue, to out: inout [UInt8]) {
    func begin(_ type: TypeCode) { out.append(type.rawValue) }
    switch value {
    case .string(let text):
      begin(.string)
      out.appendLength(text.utf8.count)
      out.append(contentsOf: text.utf8)
    case .binary(let bytes):
      begin(.binary)
      out.appendLength(bytes.count)
      out.append(contentsOf: bytes)
    case .boolean(let flag):
      begin(.boolean)
      out.append(flag ? 1 : 0)
    case .int32(let number):
      begin(.int32)
      out.appendFixed(UInt32(bitPattern: number))
    case .int64(let number):
      begin(.int64)
      out.appendFixed(UInt64(bitPattern: number))
    case .double(let number):
      begin(.double)
      out.appendFixed(number.bitPattern)
    case .guid(let guid):
      begin(.guid)
      withUnsafeBytes(of: guid.uuid) { out.append(contentsOf: $0) }
    case .dateTime(let time):
      begin(.dateTime)
      out.appendFixed(UInt64(bitPattern: time.ticks))
    default:
      preconditionFailure("A value of a type the service does not store got past validation.")
    }
  }
}

/// Reads stored rows into records; keeps the shapes it has seen, so one reader serves a whole scan.
struct StoredRecordReader {
  private var lastNames: [UInt8] = []
  private var lastShape: RecordShape?

  /// The record of a row: PartitionKey, RowKey, Timestamp, then the stored properties in order. `nil` for bytes
  /// this version cannot read.
  mutating func record(key: StoreKey, timestamp: EdmDateTime, bytes: UnsafeRawBufferPointer) -> EntityRecord?
  {
    var cursor = ByteCursor(bytes)
    guard cursor.byte() == RecordCoding.version, let length = cursor.length(),
      let names = cursor.take(length),
      let shape = shape(of: names)
    else { return nil }
    var values: [EdmValue] = []
    values.reserveCapacity(shape.names.count)
    values.append(.string(key.partitionKey))
    values.append(.string(key.rowKey))
    values.append(.dateTime(timestamp))
    while values.count < shape.names.count {
      guard let value = Self.value(&cursor) else { return nil }
      values.append(value)
    }
    return EntityRecord(
      shape: shape, values: values,
      control: ControlInformation(entityTag: EntityTag(timestamp: timestamp)))
  }

  private mutating func shape(of names: UnsafeRawBufferPointer) -> RecordShape? {
    if let lastShape, lastNames.count == names.count,
      lastNames.withUnsafeBytes({ $0.elementsEqual(names) })
    {
      return lastShape
    }
    var list = SystemProperty.all
    var cursor = ByteCursor(names)
    while !cursor.isAtEnd {
      guard let length = cursor.length(), let name = cursor.take(length) else { return nil }
      list.append(String(decoding: name, as: UTF8.self))
    }
    let shape = RecordShape(names: list)
    lastNames = Array(names)
    lastShape = shape
    return shape
  }

  private static func value(_ cursor: inout ByteCursor) -> EdmValue? {
    guard let type = cursor.byte().flatMap(RecordCoding.TypeCode.init(rawValue:)) else { return nil }
    switch type {
    case .string:
      return cursor.length().flatMap { cursor.take($0) }.map { .string(String(decoding: $0, as: UTF8.self)) }
    case .binary:
      return cursor.length().flatMap { cursor.take($0) }.map { .binary(Array($0)) }
    case .boolean:
      return cursor.byte().map { .boolean($0 != 0) }
    case .int32:
      return cursor.fixed(UInt32.self).map { .int32(Int32(bitPattern: $0)) }
    case .int64:
      return cursor.fixed(UInt64.self).map { .int64(Int64(bitPattern: $0)) }
    case .double:
      return cursor.fixed(UInt64.self).map { .double(Double(bitPattern: $0)) }
    case .guid:
      return cursor.take(16).map { bytes in
        var uuid = UUID().uuid
        withUnsafeMutableBytes(of: &uuid) { $0.copyMemory(from: bytes) }
        return .guid(UUID(uuid: uuid))
      }
    case .dateTime:
      return cursor.fixed(UInt64.self).flatMap { EdmDateTime(ticks: Int64(bitPattern: $0)) }.map {
        .dateTime($0)
      }
    }
  }
}

/// The three properties every entity has.
enum SystemProperty {
  static let partitionKey = TableProperty.partitionKey
  static let rowKey = TableProperty.rowKey
  static let timestamp = TableProperty.timestamp
  static let all = [partitionKey, rowKey, timestamp]

  static func isSystem(_ name: String) -> Bool {
    all.contains { $0.utf8.elementsEqual(name.utf8) }
  }
}
