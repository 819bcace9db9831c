import CloudKitWire
public import NephosStorage

/// What features have to say about records, for one version of a catalog (docs/decisions/0027). A class, since every catalog that
/// is remembered has one, and every decision asks for it.
public final class Rules: Sendable {
    /// Of a server without features.
    public static let none = Rules()

    /// By which rules say what they concern: it has their sections, and no rules.
    let catalog: Catalog?
    let recordRules: [any RecordRule]
    private let ofTypes: [TypeNumber: OfType]
    /// Whether records of a type, which this very request may have made, are counted in databases of a kind.
    func count(_ type: RecordTypeRow, in kind: DatabaseKind) -> Bool {
        if counters.isEmpty { return false }
        if type.number <= lastType {
            return (kind == .publicLane ? countedInPublic : countedInPrivate).contains(type.number)
        }
        return counters.contains { counter in catalog.map { counter.counts(type.name, in: kind, $0) } ?? false }
    }

    /// What judges records by themselves, by the names of the types that are there.
    private let checks: [Name: [RecordCheck]]
    /// Types of whose records somebody has a say when they change, of those up to ``lastType``.
    private let concerned: Set<TypeNumber>
    /// Types of which somebody must see what may become of them, of those up to ``lastType``.
    private let judged: Set<TypeNumber>
    private let lastType: TypeNumber
    /// Somebody has a say about records of some type that is there, or hides some for a while.
    let concernSome, hideSome: Bool
    /// Somebody must see what may become of records of some type that is there.
    var judgeSome: Bool { !judged.isEmpty }
    /// Some rule changes other records along with those of some type.
    let changeOthers: Bool
    let counters: [any RecordCounter]
    /// Types of which records are counted, of those up to ``lastType``, by the kinds of their databases.
    private let countedInPublic, countedInPrivate: Set<TypeNumber>
    /// The sections of features.
    let knownSections: [any AnyCatalogSection]
    /// What their documents say, by name.
    let sections: [String: Result<any AnyObject & Sendable, SectionFailure>]

    /// What is said of one type.
    struct OfType: Sendable {
        /// Of ``records`` among ``recordRules``.
        let places: [Int]
        let records: [any RecordRule]
        let hours: [RecordHours]
        let held: [HeldField]
        /// Whether what a record held before must be read with it.
        var readsFields: Bool { records.contains { $0.readsFields } }
    }

    fileprivate init(
        sections: [String: Result<any AnyObject & Sendable, SectionFailure>] = [:],
        of known: [any AnyCatalogSection] = []
    ) {
        self.sections = sections
        knownSections = known
        (catalog, recordRules, ofTypes, checks, lastType) = (nil, [], [:], [:], 0)
        (concerned, judged) = ([], [])
        (concernSome, hideSome, changeOthers, counters) = (false, false, false, [])
        (countedInPublic, countedInPrivate) = ([], [])
    }

    /// - Parameter book: With a rule at least.
    fileprivate init(
        _ book: RuleBook, _ sections: [String: Result<any AnyObject & Sendable, SectionFailure>], _ stored: Catalog
    ) {
        let recordRules = book.records + (book.visibility.isEmpty ? [] : [DueEventRule(book.visibility)])
        // Rules may look into sections while they say what they concern.
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
        judged = Set(ofTypes.filter { $0.value.records.contains { $0.judges } }.keys)
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

    /// No feature has a say about any record, now and when a type comes: where records are hidden, moments are noted.
    var areNone: Bool { recordRules.isEmpty }

    func hours(of type: RecordType) -> [RecordHours] { hideSome ? ofTypes[type.row.number]?.hours ?? [] : [] }

    /// Whether somebody has a say when a record of a type changes, which this very request may have made. Asked for each record.
    func concern(_ type: RecordTypeRow) -> Bool {
        if type.number <= lastType { return concernSome && concerned.contains(type.number) }
        return !rules(of: type).isEmpty
    }

    /// Whether somebody must see what may become of records of a type, which this very request may have made. Asked for each record.
    func judge(_ type: RecordTypeRow) -> Bool {
        if type.number <= lastType { return judged.contains(type.number) }
        return rules(of: type).contains { $0.judges }
    }

    /// Places among ``recordRules`` of those that have a say about records of the type of one, which this very request may have made.
    func places(of change: RecordChange) -> [Int] {
        guard let catalog else { return [] }
        if let number = change.new?.type ?? change.old?.type, let known = ofTypes[number] { return known.places }
        return recordRules.indices.filter { recordRules[$0].concerns(change.type, in: catalog) }
    }

    /// Those that have a say about records of a type, which this very request may have made.
    func rules(of type: RecordTypeRow) -> [any RecordRule] {
        guard let catalog else { return [] }
        return ofTypes[type.number]?.records ?? recordRules.filter { $0.concerns(type.name, in: catalog) }
    }

    /// Why a record of a type, which this very request may have made, cannot be saved with some fields; nil where it can.
    func refusal(of fields: Bytes, _ type: Name) -> Refusal? {
        guard let catalog else { return nil }
        for check in checks[type] ?? recordRules.compactMap({ $0.check(type, in: catalog) }) {
            if let refusal = check(fields) { return refusal }
        }
        return nil
    }

    /// Fields of records of a type whose references must lead somewhere when they are saved.
    func held(of type: RecordTypeRow) -> [HeldField] {
        guard !areNone, let catalog else { return [] }
        return ofTypes[type.number]?.held ?? recordRules.flatMap { $0.held(type.name, in: catalog) }
    }

    /// Whether the fields of a stored record must be read before a decision changes, removes or makes use of it.
    func readFields(of type: TypeNumber) -> Bool {
        guard let ofType = ofTypes[type] else { return false }
        return ofType.readsFields || !ofType.hours.isEmpty
    }
}

/// The rules of a server's features, and the documents by which they are set up.
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

    /// Nothing is said of any record.
    public var isEmpty: Bool { records.isEmpty && visibility.isEmpty && sections.isEmpty && counters.isEmpty }

    /// What they say by a version of a catalog: ``Catalog/derived`` where an engine is opened with them.
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
    /// What features have to say about its records.
    var rules: Rules { derived as? Rules ?? .none }
}
