/// The comparison of a filter.
public enum Comparator: String, Sendable, Hashable, CaseIterable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    case near = "NEAR"
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    case `in` = "IN"
    case notIn = "NOT_IN"
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listContainsAny = "LIST_CONTAINS_ANY"
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    case listContainsAll = "LIST_CONTAINS_ALL"
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
    case containsAny = "CONTAINS_ANY"

    /// Whether the comparator may apply to all searchable fields instead of one.
    var mayLackField: Bool { self == .containsAllTokens || self == .containsAnyTokens }
}

/// One condition of a query; all of them must hold.
public struct QueryFilter: Sendable {
    public var comparator: Comparator
    /// nil for a token search over all searchable fields.
    public var field: QueryField?
    /// The value to compare with: ``FieldInput/filterValue(of:)``, ``FieldInput/filterValues(of:)``.
    public var value: FieldInput
    /// In meters; only with NEAR.
    public var distance: Double?

    init(_ reader: inout JSONReader) throws(WireError) {
        var comparator: Comparator?
        var field = QueryFieldReading()
        var value: FieldInput?
        var distance: Double?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "comparator": comparator = try reader.readCase("comparator")
            case "fieldValue": value = try FieldInput(&reader)
            case "distance": distance = try reader.readDouble()
            default: _ = try field.read(&reader, key)
            }
        }
        guard let comparator else { throw WireError.missing("comparator") }
        guard let value else { throw WireError.missing("fieldValue") }
        guard field.value != nil || comparator.mayLackField else { throw WireError.missing("fieldName") }
        self.comparator = comparator
        self.field = field.value
        self.value = value
        self.distance = distance
    }
}

/// One key of a query's order.
public struct QuerySort: Sendable {
    public var field: QueryField
    public var ascending: Bool
    /// Sort by distance from this location.
    public var relativeLocation: FieldInput?

    init(_ reader: inout JSONReader) throws(WireError) {
        var field = QueryFieldReading()
        var ascending = true
        var relativeLocation: FieldInput?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "ascending": ascending = try reader.readBool()
            case "relativeLocation": relativeLocation = try FieldInput(location: &reader)
            default: _ = try field.read(&reader, key)
            }
        }
        guard let value = field.value else { throw WireError.missing("fieldName") }
        self.field = value
        self.ascending = ascending
        self.relativeLocation = relativeLocation
    }
}
