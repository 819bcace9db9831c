import CloudKitWire
public import NephosStorage

/// The features' rules for records, for one version of a catalog (docs/decisions/0027). A class, because every cached catalog has
/// one, and every decision uses it.
public final class Rules: Sendable {
    /// For a server without features.
    public static let none = Rules()

    /// The catalog with which rules determine what they apply to: it has their sections, and no rules.
    let catalog: Catalog?
    let recordRules: [any RecordRule]
    private let ofTypes: [TypeNumber: OfType]
    /// Whether records of a type, which this very request may have created, are counted in databases of a kind.
    func count(_ type: RecordTypeRow, in kind: DatabaseKind) -> Bool {
        if counters.isEmpty { return false }
        if type.number <= lastType {
            return (kind == .publicLane ? countedInPublic : countedInPrivate).contains(type.number)
        }
        return counters.contains { counter in catalog.map { counter.counts(type.name, in: kind, $0) } ?? false }
    }

    /// Checks of a record's own content, by the names of existing types.
    private let checks: [Name: [RecordCheck]]
    /// Types with a rule for their changes, up to ``lastType``.
    private let concerned: Set<TypeNumber>
    /// Types with a rule that must see possible changes, up to ``lastType``.
    private let inspected: Set<TypeNumber>
    private let lastType: TypeNumber
    /// Whether some rule applies to records of an existing type, or hides some for a while.
    let concernSome, hideSome: Bool
    /// Whether some rule must see possible changes of records of an existing type.
    var inspectSome: Bool { !inspected.isEmpty }
    /// Whether some rule changes other records along with those of some type.
    let changeOthers: Bool
    let counters: [any RecordCounter]
    /// Types whose records are counted, up to ``lastType``, by the kinds of their databases.
    private let countedInPublic, countedInPrivate: Set<TypeNumber>
    /// The sections of features.
    let knownSections: [any AnyCatalogSection]
    /// The parsed documents, by name.
    let sections: [String: Result<any AnyObject & Sendable, SectionFailure>]

    /// The rules for one type.
    struct OfType: Sendable {
        /// The indices of ``records`` in ``recordRules``.
        let places: [Int]
        let records: [any RecordRule]
        let hours: [RecordHours]
        let held: [HeldField]
        /// Whether the previous content of a record must be read with it.
        var readsFields: Bool { records.contains { $0.readsFields } }
    }

    fileprivate init(
        sections: [String: Result<any AnyObject & Sendable, SectionFailure>] = [:],
        of known: [any AnyCatalogSection] = []
    ) {
        self.sections = sections
        knownSections = known
        (catalog, recordRules, ofTypes, checks, lastType) = (nil, [], [:], [:], 0)
        (concerned, inspected) = ([], [])
        (concernSome, hideSome, changeOthers, counters) = (false, false, false, [])
        (countedInPublic, countedInPrivate) = ([], [])
    }

    /// - Parameter book: With at least one rule.
    fileprivate init(
        _ book: RuleBook, _ sections: [String: Result<any AnyObject & Sendable, SectionFailure>], _ stored: Catalog
    ) {
        let recordRules = book.records + (book.visibility.isEmpty ? [] : [DueEventRule(book.visibility)])
        // Rules may read sections while they determine what they apply to.
        let catalog = stored.deriving { _ in Rules(sections: sections, of: book.sections) }
        self.sections = sections
        knownSections = book.sections
        self.catalog = catalog
        self.recordRules = recordRules
        checks = catalog.types.mapValues { type in recordRules.compactMap { $0.check(type.row.name, in: catalog) } }
        let ofTypes = Dictionary(
            uniqueKeysWithValues: catalog.types.values.map { type in
                let places = recordRules.indices.filter { recordRules[$0].concerns(type.row.name, in: catalog) }
                return (
                    type.row.number,
                    OfType(
                        places: places, records: places.map { recordRules[$0] },
                        hours: book.visibility.hours(of: type, in: catalog),
                        held: recordRules.flatMap { $0.held(type.row.name, in: catalog) })
                )
            })
        self.ofTypes = ofTypes
        concerned = Set(ofTypes.filter { !$0.value.records.isEmpty }.keys)
        inspected = Set(ofTypes.filter { $0.value.records.contains { $0.needsPossibleChanges } }.keys)
        lastType = max(catalog.head.lastType, ofTypes.keys.max() ?? 0)
        counters = book.counters
        func counted(in kind: DatabaseKind) -> Set<TypeNumber> {
            let types = catalog.types.values.filter { type in
                book.counters.contains { $0.counts(type.row.name, in: kind, catalog) }
            }
            return Set(types.map(\.row.number))
        }
        (countedInPublic, countedInPrivate) = (counted(in: .publicLane), counted(in: .personal))
        concernSome = !concerned.isEmpty
        changeOthers = ofTypes.values.contains { $0.records.contains { $0.changesOthers } }
        hideSome = ofTypes.values.contains { !$0.hours.isEmpty }
    }

