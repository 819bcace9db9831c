package import CloudKitWire
import NephosQueries
package import NephosStorage

extension RequestContext {
    /// The conditions that filters impose on every record of a query's result.
    ///
    /// - Parameter zone: The zone to search; nil for the whole database.
    /// - Throws: ``Refusal`` for a filter that the type does not permit.
    package func conditions(
        _ filters: [QueryFilter], of type: RecordType, in zone: Name?
    ) throws(Refusal) -> [QueryCondition] {
        try FilterDecoder(type: type, caller: caller.user, zone: zone.map(references(in:))).conditions(filters)
    }
}

/// Converts the filters of a query to the conditions of a scan (docs/protocol.md, "Filters").
struct FilterDecoder {
    /// The maximum number of words in a search.
    static let wordsMax = RequestList.value.limit
    /// The maximum size of a search text, in bytes.
    static let searchBytesMax = 16 << 10

    let type: RecordType
    let caller: UserID?
    /// The zone to search; nil for the whole database.
    let zone: ReferenceZone?

    /// The conditions for every record. Filters that always hold are dropped.
    func conditions(_ filters: [QueryFilter]) throws(Refusal) -> [QueryCondition] {
        if filters.isEmpty { try QueriedField.requireListing(of: type) }
        var conditions: [QueryCondition] = []
        for filter in filters {
            if let condition = try condition(filter) { conditions.append(condition) }
        }
        return conditions
    }

    private func condition(_ filter: QueryFilter) throws(Refusal) -> QueryCondition? {
        guard let name = filter.field else { return try search(filter, in: try searchableFields()) }
        let field = try QueriedField(name, in: type)
        try filter.comparator.check(field)
        switch filter.comparator.family {
        case .equality: return try equality(filter, field)
        case .order: return try order(filter, field)
        case .prefix, .elementPrefix: return QueryCondition(field.field, try prefix(filter, field))
        case .element: return try elements(filter, field)
        case .words: return try search(filter, in: [field.field])
        case .distance: return QueryCondition(field.field, try distance(filter, field))
        }
    }

    /// Matches nothing.
    private static let never = QueryCondition(.recordName, .isAny([]))

    // MARK: Values

    /// The values that the field equals or contains; values that it cannot hold are left out.
    private func equality(_ filter: QueryFilter, _ field: QueriedField) throws(Refusal) -> QueryCondition? {
        let values = distinct(try values(filter, field).compactMap { ExactValue.equal(to: $0, in: field) })
        switch filter.comparator {
        case .notEquals, .notIn: return values.isEmpty ? nil : QueryCondition(field.field, .isNone(values))
        default: return values.isEmpty ? Self.never : QueryCondition(field.field, .isAny(values))
        }
    }

    private func elements(_ filter: QueryFilter, _ field: QueriedField) throws(Refusal) -> QueryCondition? {
        let asked = try values(filter, field)
        let values = distinct(asked.compactMap { ExactValue.equal(to: $0, in: field) })
        // No list contains all elements if one of them cannot exist.
        let cannotHoldAll = asked.contains { ExactValue.equal(to: $0, in: field) == nil }
        switch filter.comparator {
        case .notListContains, .notListContainsAny:
            return values.isEmpty ? nil : QueryCondition(field.field, .holdsNone(values))
        case .listContainsAll: return cannotHoldAll ? Self.never : QueryCondition(field.field, .holdsAll(values))
        case .notListContainsAll: return cannotHoldAll ? nil : QueryCondition(field.field, .holdsNotAll(values))
        default: return values.isEmpty ? Self.never : QueryCondition(field.field, .holdsAny(values))
        }
    }

    private func order(_ filter: QueryFilter, _ field: QueriedField) throws(Refusal) -> QueryCondition {
        let value = try value(filter, field)
        switch filter.comparator {
        case .greaterThan, .greaterThanOrEquals:
            let isIncluded = filter.comparator == .greaterThanOrEquals
            guard let bound = ExactValue.lowerBound(value, isIncluded: isIncluded, in: field) else { return Self.never }
            return QueryCondition(field.field, .isBetween(bound, nil))
        default:
            let isIncluded = filter.comparator == .lessThanOrEquals
            guard let bound = ExactValue.upperBound(value, isIncluded: isIncluded, in: field) else { return Self.never }
            return QueryCondition(field.field, .isBetween(nil, bound))
        }
    }

