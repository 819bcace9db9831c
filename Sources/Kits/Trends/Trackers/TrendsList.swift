public import CloudKit

/// A list field whose elements are counted.
///
/// If a type has a single record, such as a "master list", the newest is that record. `"Novenas.names"` is another way of writing
/// `TrendsList("Novenas", "names")`.
public struct TrendsList: Sendable, Hashable {
    /// The records of the type that the list is counted from.
    public enum Choice: Sendable, Hashable {
        /// The most recently created record.
        case newest
        /// The record with this name, in the default zone.
        case record(String)
        /// All records: the sum. Each refresh reads all of them.
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
    /// - Parameter value: A type and a field, separated by a dot. Without a dot the field is empty, and the refresh reports that.
    public init(stringLiteral value: String) {
        let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
}

extension TrendsList.Choice {
    /// The stored form, used to detect another choice.
    var text: String {
        switch self {
        case .newest: "newest"
        case .record(let name): "record \(name)"
        case .all: "all"
        }
    }
}
