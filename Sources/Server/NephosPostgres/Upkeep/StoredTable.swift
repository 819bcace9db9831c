import NephosStorage

/// A table and its key, for work that goes through whole tables.
struct StoredTable: Sendable {
    /// Whose a row is.
    enum Owner: Sendable {
        /// Of a database: the first column of the key is `db`.
        case database
        /// Of a tenant: the key has the column `tenant` before the ones that are listed here.
        case tenant
        /// Of no tenant: a table of the directory.
        case directory
    }

    enum Kind: Sendable {
        /// The column `db`.
        case database
        case number, name, text
        /// Bytes of an id or a hash, of which people see only the first.
        case id
    }

    struct Column: Sendable {
        let name: String
        let kind: Kind
    }

    let name: String
    let owner: Owner
    let key: [Column]

    private init(_ name: String, _ owner: Owner, _ key: KeyValuePairs<String, Kind>) {
        self.name = name
        self.owner = owner
        self.key = key.map { Column(name: $0.key, kind: $0.value) }
    }

    /// A table whose key begins with `db`, followed by these.
    private init(ofDatabases name: String, _ key: KeyValuePairs<String, Kind>) {
        self.name = name
        owner = .database
        self.key = [Column(name: "db", kind: .database)] + key.map { Column(name: $0.key, kind: $0.value) }
    }

    /// A described table.
    init(_ table: Table) {
        name = table.name
        owner = table.owner == .database ? .database : .tenant
        key = table.columns.prefix(table.key.count).map { Column(name: $0.name, kind: Kind($0.kind)) }
    }

    // MARK: Directory

    static let accounts = StoredTable("accounts", .directory, ["id": .text])
    static let containers = StoredTable("containers", .directory, ["id": .text])
    static let catalog = StoredTable("catalog", .directory, ["tenant": .number])

    // MARK: Of a tenant

    static let users = StoredTable(UserRow.table)
    static let keys = StoredTable(ServerKeyRow.table)

    // MARK: Of a database

    static let heads = StoredTable(ofDatabases: "heads", [:])
    static let zones = StoredTable(ofDatabases: "zones", ["zone_no": .number])
    static let records = StoredTable(ofDatabases: "records", ["record_no": .number])
    static let tombstones = StoredTable(ofDatabases: "tombstones", ["zone_no": .number, "seq": .number])
    static let references = StoredTable(
        ofDatabases: "refs", ["zone_no": .number, "target": .name, "kind": .number, "record_no": .number])
    static let events = StoredTable(ofDatabases: "change_events", ["seq": .number])
    static let eventRecords = StoredTable(ofDatabases: "event_records", ["event_seq": .number])
    static let trash = StoredTable(ofDatabases: "trash", ["record_no": .number])
    static let assets = StoredTable(ofDatabases: "assets", ["address": .id])
    static let assetUses = StoredTable(
        ofDatabases: "asset_refs", ["zone_no": .number, "record_no": .number, "address": .id])
    static let indexes = StoredTable(ofDatabases: "indexes", ["index_no": .number])
    static let entries = StoredTable(
        ofDatabases: "index_rows", ["zone_no": .number, "index_no": .number, "key": .id, "record_no": .number])

    /// What belongs to a tenant but its row in `catalog` and described tables, heads first.
    fileprivate static let ofTenant = [
        heads, zones, records, tombstones, references, events, eventRecords, trash, assetUses, assets, indexes, entries,
    ]

    // MARK: Conditions

    /// The column that says whose a row is, and what it may be for a tenant. None in the directory.
    var ownerColumn: String? {
        switch owner {
        case .database: "db"
        case .tenant: "tenant"
        case .directory: nil
        }
    }

    func owners(_ tenant: TenantNumber) -> Range<Int64> {
        owner == .database ? tenant.range : tenant.value..<tenant.value + 1
    }
}

/// All that belongs to a tenant, with the statements that go through it. Made once for each engine.
final class TenantTables: Sendable {
    let described: TableSet
    /// Counts the rows of owners.
    let counts: [(table: StoredTable, statement: Statement)]
    let removals: [TableRemoval]
    /// Described tables, page by page.
    let pages: [(rows: any StoredRow.Type, pages: PagedTable)]

    init(_ described: TableSet) {
        self.described = described
        let all = StoredTable.ofTenant + described.all.map { StoredTable($0.table) }
        counts = all.map { table in
            let owner = table.ownerColumn ?? ""
            return (table, Statement("SELECT count(*) FROM \(table.name) WHERE \(owner) >= $1 AND \(owner) < $2"))
        }
        removals = all.map(TableRemoval.init)
        pages = described.all.map { ($0, PagedTable($0.table)) }
    }
}

extension StoredTable.Kind {
    fileprivate init(_ kind: ColumnKind) {
        self =
            switch kind {
            case .database: .database
            case .int: .number
            case .text: .text
            case .utf8: .name
            case .user, .bytes: .id
            }
    }
}
