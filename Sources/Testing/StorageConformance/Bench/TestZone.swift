import CloudKitWire
import NephosStorage

/// A zone of a ``TestDatabase``, by name, in its live incarnation.
struct TestZone: Sendable {
    let database: TestDatabase
    let name: Name

    var key: ZoneKey { .name(database.number, name) }

    /// The same zone, through another engine.
    func through(_ other: TestTenant) -> TestZone { database.through(other).zone(name) }

    /// Commits `changes` and returns the saved rows, in order.
    @discardableResult
    func commit(_ changes: [Change], at time: Milliseconds = 1) async throws -> [RecordRow] {
        let batch = Batch(database: database, zone: name, changes: changes, time: time)
        return try await database.store.commit(batch.reading) { try batch.decide($0) }
    }

    @discardableResult
    func save(_ name: Name, _ fields: String = "{}", type: TypeNumber = TestTenant.note) async throws -> RecordRow {
        try await commit([.save(name, fields, type: type)])[0]
    }

    func delete(_ name: Name, at time: Milliseconds = 1) async throws { try await commit([.delete(name)], at: time) }

    /// Stores a client token in the zone, or removes it, in a separate commit.
    func keep(_ token: [UInt8]?) async throws {
        var set = ReadSet()
        set.databases = [database.number]
        set.zones = [key]
        try await database.store.commit(set) { reading in
            guard var head = reading.databases[0], let old = reading.zones[0] else { throw Refused.noZone }
            head.sequence += 1
            var zone = old
            zone.changedSequence = head.sequence
            zone.clientToken = token
            var writes = WriteSet()
            writes.zones = [ZoneWrite(old: old, new: zone)]
            writes.heads = [head]
            return .write(writes, ())
        }
    }

    func row() throws -> ZoneRow? { try database.zoneRow(key) }

    func record(_ name: Name) throws -> RecordRow? {
        guard case .record(let row) = try found([name])[0] else { return nil }
        return row
    }

    func found(_ names: [Name], byteLimit: Int = 16 << 20) throws -> [Found] {
        var set = ReadSet()
        set.records = names.map { RecordKey(zone: key, name: $0) }
        set.recordByteLimit = byteLimit
        return try database.store.read(set).records
    }

    func stub(_ name: Name) throws -> RecordStub? {
        var set = ReadSet()
        set.stubs = [RecordKey(zone: key, name: name)]
        return try database.store.read(set).stubs[0]
    }

    func referrers(_ target: Name, _ kind: ReferenceKind, limit: Int = 1_000) throws -> [RecordStub] {
        var set = ReadSet()
        set.referrers = [ReferrerScan(zone: key, target: target, kind: kind, limit: limit)]
        return try database.store.read(set).referrers[0]
    }

    func cascade(_ roots: [Name], limit: Int = 1_000) throws -> [CascadeEdge] {
        var set = ReadSet()
        set.cascades = [CascadeScan(zone: key, roots: roots, limit: limit)]
        return try database.store.read(set).cascades[0]
    }

    /// The first page after `after`; everything, unless there are more than a thousand changes.
    func feed(after: Sequence = 0, limit: Int = 1_000) throws -> FeedPage {
        try feed(FeedScan(zone: key, bound: after, limit: limit))
    }

    func feed(_ scan: FeedScan) throws -> FeedPage {
        var set = ReadSet()
        set.feeds = [scan]
        return try database.store.read(set).feeds[0]
    }

    func names(_ scan: NameScan) throws -> NamePage {
        var set = ReadSet()
        set.names = [scan]
        return try database.store.read(set).names[0]
    }
}
