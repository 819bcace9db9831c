public import NephosStorage

/// What features have to say about records, for one version of a catalog (docs/decisions/0027). A class, since every catalog that
/// is remembered has one, and every decision asks for it.
public final class Rules: Sendable {
    /// Of a server without features.
    public static let none = Rules()

    /// No feature has a say about any record, now and when a type comes.
    let areNone: Bool
    let catalog: Catalog?
    let recordRules: [any RecordRule]
    private let visibilityRules: [any VisibilityRule]
    private let ofTypes: [TypeNumber: OfType]

    /// What is said of one type.
    struct OfType: Sendable {
        fileprivate(set) var records: [any RecordRule] = []
        fileprivate(set) var hours: [RecordHours] = []
        /// Whether what a record held before must be read with it.
        var readsFields: Bool { records.contains { $0.readsFields } }
    }

    private init() {
        (areNone, catalog, recordRules, visibilityRules, ofTypes) = (true, nil, [], [], [:])
    }

    init(_ recordRules: [any RecordRule], _ visibilityRules: [any VisibilityRule], _ catalog: Catalog) {
        areNone = recordRules.isEmpty && visibilityRules.isEmpty
        self.catalog = catalog
        self.recordRules = recordRules
        self.visibilityRules = visibilityRules
        var ofTypes: [TypeNumber: OfType] = [:]
        for type in catalog.types.values {
            ofTypes[type.row.number] = Self.of(type, recordRules, visibilityRules, catalog)
        }
        self.ofTypes = ofTypes
    }

    private static func of(
        _ type: RecordType, _ recordRules: [any RecordRule], _ visibilityRules: [any VisibilityRule],
        _ catalog: Catalog
    ) -> OfType {
        OfType(
            records: recordRules.filter { $0.concerns(type.row.name, in: catalog) },
            hours: visibilityRules.compactMap { $0.hours(of: type, in: catalog) })
    }

    func hours(of type: RecordType) -> [RecordHours] { areNone ? [] : ofTypes[type.row.number]?.hours ?? [] }

    /// Those that have a say about records of a type, which this very request may have made.
    func rules(of type: RecordTypeRow) -> [any RecordRule] {
        guard !recordRules.isEmpty, let catalog else { return [] }
        return ofTypes[type.number]?.records ?? recordRules.filter { $0.concerns(type.name, in: catalog) }
    }

    /// Whether the fields of a stored record must be read before a decision changes, removes or makes use of it.
    func readFields(of type: TypeNumber) -> Bool {
        guard !areNone, let ofType = ofTypes[type] else { return false }
        return ofType.readsFields || !ofType.hours.isEmpty
    }
}

/// The rules of a server's features.
public struct RuleBook: Sendable {
    public var records: [any RecordRule]
    public var visibility: [any VisibilityRule]

    public init(records: [any RecordRule] = [], visibility: [any VisibilityRule] = []) {
        (self.records, self.visibility) = (records, visibility)
    }

    /// What they say by a version of a catalog: ``Catalog/derived`` where an engine is opened with them.
    public func rules(of catalog: Catalog) -> Rules {
        records.isEmpty && visibility.isEmpty ? .none : Rules(records, visibility, catalog)
    }
}

extension Catalog {
    /// What features have to say about its records.
    var rules: Rules { derived as? Rules ?? .none }
}
