import CloudKitWire
import NephosStorage

/// A device that follows one zone like a real client: from the beginning, or from where it stopped, and from the beginning again
/// once its token has expired.
struct ZoneReplica {
    let name: Name
    /// The incarnation it follows; 0 before the first page.
    private var incarnation: ZoneNumber = 0
    /// The zone's sequence number when it started: tombstones up to here are of records that it never saw.
    private var base: Sequence = 0
    private var position: Sequence = 0
    private(set) var records: [Name: Sequence] = [:]

    init(_ name: Name) { self.name = name }

    /// Catches up with the zone, or stops after `pages` pages. - Returns: Whether it is up to date.
    mutating func follow(_ database: TestDatabase, pages: Int = .max, _ dice: inout Dice) throws -> Bool {
        guard let zone = try database.zone(name).row() else {
            self = ZoneReplica(name)
            return true
        }
        // On its first pass, a device is not affected by a purge of what it never saw.
        if zone.number != incarnation || max(position, base) < zone.purgedSequence {
            self = ZoneReplica(name)
            incarnation = zone.number
            base = zone.changedSequence
        }
        for _ in 0..<pages {
            let scan = FeedScan(
                zone: .number(database.number, incarnation), bound: position, tombstonesAfter: base,
                limit: 1 + dice.roll(6), byteLimit: 1 + dice.roll(200))
            let page = try database.zone(name).feed(scan)
            try expect(
                page.position > position || !page.more, "a page that is not the last does not advance from \(position)")
            page.changes.forEach { apply($0) }
            position = page.position
            guard page.more else {
                // Like the server's tokens: a device that is up to date is positioned at the zone's last change.
                position = max(position, try database.zone(name).row()?.changedSequence ?? 0)
                return true
            }
        }
        return false
    }

    private mutating func apply(_ change: FeedChange) {
        switch change {
        case .record(let row): records[row.name.owned] = row.sequence
        case .tombstone(let row): records[row.name] = nil
        case .departure(let row): records[row.name] = nil
        }
    }
}

/// A device that follows the list of a database's zones.
struct DatabaseReplica {
    private var base: Sequence
    private var position: Sequence = 0
    private(set) var zones: [Name: ZoneNumber] = [:]

    init(_ head: HeadRow) { base = head.sequence }

    mutating func follow(_ database: TestDatabase, _ dice: inout Dice) throws {
        let head = try database.head()
        if max(position, base) < head.purgedSequence { self = DatabaseReplica(head) }
        while true {
            let page = try database.zoneFeed(after: position, deletedAfter: base, limit: 1 + dice.roll(4))
            try expect(
                page.position > position || !page.more, "a page that is not the last does not advance from \(position)")
            for zone in page.zones {
                if zone.state == .live {
                    zones[zone.name] = zone.number
                } else if zones[zone.name] == zone.number {
                    zones[zone.name] = nil
                }
            }
            position = page.position
            guard page.more else { break }
        }
        position = max(position, head.sequence)
    }
}
