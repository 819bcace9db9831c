import CloudKitWire
import NephosStorage

/// One database of a ``TestTenant``, as seen by a user who writes to it.
struct TestDatabase: Sendable {
    let tenant: TestTenant
    let number: DatabaseNumber
    /// The user who makes the changes.
    let user: UserID

    var store: any TenantStore { tenant.store }
    var defaultZone: TestZone { zone(defaultZoneName) }

    func zone(_ name: Name) -> TestZone { TestZone(database: self, name: name) }

    /// The same database, through another engine.
    func through(_ other: TestTenant) -> TestDatabase { TestDatabase(tenant: other, number: number, user: user) }

    func head() throws -> HeadRow {
        var set = ReadSet()
        set.databases = [number]
        return try unwrap(try store.read(set).databases[0], "the head of database \(number)")
    }

    @discardableResult
    func createZone(_ name: Name, at time: Milliseconds = 1) async throws -> TestZone {
        try await commit(ZoneBatch(database: number, create: [name], time: time))
        return zone(name)
    }

    func deleteZone(_ name: Name, at time: Milliseconds = 1) async throws {
        try await commit(ZoneBatch(database: number, delete: [name], time: time))
    }

    private func commit(_ batch: ZoneBatch) async throws {
        try await store.commit(batch.reading) { try batch.decide($0) }
    }

    /// The incarnation with a number, or the live zone with a name.
    func zoneRow(_ key: ZoneKey) throws -> ZoneRow? {
        var set = ReadSet()
        set.zones = [key]
        return try store.read(set).zones[0]
    }

    func liveZones() throws -> [ZoneRow] {
        var set = ReadSet()
        set.zoneLists = [number]
        return try store.read(set).zoneLists[0]
    }

    func zoneFeed(after: Sequence = 0, deletedAfter: Sequence = 0, limit: Int = 1_000) throws -> ZoneFeedPage {
        var set = ReadSet()
        set.zoneFeeds = [ZoneFeedScan(database: number, after: after, deletedAfter: deletedAfter, limit: limit)]
        return try store.read(set).zoneFeeds[0]
    }
}

extension TestTenant {
    /// Enrolls a user with a private database and its default zone.
    func person(_ id: UInt64) async throws -> TestDatabase {
        let enrolment = Enrolment(user: UserID(high: 0xE, low: id), account: "ACCOUNT-\(id)")
        let number = try await store.commit(enrolment.reading) { enrolment.decide($0) }
        return TestDatabase(tenant: self, number: number, user: enrolment.user)
    }
}
