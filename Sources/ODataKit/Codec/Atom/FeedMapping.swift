/// Which properties of entities stand in elements of the Atom entry instead of, or beside, the content: the
/// customizable feeds of OData 2 and 3 (MS-ODATA § 2.2.3.7.2.1). What maps where is said in the service's metadata.
package struct FeedMapping: Sendable, Hashable {
  /// An element or attribute of an entry.
  package struct Target: Sendable, Hashable {
    /// The namespace of all elements on the path.
    package var namespace: String
    /// The prefix the metadata wants for it, where it is not Atom's own.
    package var prefix: String?
    /// The names of the elements from the entry down.
    package var path: [String]
    /// The attribute of the last element, where the value stands in one.
    package var attribute: String?

    /// Reads `FC_TargetPath`: one of the names for Atom's own elements, or for a `namespace` of the service's
    /// (`FC_NsUri`) a path like `shelf/@place`. `nil` for what is neither, as for links and categories, which
    /// are mapped under conditions only.
    package init?(path: String, namespace: String? = nil, prefix: String? = nil) {
      if let namespace, !namespace.isEmpty {
        var names = path.split(separator: "/").map(String.init)
        if let last = names.last, last.hasPrefix("@") {
          attribute = String(last.dropFirst())
          names.removeLast()
        }
        guard !names.isEmpty, names.allSatisfy(XMLNameRules.isLocalName),
          attribute.map(XMLNameRules.isLocalName) ?? true
        else { return nil }
        (self.namespace, self.prefix, self.path) = (namespace, prefix, names)
      } else {
        guard let names = Self.syndication[path] else { return nil }
        (self.namespace, self.path) = (AtomNamespace.atom.description, names)
      }
    }

    private static let syndication = [
      "SyndicationTitle": ["title"], "SyndicationSummary": ["summary"], "SyndicationRights": ["rights"],
      "SyndicationPublished": ["published"], "SyndicationUpdated": ["updated"],
      "SyndicationAuthorName": ["author", "name"], "SyndicationAuthorEmail": ["author", "email"],
      "SyndicationAuthorUri": ["author", "uri"], "SyndicationContributorName": ["contributor", "name"],
      "SyndicationContributorEmail": ["contributor", "email"],
      "SyndicationContributorUri": ["contributor", "uri"],
    ]

    var isAtom: Bool { namespace.utf8.elementsEqual(AtomNamespace.atom.description.utf8) }
  }

  /// One property and where it stands.
  package struct Rule: Sendable, Hashable {
    /// The property, as a path through complex properties.
    package var property: [String]
    /// Its type.
    package var type: EdmType
    /// Where it stands.
    package var target: Target
    /// The kind of text it is there: `text`, `html` or `xhtml`.
    package var contentKind: String?
    /// Whether it stands in the content as well.
    package var keepsInContent: Bool

    /// Makes a rule.
    package init(
      property: [String], type: EdmType, target: Target, contentKind: String? = nil, keepsInContent: Bool
    ) {
      self.property = property
      self.type = type
      self.target = target
      self.contentKind = contentKind
      self.keepsInContent = keepsInContent
    }
  }

  private var rulesByType: [String: [Rule]]
  /// All elements that something is mapped to, each once.
  let targets: [Target]

  /// Maps the properties of entity types; nothing, as it stands. A type has the rules of the types it is derived from
  /// among its own.
  package init(_ rules: [EdmType: [Rule]] = [:]) {
    rulesByType = Dictionary(uniqueKeysWithValues: rules.map { ($0.key.rawValue, $0.value) })
    targets = Array(Set(rules.values.joined().map(\.target)))
  }

  /// Whether nothing is mapped.
  package var isEmpty: Bool { rulesByType.isEmpty }

  /// The rules of an entity type.
  package func rules(of type: String?) -> [Rule] { type.flatMap { rulesByType[$0] } ?? [] }
}

/// Metadata that tells, too, where properties stand in Atom.
package protocol FeedMappingCatalog: TypeCatalog {
  /// The rules of all entity types.
  var feedMapping: FeedMapping { get }
}

extension PayloadTypes {
  /// Where properties stand in Atom, as far as the metadata is known.
  var feedMapping: FeedMapping { (catalog as? any FeedMappingCatalog)?.feedMapping ?? FeedMapping() }
}

/// The texts of mapped elements of one entry, while they are read.
struct MappedTexts {
  /// The elements that are open below the entry.
  var path: [String] = []
  /// The place of the open element among the targets, where its text is one.
  var target: Int?
  /// How many elements were open below the entry where it began.
  var depth = 0
  var isNull = false
  /// What was found: the place among the targets, the text, whether it is null.
  private(set) var found: [(target: Int, text: String, isNull: Bool)] = []

  mutating func clear() {
    if !found.isEmpty { found.removeAll() }
  }

  /// Keeps the first text of a target, since authors and contributors may come more than once.
  mutating func keep(_ target: Int, _ text: String, isNull: Bool) {
    if !found.contains(where: { $0.target == target }) { found.append((target, text, isNull)) }
  }
}
