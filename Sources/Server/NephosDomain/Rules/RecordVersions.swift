public import CloudKitWire
public import NephosStorage

/// A version of a record, with time and author: a row of a feature's own table, whose key is the database, the name and the
/// version.
public protocol RecordVersionRow: StoredRow {
    /// The fields of the record as stored in this version; nil if it was deleted.
    var fields: Bytes? { get }
    /// Counted per name, from 1.
    var version: Int64 { get }

    /// - Parameters:
    ///   - type: Of the record; another may have its name later.
    ///   - author: The author of the version, for people.
    init(name: Name, type: TypeNumber, version: Int64, fields: Bytes?, changedAt: Milliseconds, author: String)

    /// The number of versions kept per record. A new one replaces the oldest.
    static var kept: Int { get }
    /// A new record is its own first version, and is stored as one only when it changes, so that creating it costs nothing. Code that
    /// shows versions adds it (``RecordVersions/unkept(_:after:)``).
    static var beginsWithChange: Bool { get }
}

extension RecordVersionRow {
    public static var beginsWithChange: Bool { false }

    /// Newest first.
    public static func newest(of name: Name, limit: Int) -> Scan<Self> {
        Scan(.database(RecordVersions<Self>.database), .name(name), descending: true, limit: limit)
    }

    /// A change adds at most two.
    public static func oldest(of name: Name) -> Scan<Self> {
        Scan(.database(RecordVersions<Self>.database), .name(name), limit: 2)
    }

    public static func version(_ version: Int64, of name: Name) -> Scan<Self> {
        Scan(.database(RecordVersions<Self>.database), .name(name), .int(version), limit: 1)
    }
}

extension Columns {
    /// The fields of a version. Empty fields are written `{}`, and a deletion as an empty text.
    public mutating func version(_ column: String, _ fields: inout Bytes?) throws(StorageError) {
        var bytes = fields ?? []
        try utf8(column, &bytes)
        fields = bytes.isEmpty ? nil : bytes
    }
}

/// Keeps earlier versions of records of the public database, in the transaction of the change.
public struct RecordVersions<Row: RecordVersionRow>: RecordRule {
    /// The public database.
    public static var database: DatabaseNumber { 1 }

    private let isKept: @Sendable (Name, Catalog) -> Bool

    /// - Parameter isKept: Whether versions of records of a type are kept.
    public init(of row: Row.Type, where isKept: @escaping @Sendable (Name, Catalog) -> Bool) { self.isKept = isKept }

    public func concerns(_ type: Name, in catalog: Catalog) -> Bool { isKept(type, catalog) }

    /// A record from before the history existed starts it with its previous state.
    public var readsFields: Bool { true }

    public func reading(_ changes: RecordChanges) -> RequestedRows {
        var set = RequestedRows()
        guard changes.head.kind == .publicLane else { return set }
        for name in Set(changes.asked.filter(isKept).map(\.name)).sorted() {
            set.ask(Row.newest(of: name, limit: 1))
            set.ask(Row.oldest(of: name))
        }
        return set
    }

    private func isKept(_ change: RecordChange) -> Bool {
        !Row.beginsWithChange || change.old != nil || change.cause != .asked
    }

    public func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane else { return }
        for change in changes.all where isKept(change) {
            let newest = reading[Row.newest(of: change.name, limit: 1)].first
            let before = change.oldRow.flatMap { Self.unkept($0, after: newest) }
            if let before { rows.put(before) }
            let last = before ?? newest
            guard last?.fields != change.new?.fields else { continue }
            let row = Row(
                name: change.name.owned, type: change.new?.type ?? change.oldRow?.type ?? 0,
                version: (last?.version ?? 0) + 1, fields: change.new?.fields, changedAt: changes.now,
                author: changes.historyName(of: change))
            rows.put(row)
            for oldest in reading[Row.oldest(of: change.name)] where row.version - oldest.version >= Int64(Row.kept) {
                rows.remove(oldest)
            }
        }
    }

    /// The current state of a record if it is not stored as a version; nil if it is the newest version.
    public static func unkept(_ record: RecordRow, after newest: Row?) -> Row? {
        guard newest?.fields != record.fields else { return nil }
        return Row(
            name: record.name, type: record.type, version: (newest?.version ?? 0) + 1, fields: record.fields,
            changedAt: record.modifiedAt,
            author: record.modifiedBy == .server ? "the server" : record.modifiedBy.recordName)
    }
}

extension RecordChanges {
    /// The author of a change, for people.
    fileprivate func historyName(of change: RecordChange) -> String {
        switch change.cause {
        case .reset: "reset of the environment"
        case .asked, .cascade, .restoration, .server, .replaced: author.isEmpty ? "the server" : author
        }
    }
}