    private func prefix(_ filter: QueryFilter, _ field: QueriedField) throws(Refusal) -> QueryCondition.Test {
        guard case .string(let prefix) = try value(filter, field) else { throw .failed }
        switch filter.comparator {
        case .beginsWith: return .beginsWith(prefix)
        case .notBeginsWith: return .beginsNotWith(prefix)
        case .listMemberBeginsWith: return .memberBeginsWith(prefix)
        default: return .noMemberBeginsWith(prefix)
        }
    }

    private func distance(_ filter: QueryFilter, _ field: QueriedField) throws(Refusal) -> QueryCondition.Test {
        guard case .location(let latitude, let longitude) = try value(filter, field) else { throw .failed }
        guard let metres = filter.distance, metres >= 0 else {
            throw .badRequest("NEAR needs a 'distance' in meters, 0 or more")
        }
        return .isNear(Place(latitude: latitude, longitude: longitude), metres: metres)
    }

    // MARK: Words

    private func searchableFields() throws(Refusal) -> [RecordField] {
        let rows = type.fields.values.filter { !$0.isOfSystem && $0.options.contains(.searchable) }
        guard !rows.isEmpty else {
            throw .badRequest(
                "no field of record type \(type.row.name.excerpt) is marked searchable (write SEARCHABLE after a "
                    + "STRING field in the schema, then import the schema)")
        }
        return rows.sorted { $0.name < $1.name }.map { QueriedField($0, in: type).field }
    }

    /// A search without any word finds nothing.
    private func search(_ filter: QueryFilter, in fields: [RecordField]) throws(Refusal) -> QueryCondition {
        let subject = FilterSubject(field: filter.field?.name ?? "", recordType: type.row.name, type: .string)
        guard case .string(let text) = try read({ () throws(WireError) in try filter.value.filterValue(of: subject) })
        else { throw .failed }
        guard text.count <= Self.searchBytesMax else {
            throw .limitExceeded("the text to search for can have at most \(Self.searchBytesMax) bytes")
        }
        let words = Tokeniser.tokens(in: text)
        guard words.count <= Self.wordsMax else {
            throw .limitExceeded("the text to search for can have at most \(Self.wordsMax) words")
        }
        guard !words.isEmpty else { return Self.never }
        return QueryCondition(fields, .hasTokens(words, all: filter.comparator == .containsAllTokens))
    }

    // MARK: Reading

    private func value(_ filter: QueryFilter, _ field: QueriedField) throws(Refusal) -> FilterValue {
        let subject = subject(of: filter, field)
        return ownName(try read { () throws(WireError) in try filter.value.filterValue(of: subject) }, field)
    }

    private func values(_ filter: QueryFilter, _ field: QueriedField) throws(Refusal) -> [FilterValue] {
        guard filter.comparator.takesList else { return [try value(filter, field)] }
        let subject = subject(of: filter, field)
        let values = try read { () throws(WireError) in try filter.value.filterValues(of: subject) }
        return values.map { ownName($0, field) }
    }

    private func subject(of filter: QueryFilter, _ field: QueriedField) -> FilterSubject {
        // Some clients send only a list of record names. Users are not in the zone of the records that they created.
        FilterSubject(
            field: field.spelling, recordType: type.row.name, type: field.type, isSystem: field.isSystem,
            takesNames: field.isSystem || filter.comparator == .in || filter.comparator == .notIn,
            zone: field.isUser ? nil : zone)
    }

    /// A user may be named by the alias for the caller.
    private func ownName(_ value: FilterValue, _ field: QueriedField) -> FilterValue {
        guard field.isUser, let caller, case .recordName(let name) = value, ZoneIDDictionary.isCallerAlias(name) else {
            return value
        }
        return .recordName(Name(caller.recordName))
    }

    private func read<Value>(_ body: () throws(WireError) -> Value) throws(Refusal) -> Value {
        do throws(WireError) { return try body() } catch { throw Refusal(error) }
    }

    private func distinct(_ values: [QueryValue]) -> [QueryValue] {
        guard values.count > 1 else { return values }
        var seen: Set<QueryValue> = []
        return values.filter { seen.insert($0).inserted }
    }
}
