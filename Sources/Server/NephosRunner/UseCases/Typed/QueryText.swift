package import CloudKitWire

/// A filter as it is typed: `FIELD OPERATOR VALUE`.
package struct FilterText {
    private let field: String
    private let comparator: String
    private let value: String

    private static let signs = [
        "==": "EQUALS", "=": "EQUALS", "!=": "NOT_EQUALS", "<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUALS",
        ">": "GREATER_THAN", ">=": "GREATER_THAN_OR_EQUALS", "LIST_NOT_CONTAINS": "NOT_LIST_CONTAINS",
        "LIST_NOT_CONTAINS_ANY": "NOT_LIST_CONTAINS_ANY",
    ]
    /// Comparators whose value is a list, written with commas.
    private static let ofLists: Set<String> = [
        "IN", "NOT_IN", "LIST_CONTAINS_ANY", "NOT_LIST_CONTAINS_ANY", "LIST_CONTAINS_ALL", "NOT_LIST_CONTAINS_ALL",
    ]

    init(_ text: String) throws(Failure) {
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        guard words.count == 3 else {
            throw Failure("A filter must be FIELD OPERATOR VALUE, not: \(text)", kind: .wrongUsage)
        }
        field = words[0]
        let comparator = Self.signs[words[1]] ?? words[1].uppercased()
        guard Comparator(rawValue: comparator) != nil else {
            throw Failure(
                "There is no operator \(words[1]). The operators are ==, !=, <, <=, >, >= and "
                    + Comparator.allCases.map(\.rawValue).joined(separator: ", "), kind: .wrongUsage)
        }
        self.comparator = comparator
        value = words[2]
    }

    /// Several of them, as a query has them: a JSON array.
    package static func json(_ texts: [String]) throws(Failure) -> [UInt8] {
        var json = JSONWriter()
        try write(texts, to: &json)
        return json.bytes
    }

    package static func write(_ texts: [String], to json: inout JSONWriter) throws(Failure) {
        json.beginArray()
        for text in texts { try FilterText(text).write(to: &json) }
        json.endArray()
    }

    /// What was probably meant otherwise in filters that no record matches: several conditions in one, or quotes around a text.
    /// nil for nothing.
    package static func doubt(_ texts: [String]) -> String? {
        for text in texts {
            guard let filter = try? FilterText(text) else { continue }
            let words = filter.value.uppercased().split(separator: " ")
            let isQuoted = ["\"", "'"].contains { filter.value.hasPrefix($0) && filter.value.hasSuffix($0) }
            guard isQuoted || words.contains(where: { ["AND", "OR", "&&", "||"].contains($0) }) else { continue }
            let sign = text.split(separator: " ")[1]
            return """
                \(filter.field) was compared with this text: \(filter.value)
                Pass each condition by itself, and texts without quotes: \
                --filters "\(filter.field) \(sign) TEXT" "FIELD > 95"
                """
        }
        return nil
    }

    private func write(to json: inout JSONWriter) throws(Failure) {
        json.beginObject()
        json.member("fieldName", field)
        json.member("comparator", comparator)
        json.key("fieldValue")
        if Self.ofLists.contains(comparator) {
            try ValueText.write(list: value, to: &json)
        } else if comparator == "NEAR" {
            try writePlace(to: &json)
        } else {
            try ValueText(value).write(to: &json)
        }
        json.endObject()
    }

    /// A location, followed by an optional distance in meters.
    private func writePlace(to json: inout JSONWriter) throws(Failure) {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        try ValueText(parts.first ?? "").write(to: &json)
        guard parts.count > 1 else { return }
        guard let metres = Double(parts[1]), metres.isFinite else {
            throw Failure("A distance must be a number of meters, not: \(parts[1])", kind: .wrongUsage)
        }
        json.key("distance")
        json.double(metres)
    }
}

/// One sort key as it is typed: `FIELD ASC`, `FIELD DESC`.
package struct SortText {
    private let field: String
    private let isAscending: Bool

    package init(_ text: String) throws(Failure) {
        let words = text.split(separator: " ").map(String.init)
        let direction = words.count > 1 ? words[1].uppercased() : "ASC"
        guard (1...2).contains(words.count), ["ASC", "DESC"].contains(direction) else {
            throw Failure("A sort must be FIELD ASC or FIELD DESC, not: \(text)", kind: .wrongUsage)
        }
        field = words[0]
        isAscending = direction == "ASC"
    }

    package func write(to json: inout JSONWriter) throws(Failure) {
        json.beginObject()
        json.member("fieldName", field)
        json.member("ascending", isAscending)
        json.endObject()
    }
}
