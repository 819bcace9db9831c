import CloudKitWire
import NephosStorage

/// Zones to delete and to create in one commit, deletions first.
struct ZoneBatch: Sendable {
    let database: DatabaseNumber
    var create: [Name] = []
    var delete: [Name] = []
    let time: Milliseconds

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.zones = delete.map { .name(database, $0) }
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Void> {
        guard var head = reading.databases[0] else { throw Refused.noZone }
        var writes = WriteSet()
        head.time = max(head.time, time)
        for old in reading.zones {
            guard let old else { throw Refused.noZone }
            head.sequence += 1
            var dead = old
            dead.state = .dead
            dead.changedSequence = head.sequence
            dead.deletedAt = head.time
            writes.zones.append(ZoneWrite(old: old, new: dead))
        }
        for name in create {
            head.sequence += 1
            head.zoneNumber += 1
            let zone = ZoneRow(
                database: database, number: head.zoneNumber, name: name, createdSequence: head.sequence,
                changedSequence: head.sequence, createdAt: head.time)
            writes.zones.append(ZoneWrite(old: nil, new: zone))
        }
        writes.heads = [head]
        return .write(writes, ())
    }
}
