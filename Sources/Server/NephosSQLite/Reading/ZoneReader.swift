import CloudKitWire
import NephosStorage

/// Reads of the table `zones`.
final class ZoneReader {
    private let byName: Query
    private let byNumber: Query
    private let numberByName: Query
    private let live: Query
    private let liveByNumber: Query
    private let unswept: Query
    private let changed: Query

    init(_ connection: Connection) {
        let columns = ZoneRow.columns.joined(separator: ", ")
        byName = Query(connection, "SELECT \(columns) FROM zones WHERE db = ? AND name = ? AND state = 0")
        byNumber = Query(connection, "SELECT \(columns) FROM zones WHERE db = ? AND zone_no = ?")
        numberByName = Query(connection, "SELECT zone_no FROM zones WHERE db = ? AND name = ? AND state = 0")
        live = Query(connection, "SELECT \(columns) FROM zones WHERE db = ? AND state = 0 ORDER BY name")
        liveByNumber = Query(connection, "SELECT zone_no FROM zones WHERE db = ? AND state = 0 ORDER BY zone_no")
        unswept = Query(
            connection, "SELECT zone_no FROM zones WHERE db = ? AND zone_no >= ? AND state < 2 ORDER BY zone_no LIMIT 1"
        )
        changed = Query(
            connection, "SELECT \(columns) FROM zones WHERE db = ? AND changed_seq > ? ORDER BY changed_seq")
    }

    func zone(_ key: ZoneKey) throws(StorageError) -> ZoneRow? {
        switch key {
        case .name(let database, let name):
            var cursor = try byName.start()
            cursor.bind(database)
            cursor.bind(name)
            return try cursor.next() ? try ZoneRow(cursor) : nil
        case .number(let database, let number):
            var cursor = try byNumber.start()
            cursor.bind(database)
            cursor.bind(number)
            return try cursor.next() ? try ZoneRow(cursor) : nil
        }
    }

    /// The number of the live zone of this name.
    func liveNumber(_ database: DatabaseNumber, _ name: Name) throws(StorageError) -> ZoneNumber? {
        var cursor = try numberByName.start()
        cursor.bind(database)
        cursor.bind(name)
        return try cursor.next() ? cursor.int(0) : nil
    }

    /// All live zones, by name.
    func liveZones(_ database: DatabaseNumber) throws(StorageError) -> [ZoneRow] {
        var cursor = try live.start()
        cursor.bind(database)
        var zones: [ZoneRow] = []
        while try cursor.next() { zones.append(try ZoneRow(cursor)) }
        return zones
    }

    /// The numbers of all live zones, ascending.
    func liveNumbers(_ database: DatabaseNumber) throws(StorageError) -> [ZoneNumber] {
        var cursor = try liveByNumber.start()
        cursor.bind(database)
        var numbers: [ZoneNumber] = []
        while try cursor.next() { numbers.append(cursor.int(0)) }
        return numbers
    }

    /// The number of the first zone, from a number on, that may still have rows.
    func firstUnswept(_ database: DatabaseNumber, from number: ZoneNumber) throws(StorageError) -> ZoneNumber? {
        var cursor = try unswept.start()
        cursor.bind(database)
        cursor.bind(number)
        return try cursor.next() ? cursor.int(0) : nil
    }

    func page(_ scan: ZoneFeedScan) throws(StorageError) -> ZoneFeedPage {
        var page = ZoneFeedPage(zones: [], position: scan.after, more: false)
        var cursor = try changed.start()
        cursor.bind(scan.database)
        cursor.bind(scan.after)
        while try cursor.next() {
            let zone = try ZoneRow(cursor)
            let isUnknown = zone.state != .live && zone.changedSequence <= scan.deletedAfter
            if !zone.isDefault && !isUnknown {
                if page.zones.count == scan.limit {
                    page.more = true
                    return page
                }
                page.zones.append(zone)
            }
            page.position = zone.changedSequence
        }
        return page
    }
}
