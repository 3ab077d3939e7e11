import ODataKit

/// Metadata, in XML and in JSON: the same whole and in pieces; and whatever was read can be asked.
@Sendable func fuzzMetadata(_ input: FuzzInput) {
  let whole = Outcome { try readMetadata([input.bytes]) }
  let cut = Outcome { try readMetadata(input.pieces) }
  whole.demandSame(as: cut, "whole and cut in pieces of \(input.pieces.map(\.count))")
  guard case .value(let metadata) = whole else { return }
  for type in metadata.schemas.flatMap({ $0.entityTypes + $0.complexTypes }) {
    let name = type.type.rawValue
    // Of two types with one name the first is found.
    guard let found = metadata.entityType(name) ?? metadata.complexType(name) else {
      fatalError("the type \(name) is not found")
    }
    for property in found.properties {
      demand(found.property(property.name) != nil, "\(name) lost \(property.name)")
      _ = metadata.property(property.name, of: type.type)
    }
    for property in found.navigationProperties {
      demand(found.navigationProperty(property.name) != nil, "\(name) lost \(property.name)")
    }
    demand(found.isKind(of: type.type), "\(name) is not of its own kind")
    _ = (found.key, found.isOpen, found.hasStream, found.feedMappings)
  }
  for set in metadata.entitySets {
    demand(metadata.entitySet(set.name) != nil, "the container lost \(set.name)")
    _ = metadata.entityType(ofSet: set.name)
  }
}

private func readMetadata(_ pieces: [[UInt8]]) throws -> ServiceMetadata {
  let reader = MetadataReader(limits: FuzzInput.limits)
  for piece in pieces { try reader.read(piece) }
  return try reader.finish()
}
