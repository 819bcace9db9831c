import CloudKitWire
import Foundation

/// The filters that are equivalent to a predicate. A record must match all of them.
struct QueryFilters: Sendable, Equatable {
    private(set) var list: [WireFilter] = []
    /// Whether no record can match, regardless of the filters. The result is then known without a request.
    private(set) var matchNothing = false

    /// Translates a predicate into filters.
    ///
    /// - Parameter now: The date that `now()` stands for.
    /// - Throws: ``UnsupportedPredicate`` for a predicate that filters cannot express, even if it contains a
    ///   `FALSEPREDICATE` that makes the result empty.
    init(_ tree: PredicateTree, now: Date = Date()) throws(UnsupportedPredicate) {
        let now = PredicateConstant(now: now)
        try add(tree, isDenied: false, now)
    }

    private mutating func add(
        _ tree: PredicateTree, isDenied: Bool, _ now: PredicateConstant
    ) throws(UnsupportedPredicate) {
        switch tree {
        case .always: if isDenied { matchNothing = true }
        case .never: if !isDenied { matchNothing = true }
        case .not(let tree): try add(tree, isDenied: !isDenied, now)
        case .comparison(let comparison):
            list += try ComparisonTranslation(comparison: comparison, isDenied: isDenied, now: now).filters()
        case .and(let parts):
            if isDenied { throw UnsupportedPredicate("NOT cannot precede predicates joined by AND") }
            for part in parts { try add(part, isDenied: false, now) }
        case .or: throw UnsupportedPredicate("OR is not supported: use IN, or several queries")
        case .distance(let distance):
            if isDenied { throw UnsupportedPredicate("NOT cannot precede a distance") }
            list.append(try Self.near(distance))
        case .search(let search):
            if isDenied { throw UnsupportedPredicate("NOT cannot precede a search for words") }
            list.append(
                WireFilter(
                    search.wantsAll ? .containsAllTokens : .containsAnyTokens, search.field, .string(search.text)))
        case .unsupported(let reason), .malformed(let reason): throw UnsupportedPredicate(reason)
        }
    }

    private static func near(_ distance: PredicateDistance) throws(UnsupportedPredicate) -> WireFilter {
        guard distance.relation == .less || distance.relation == .lessOrEqual else {
            throw UnsupportedPredicate("a distance can be compared only with < and <=")
        }
        guard distance.metres >= 0 else { throw UnsupportedPredicate("a distance must be at least 0 meters") }
        let field = try ComparisonTranslation.checked(distance.field)
        return WireFilter(.near, field, .location(distance.place), metres: distance.metres)
    }

    /// Appends the value of `filterBy`.
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for filter in list { filter.write(to: &writer) }
        writer.endArray()
    }
}

/// One filter in the form in which it is sent.
struct WireFilter: Sendable, Equatable {
    var comparator: CloudKitWire.Comparator
    /// The name of the field in the protocol; nil for a search in all fields.
    var field: String?
    var value: PredicateConstant
    /// The maximum distance; set for NEAR only.
    var metres: Double?

    /// - Parameter field: The name of the field as the predicate spells it.
    init(
        _ comparator: CloudKitWire.Comparator, _ field: String?, _ value: PredicateConstant, metres: Double? = nil
    ) {
        self.comparator = comparator
        self.field = field.map(SystemKey.wireName(of:))
        self.value = field.map { value.forField($0) } ?? value
        self.metres = metres
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let field {
            writer.key("fieldName")
            writer.string(field)
        }
        writer.key("comparator")
        writer.string(comparator.rawValue)
        writer.key("fieldValue")
        value.writeFieldValue(to: &writer, ofReferences: field.flatMap(SystemKey.init(spelling:))?.isReference == true)
        if let metres {
            writer.key("distance")
            writer.double(metres)
        }
        writer.endObject()
    }
}
