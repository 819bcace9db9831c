/// A table as a check reads it: the columns of each row, its checksum, and related values in other tables.
package final class AuditedTable: Sendable {
    package let table: StoredTable
    /// The columns to read. Those of the key come first.
    let columns: [String]
    private let around: [Neighbor]
    /// The columns with values that may be large, for engines that read page by page.
    package let long: [String]
    /// Whether rows are read in the order of the key.
    package let isOrdered: Bool

    init(
        _ table: StoredTable, _ columns: [String], around: [Neighbor] = [], long: [String] = [],
        isOrdered: Bool = false
    ) {
        self.table = table
        self.columns = columns
        self.around = around
        self.long = long
        self.isOrdered = isOrdered
    }

    /// - Parameter columns: The columns of the key, followed by others.
    package convenience init(reading columns: [String], of table: StoredTable) { self.init(table, columns) }

    /// Returns the expressions to select, as SQL.
    package func selection(_ dialect: TableDialect) -> String {
        (columns.map { "\(table.name).\($0)" } + around.map { $0.sql(around: table, dialect) })
            .joined(separator: ", ")
    }

    /// The position of the last of ``columns``. The related values follow.
    var last: Int32 { Int32(columns.count - 1) }
}

extension AuditedTable {
    static let catalog = AuditedTable(
        StoredTable("catalog", .tenant, ["version": .int]), CatalogHead.columns + ["checksum"],
        around: [
            Neighbor(.greatest("type"), of: StoredTable(RecordTypeRow.table), [:]),
            Neighbor(.greatest("ended_no"), of: StoredTable(SessionRow.table), [:], where: "ended_no > 0"),
        ])
    static let meta = AuditedTable(StoredTable("meta", .installation, ["id": .int]), ["id", "digest"])
    static let containers = AuditedTable(StoredTable(ContainerRow.table), ["id"])
    static let zones = AuditedTable(
        .zones, ZoneRow.columns + ["checksum"], around: [.head("seq"), .head("last_zone_no")])
    static let records = AuditedTable(
        .records, RecordRow.columns + ["checksum"],
        around: [
            .head("seq"), .head("last_record_no"), .zone("state"), .zone("changed_seq"),
            Neighbor(.count, of: .references, ["db": "db", "record_no": "record_no"]),
            .presence(of: .assetUses, ["db": "db", "zone_no": "zone_no", "record_no": "record_no"]),
            .presence(of: .tombstones, ["db": "db", "zone_no": "zone_no", "name": "name"]),
            .presence(of: .tombstones, ["db": "db", "zone_no": "zone_no", "seq": "seq"]),
            Neighbor(.ownKey, of: .records, [:]),
        ], long: ["fields"])
    static let tombstones = AuditedTable(
        .tombstones, ["db", "zone_no", "seq", "name", "type", "deleted_at", "checksum"],
        around: [.zone("changed_seq", where: "state < 2")])
    static let references = AuditedTable(
        .references, ["db", "zone_no", "target", "kind", "record_no", "checksum"],
        around: [.presence(of: .records, ["db": "db", "record_no": "record_no", "zone_no": "zone_no"])])
    static let events = AuditedTable(
        .events, ChangeEventRow.table.columns.map(\.name) + ["checksum"],
        around: [
            .head("seq"), .presence(of: .eventRecords, ["db": "db", "event_seq": "seq"]),
            .presence(of: .records, ["db": "db", "zone_no": "zone_no", "seq": "seq", "name": "name"]),
        ])
    static let eventRecords = AuditedTable(
        .eventRecords, ["db", "event_seq"] + RecordRow.columns + ["checksum"],
        around: [
            Neighbor(
                .column("kind"), of: .events, ["db": "db", "seq": "event_seq", "zone_no": "zone_no", "name": "name"])
        ], long: ["fields"])
    static let trash = AuditedTable(
        .trash, TrashRow.table.columns.map(\.name) + ["checksum"], around: [.head("seq"), .head("last_record_no")],
        long: ["fields"])
    static let assets = AuditedTable(
        .assets, AssetRow.table.columns.map(\.name) + ["checksum"],
        around: [
            .presence(of: .heads, ["db": "db"]),
            .presence(of: .assetUses, ["db": "db", "address": "address"]),
        ])
    static let assetUses = AuditedTable(
        .assetUses, AssetUseRow.table.columns.map(\.name) + ["checksum"],
        around: [
            Neighbor(.column("size"), of: .assets, ["db": "db", "address": "address"]),
            .presence(of: .records, ["db": "db", "record_no": "record_no", "zone_no": "zone_no"]),
            .presence(of: .trash, ["db": "db", "record_no": "record_no", "zone_no": "zone_no"]),
        ])
    static let heads = AuditedTable(
        .heads, HeadRow.columns + ["checksum"],
        around: [.presence(of: .users, ["id": "owner", "private_db": "db"])], isOrdered: true)
    /// Users, and whether the rows exist that must agree with them.
    static let users = AuditedTable(
        .users, UserRow.table.columns.map(\.name) + ["checksum"],
        around: [
            .presence(of: .heads, ["db": "private_db", "owner": "id"]),
            .presence(of: .keys, ["id": "source_id", "user_id": "id"]),
        ])
    /// Server keys, and the sources of their users.
    static let keyUsers = AuditedTable(
        .keys, ["id", "user_id"],
        around: [Neighbor(.column("source"), of: .users, ["id": "user_id", "source_id": "id"])])
    package static let indexes = AuditedTable(
        .indexes, IndexRow.table.columns.map(\.name) + ["checksum"], around: [.head("index_version")])
    /// The records from which index entries are derived.
    package static let indexedRecords = AuditedTable(
        .records, RecordRow.columns, around: [.zone("state")], long: ["fields"])
    package static let entries = AuditedTable(.entries, ["db", "zone_no", "index_no", "key", "record_no"])

    /// Creates the table for a check from its description. The related values of a row are, as far as the table has
    /// them, the sequence of its database, the presence of the user whose row it is, and the presence of the row with
    /// which it is removed.
    convenience init(_ table: Table) {
        var around: [Neighbor] = []
        if table.owner == .database { around.append(.head("seq")) }
        if let person = table.user {
            around.append(
                .presence(of: .users, table.isAtHome ? ["id": person, Neighbor.home: "db"] : ["id": person]))
        }
        if let parent = table.parent { around.append(Neighbor(parent, of: table)) }
        let long = table.columns.filter { ![.database, .int, .user].contains($0.kind) }
        self.init(
            StoredTable(table), table.columns.map(\.name) + ["checksum"], around: around, long: long.map(\.name))
    }
}

extension Neighbor {
    /// The presence of the row with which a row of `table` is removed.
    fileprivate init(_ parent: Table.Parent, of table: Table) {
        value = .presence
        self.table = StoredTable(parent.table, table.owner, [:])
        same = zip(parent.columns, parent.own).map { ($0, $1) }
        condition = nil
    }
}
