public import CloudKit

/// A list field whose elements are counted.
///
/// Where a type has one record, as a "master list" is one, the newest is that record. `"Novenas.names"` is another way of writing
/// `TrendsList("Novenas", "names")`.
public struct TrendsList: Sendable, Hashable {
    /// Of which records of the type the list is counted.
    public enum Choice: Sendable, Hashable {
        /// Of the record that was created last.
        case newest
        /// Of the record of this name, in the default zone.
        case record(String)
        /// Of all records: the sum. Each refresh reads all of them.
        case all
    }

    public var recordType: CKRecord.RecordType
    public var field: CKRecord.FieldKey
    public var choice: Choice

    public init(_ recordType: CKRecord.RecordType, _ field: CKRecord.FieldKey, of choice: Choice = .newest) {
        (self.recordType, self.field, self.choice) = (recordType, field, choice)
    }
}

extension TrendsList: ExpressibleByStringLiteral {
    /// - Parameter value: A type and a field with a dot between. Without one the field is empty, and the refresh says so.
    public init(stringLiteral value: String) {
        let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
}

extension TrendsList.Choice {
    /// As it is kept, to tell another choice from this one.
    var text: String {
        switch self {
        case .newest: "newest"
        case .record(let name): "record \(name)"
        case .all: "all"
        }
    }
}
