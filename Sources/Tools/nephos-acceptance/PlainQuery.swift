import CloudKitWire
import NephosTesting

/// The field of a query: one of the shape, or one that every record has.
struct QueriedField {
    enum Meaning: Equatable { case field, recordName, createdAt, modifiedAt }

    /// The name in the query.
    var name: String
    var isSystem = false
    var meaning = Meaning.field
    var type: FieldType
    var indexes: Set<FieldShape.Index>

    var json: JSON { [isSystem ? "systemFieldName" : "fieldName": .string(name)] }

    /// The value, or the elements of the list; nil if there is none.
    func values(of record: ExpectedRecord) -> [PlainValue]? {
        switch meaning {
        case .recordName: return [.bytes(Array(record.name.utf8))]
        case .createdAt: return [.int(record.createdAt)]
        case .modifiedAt: return [.int(record.modifiedAt)]
        case .field:
            guard let json = record.fields[name] else { return nil }
            guard let element = type.element else { return PlainValue(json, as: type).map { [$0] } }
            return json.elements.compactMap { PlainValue($0, as: element) }
        }
    }
}

/// One filter, and its evaluation.
struct PlainFilter {
    var field: QueriedField
    var comparator: String
    var operands: [JSON]
    var distance: Double?

    private var isOfList: Bool {
        ["IN", "NOT_IN"].contains(comparator) || comparator.hasSuffix("_ANY") || comparator.hasSuffix("_ALL")
    }
    private var elementType: FieldType { comparator.hasSuffix("TOKENS") ? .string : field.type.element ?? field.type }

    var json: JSON {
        var filter = field.json
        filter["comparator"] = .string(comparator)
        let type = isOfList ? elementType.list ?? elementType : elementType
        filter["fieldValue"] = ["value": isOfList ? .array(operands) : operands[0], "type": .string(type.tag)]
        if let distance { filter["distance"] = .double(distance) }
        return filter
    }

    func matches(_ record: ExpectedRecord) -> Bool {
        if comparator.hasPrefix("NOT_") {
            var positive = self
            positive.comparator = String(comparator.dropFirst(4))
            return !positive.matches(record)
        }
        guard let values = field.values(of: record) else { return false }
        if comparator.hasSuffix("TOKENS") { return hasWords(record) }
        let wanted = operands.compactMap { PlainValue($0, as: elementType) }
        guard let first = wanted.first else { return false }
        let value = field.type.isList ? nil : values.first
        switch comparator {
        case "EQUALS", "IN": return value.map { value in wanted.contains { value.compare($0) == 0 } } ?? false
        case "LESS_THAN": return value.map { $0.compare(first) < 0 } ?? false
        case "LESS_THAN_OR_EQUALS": return value.map { $0.compare(first) <= 0 } ?? false
        case "GREATER_THAN": return value.map { $0.compare(first) > 0 } ?? false
        case "GREATER_THAN_OR_EQUALS": return value.map { $0.compare(first) >= 0 } ?? false
        case "BEGINS_WITH": return value?.begins(with: first) ?? false
        case "NEAR": return value?.distance(to: first).map { $0 <= distance ?? 0 } ?? false
        case "LIST_CONTAINS", "LIST_CONTAINS_ANY":
            return wanted.contains { one in values.contains { $0.compare(one) == 0 } }
        case "LIST_CONTAINS_ALL": return wanted.allSatisfy { one in values.contains { $0.compare(one) == 0 } }
        case "LIST_MEMBER_BEGINS_WITH": return values.contains { $0.begins(with: first) }
        default: return false
        }
    }

    private func hasWords(_ record: ExpectedRecord) -> Bool {
        let json = record.fields[field.name] ?? .absent
        let texts = field.type.isList ? json.elements.compactMap(\.string) : [json.string].compactMap { $0 }
        let present = texts.reduce(into: Set<String>()) { $0.formUnion(PlainWords.words(of: $1)) }
        let wanted = PlainWords.words(of: operands[0].string ?? "")
        // A search with stop words only finds nothing.
        guard !wanted.isEmpty else { return false }
        return comparator == "CONTAINS_ALL_TOKENS" ? wanted.isSubset(of: present) : !wanted.isDisjoint(with: present)
    }
}

/// One key of a sort order.
struct PlainSort {
    var field: QueriedField
    var isDescending: Bool
    /// Sort by distance from this location.
    var origin: JSON?

    var json: JSON {
        var sort = field.json
        sort["ascending"] = .bool(!isDescending)
        if let origin { sort["relativeLocation"] = ["value": origin, "type": "LOCATION"] }
        return sort
    }

    /// Negative if `left` comes first. Missing values come last in both directions.
    func compare(_ left: ExpectedRecord, _ right: ExpectedRecord) -> Int {
        let (a, b) = (field.values(of: left)?.first, field.values(of: right)?.first)
        guard let a else { return b == nil ? 0 : 1 }
        guard let b else { return -1 }
        return isDescending ? b.compare(a) : a.compare(b)
    }

    func distance(of record: ExpectedRecord) -> Double {
        guard let origin, let from = PlainValue(origin, as: .location),
            let metres = field.values(of: record)?.first?.distance(to: from)
        else { return .infinity }
        return metres
    }
}
