public import CloudKit

/// What is counted: the records of a type, or the elements of a list.
public enum TrendsTracker: Sendable, Hashable {
    case type(CKRecord.RecordType)
    case list(TrendsList)

    /// The name in figures: `Post`, or `Novenas.names`.
    public var name: String {
        switch self {
        case .type(let type): type
        case .list(let list): "\(list.recordType).\(list.field)"
        }
    }

    var recordType: CKRecord.RecordType {
        switch self {
        case .type(let type): type
        case .list(let list): list.recordType
        }
    }

    var list: TrendsList? { if case .list(let list) = self { list } else { nil } }

    /// The name of the record that stores it. Names of types and fields contain no dots.
    var recordName: String { list == nil ? "type.\(name)" : "list.\(name)" }

    /// Each tracker once, in order: types, then lists.
    static func all(_ types: [CKRecord.RecordType], _ lists: [TrendsList]) -> [TrendsTracker] {
        var names: Set<String> = []
        return (types.map(TrendsTracker.type) + lists.map(TrendsTracker.list)).filter {
            names.insert($0.recordName).inserted
        }
    }
}
