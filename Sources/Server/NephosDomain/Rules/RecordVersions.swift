public import CloudKitWire
public import NephosStorage

/// What a record became, when, and by whom: a row of a feature's own table, whose key is the database, the name and the version.
public protocol RecordVersionRow: StoredRow {
    /// The fields of the record as they were stored from then on; nil where it was deleted.
    var fields: Bytes? { get }
    /// Counted per name, from 1.
    var version: Int64 { get }

    /// - Parameters:
    ///   - type: Of the record; another may have its name later.
    ///   - author: Who made it so, for people.
    init(name: Name, type: TypeNumber, version: Int64, fields: Bytes?, changedAt: Milliseconds, author: String)

    /// Versions of a record. As one more comes, the oldest goes.
    static var kept: Int { get }
    /// A record that is made is its own first version, and is kept as one when it changes: so that making one costs nothing. Whoever shows
    /// versions adds it (``RecordVersions/unkept(_:after:)``).
    static var beginsWithChange: Bool { get }
}

extension RecordVersionRow {
    public static var beginsWithChange: Bool { false }

    /// The newest first.
    public static func newest(of name: Name, limit: Int) -> Scan<Self> {
        Scan(.database(RecordVersions<Self>.database), .name(name), descending: true, limit: limit)
    }

    /// A change adds two at most.
    public static func oldest(of name: Name) -> Scan<Self> {
        Scan(.database(RecordVersions<Self>.database), .name(name), limit: 2)
    }

    public static func version(_ version: Int64, of name: Name) -> Scan<Self> {
        Scan(.database(RecordVersions<Self>.database), .name(name), .int(version), limit: 1)
    }
}

extension Columns {
    /// The fields of a version. No fields at all are written `{}`, and a deletion as nothing.
    public mutating func version(_ column: String, _ fields: inout Bytes?) throws(StorageError) {
        var bytes = fields ?? []
        try utf8(column, &bytes)
        fields = bytes.isEmpty ? nil : bytes
    }
}

/// Keeps what records of the public database were, in the transaction of whatever changes them.
public struct RecordVersions<Row: RecordVersionRow>: RecordRule {
    /// The public one.
    public static var database: DatabaseNumber { 1 }

    private let isKept: @Sendable (Name, Catalog) -> Bool

    /// - Parameter isKept: Whether versions of records of a type are kept.
    public init(of row: Row.Type, where isKept: @escaping @Sendable (Name, Catalog) -> Bool) { self.isKept = isKept }

    public func concerns(_ type: Name, in catalog: Catalog) -> Bool { isKept(type, catalog) }

    /// A record that stood before there was a history begins it with what it was.
    public var readsFields: Bool { true }

    public func reading(_ changes: RecordChanges) -> AskedRows {
        var set = AskedRows()
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

    public func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout FollowingRows) {
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

    /// What a record is that nobody has kept a version of; nil where it is the newest.
    public static func unkept(_ record: RecordRow, after newest: Row?) -> Row? {
        guard newest?.fields != record.fields else { return nil }
        return Row(
            name: record.name, type: record.type, version: (newest?.version ?? 0) + 1, fields: record.fields,
            changedAt: record.modifiedAt,
            author: record.modifiedBy == .server ? "the server" : record.modifiedBy.recordName)
    }
}

extension RecordChanges {
    /// Who makes a change, for people.
    fileprivate func historyName(of change: RecordChange) -> String {
        switch change.cause {
        case .reset: "reset of the environment"
        case .asked, .cascade, .restoration, .server, .replaced: author.isEmpty ? "the server" : author
        }
    }
}