    /// No rule applies to any record, now or when a type is added: if records are hidden, times are noted.
    var isEmpty: Bool { recordRules.isEmpty }

    func hours(of type: RecordType) -> [RecordHours] { hideSome ? ofTypes[type.row.number]?.hours ?? [] : [] }

    /// Whether a rule applies to changes of records of a type, which this very request may have created. Called for each record.
    func concern(_ type: RecordTypeRow) -> Bool {
        if type.number <= lastType { return concernSome && concerned.contains(type.number) }
        return !rules(of: type).isEmpty
    }

    /// Whether a rule must see possible changes of records of a type, which this very request may have created. Called for each
    /// record.
    func inspect(_ type: RecordTypeRow) -> Bool {
        if type.number <= lastType { return inspected.contains(type.number) }
        return rules(of: type).contains { $0.needsPossibleChanges }
    }

    /// The indices in ``recordRules`` of the rules for the type of a record, which this very request may have created.
    func places(of change: RecordChange) -> [Int] {
        guard let catalog else { return [] }
        if let number = change.new?.type ?? change.old?.type, let known = ofTypes[number] { return known.places }
        return recordRules.indices.filter { recordRules[$0].concerns(change.type, in: catalog) }
    }

    /// The rules for a type, which this very request may have created.
    func rules(of type: RecordTypeRow) -> [any RecordRule] {
        guard let catalog else { return [] }
        return ofTypes[type.number]?.records ?? recordRules.filter { $0.concerns(type.name, in: catalog) }
    }

    /// Why a record of a type, which this very request may have created, cannot be saved with these fields; nil if it can.
    func refusal(of fields: Bytes, _ type: Name) -> Refusal? {
        guard let catalog else { return nil }
        for check in checks[type] ?? recordRules.compactMap({ $0.check(type, in: catalog) }) {
            if let refusal = check(fields) { return refusal }
        }
        return nil
    }

    /// Fields of records of a type whose references must have a target when they are saved.
    func held(of type: RecordTypeRow) -> [HeldField] {
        guard !isEmpty, let catalog else { return [] }
        return ofTypes[type.number]?.held ?? recordRules.flatMap { $0.held(type.name, in: catalog) }
    }

    /// Whether the fields of a stored record must be read before a decision changes, removes or uses it.
    func readFields(of type: TypeNumber) -> Bool {
        guard let ofType = ofTypes[type] else { return false }
        return ofType.readsFields || !ofType.hours.isEmpty
    }
}

/// The rules of a server's features, and the sections that configure them.
public struct RuleBook: Sendable {
    public var records: [any RecordRule]
    public var visibility: [any VisibilityRule]
    public var sections: [any AnyCatalogSection]
    public var counters: [any RecordCounter]

    public init(
        records: [any RecordRule] = [], visibility: [any VisibilityRule] = [], sections: [any AnyCatalogSection] = [],
        counters: [any RecordCounter] = []
    ) {
        (self.records, self.visibility, self.sections, self.counters) = (records, visibility, sections, counters)
    }

    /// There are no rules for any record.
    public var isEmpty: Bool { records.isEmpty && visibility.isEmpty && sections.isEmpty && counters.isEmpty }

    /// The rules for a version of a catalog: ``Catalog/derived`` if an engine is opened with them.
    public func rules(of catalog: Catalog) -> Rules {
        let values = sections.reduce(into: [:]) { values, section in
            values[section.name] = catalog.sections[section.name].map { row in
                Result { () throws(SectionFailure) in try section.kept(row.document) }
            }
        }
        guard records.isEmpty && visibility.isEmpty && counters.isEmpty else { return Rules(self, values, catalog) }
        return sections.isEmpty ? .none : Rules(sections: values, of: sections)
    }
}

extension Catalog {
    /// The features' rules for its records.
    var rules: Rules { derived as? Rules ?? .none }
}
