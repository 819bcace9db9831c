import CloudKitWire
import NephosStorage

/// Reads of the table `zones`.
struct ZoneReader {
    let connection: Connection

    func zone(_ key: ZoneKey) throws(StorageError) -> ZoneRow? {
        var row =
            switch key {
            case .name(let database, let name): try connection.start(Self.byName, database, name)
            case .number(let database, let number): try connection.start(Self.byNumber, database, number)
            }
        return try row.next() ? try ZoneRow(row) : nil
    }

    /// The number of the live zone of this name.
    func liveNumber(_ database: DatabaseNumber, _ name: Name) throws(StorageError) -> ZoneNumber? {
        try connection.first(Self.numberByName, database, name) { $0.int(0) }
    }

    /// All live zones, by name.
    func liveZones(_ database: DatabaseNumber) throws(StorageError) -> [ZoneRow] {
        try connection.rows(Self.live, database) { row throws(StorageError) in try ZoneRow(row) }
    }

    /// The numbers of all live zones, ascending.
    func liveNumbers(_ database: DatabaseNumber) throws(StorageError) -> [ZoneNumber] {
        try connection.rows(Self.liveByNumber, database) { $0.int(0) }
    }

    /// The number of the first zone, from a number on, that may still have rows.
    func firstUnswept(_ database: DatabaseNumber, from number: ZoneNumber) throws(StorageError) -> ZoneNumber? {
        try connection.first(Self.unswept, database, number) { $0.int(0) }
    }

    func page(_ scan: ZoneFeedScan) throws(StorageError) -> ZoneFeedPage {
        var page = ZoneFeedPage(zones: [], position: scan.after, more: false)
        var rows = try connection.start(Self.changed, scan.database, scan.after)
        while try rows.next() {
            guard page.take(try ZoneRow(rows), scan) else { break }
        }
        return page
    }

    private static let columns = ZoneRow.columns.joined(separator: ", ")
    private static let byName = Statement("SELECT \(columns) FROM zones WHERE db = ? AND name = ? AND state = 0")
    private static let byNumber = Statement("SELECT \(columns) FROM zones WHERE db = ? AND zone_no = ?")
    private static let numberByName = Statement("SELECT zone_no FROM zones WHERE db = ? AND name = ? AND state = 0")
    private static let live = Statement("SELECT \(columns) FROM zones WHERE db = ? AND state = 0 ORDER BY name")
    private static let liveByNumber = Statement(
        "SELECT zone_no FROM zones WHERE db = ? AND state = 0 ORDER BY zone_no")
    private static let unswept = Statement(
        "SELECT zone_no FROM zones WHERE db = ? AND zone_no >= ? AND state < 2 ORDER BY zone_no LIMIT 1")
    private static let changed = Statement(
        "SELECT \(columns) FROM zones WHERE db = ? AND changed_seq > ? ORDER BY changed_seq")
}
