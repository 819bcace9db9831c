import CloudKitWire
import NephosStorage

/// Restores the record of a name that was deleted last to its zone, as a new record, or discards it.
struct Restoration: Sendable {
    let database: TestDatabase
    let zone: Name
    let name: Name
    /// Only removes it from the trash.
    var isGivenUp = false
    /// The files that it contains again.
    var assets: [AssetUse] = []

    private var kept: Scan<TrashRow> { TrashRow.newest(in: database.number, named: name, limit: 1) }

    var reading: ReadSet {
        let key = ZoneKey.name(database.number, zone)
        var set = ReadSet()
        set.databases = [database.number]
        set.zones = [key]
        set.stubs = [RecordKey(zone: key, name: name)]
        set.ask(kept)
        return set
    }

    /// - Returns: The restored record; nil if there was nothing to restore, or a record with this name.
    func decide(_ reading: Reading) throws -> Decision<RecordRow?> {
        guard var head = reading.databases[0], let old = reading.zones[0] else { throw Refused.noZone }
        guard let kept = reading[kept].first, reading.stubs[0] == nil else { return .write(WriteSet(), nil) }
        var writes = WriteSet()
        writes.takenFromTrash = [kept]
        guard !isGivenUp else { return .write(writes, nil) }
        head.sequence += 1
        head.recordNumber += 1
        var row = kept.record
        row.number = head.recordNumber
        row.zone = old.number
        row.sequence = head.sequence
        row.tagSequence = head.sequence
        // The record's targets may no longer exist.
        row.parent = nil
        row.referenceCount = 0
        var zone = old
        zone.changedSequence = head.sequence
        row.flags = assets.isEmpty ? [] : .assets
        writes.records = [RecordWrite(old: nil, new: row, references: [], assets: assets)]
        writes.zones = [ZoneWrite(old: old, new: zone)]
        writes.heads = [head]
        return .write(writes, row)
    }
}

extension TestZone {
    @discardableResult
    func restore(_ name: Name, assets: [AssetUse] = []) async throws -> RecordRow? {
        let restoration = Restoration(database: database, zone: self.name, name: name, assets: assets)
        return try await database.store.commit(restoration.reading) { try restoration.decide($0) }
    }

    /// Removes the record of a name from the trash for good.
    func giveUp(_ name: Name) async throws {
        let restoration = Restoration(database: database, zone: self.name, name: name, isGivenUp: true)
        _ = try await database.store.commit(restoration.reading) { try restoration.decide($0) }
    }
}
