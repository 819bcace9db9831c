/// A table and its key, for work that iterates over whole tables.
package struct StoredTable: Sendable {
    package let name: String
    /// In engines whose tables are shared by all tenants, a tenant's table has the column `tenant` before ``key``.
    package let owner: Table.Owner
    package let key: [Column]

    package init(_ name: String, _ owner: Table.Owner, _ key: KeyValuePairs<String, ColumnKind>) {
        self.name = name
        self.owner = owner
        self.key = key.map { Column(name: $0.key, kind: $0.value) }
    }

    /// A table whose key begins with `db`, followed by these.
    private init(ofDatabases name: String, _ key: KeyValuePairs<String, ColumnKind>) {
        self.name = name
        owner = .database
        self.key = [Column(name: "db", kind: .database)] + key.map { Column(name: $0.key, kind: $0.value) }
    }

    /// A described table.
    package init(_ table: Table) {
        name = table.name
        owner = table.owner
        key = Array(table.columns.prefix(table.key.count))
    }

    static let heads = StoredTable(ofDatabases: "heads", [:])
    static let zones = StoredTable(ofDatabases: "zones", ["zone_no": .int])
    static let records = StoredTable(ofDatabases: "records", ["record_no": .int])
    static let tombstones = StoredTable(ofDatabases: "tombstones", ["zone_no": .int, "seq": .int])
    static let references = StoredTable(
        ofDatabases: "refs", ["zone_no": .int, "target": .utf8, "kind": .int, "record_no": .int])
    static let events = StoredTable(ChangeEventRow.table)
    static let eventRecords = StoredTable(ofDatabases: "event_records", ["event_seq": .int])
    static let trash = StoredTable(TrashRow.table)
    static let assets = StoredTable(AssetRow.table)
    static let assetUses = StoredTable(AssetUseRow.table)
    static let indexes = StoredTable(IndexRow.table)
    static let entries = StoredTable(
        ofDatabases: "index_rows", ["zone_no": .int, "index_no": .int, "key": .bytes, "record_no": .int])
    static let users = StoredTable(UserRow.table)
    static let keys = StoredTable(ServerKeyRow.table)

    /// The tables of a tenant except `catalog` and the tables of a ``TableSet``, heads first.
    fileprivate static let ofTenant = [
        heads, zones, records, tombstones, references, events, eventRecords, trash, assetUses, assets, indexes, entries,
    ]

    /// Names a row for people, by its key.
    ///
    /// - Parameter row: Begins with the key.
    package func label(_ row: borrowing some AnswerRow & ~Copyable) -> String {
        var parts: [String] = []
        for (place, column) in zip(Int32(0)..., key) {
            switch column.kind {
            case .database: parts.append("\(row.database(place))")
            case .int: parts.append("\(row.int(place))")
            case .text, .utf8: parts.append(row.string(place))
            // An id or a hash, of which people see only the first bytes.
            case .user, .bytes:
                parts.append(row.raw(place).prefix(4).map { String($0, radix: 16) }.joined(separator: ".") + "…")
            }
        }
        return "row \(parts.joined(separator: "/"))"
    }
}

extension TableSet {
    /// All tables of a tenant except `catalog`, heads first.
    package var stored: [StoredTable] { StoredTable.ofTenant + all.map { StoredTable($0.table) } }
}
