/// The rows of a new tenant that every engine writes, in addition to ``TenantSeed/rows``.
extension TenantSeed {
    /// Returns the row of the tenant's catalog, whose digest and last numbers cover ``rows``.
    ///
    /// - Throws: ``StorageError/failed(_:)`` if the seed has no lanes.
    package func firstHead() throws(StorageError) -> CatalogHead {
        guard head.lanes >= 1 else { throw .failed("a public database needs at least one lane, not \(head.lanes)") }
        var head = head
        head.lastDatabase = head.lanes
        head.digest = rows.reduce(0) { $0 &+ $1.checksum }
        head.lastType = rows.reduce(0) { if case .type(let type) = $1 { max($0, type.number) } else { $0 } }
        return head
    }

    /// The lanes of the public database, each with its default zone.
    package var lanes: [(database: HeadRow, zone: ZoneRow)] {
        (1...max(head.lanes, 1)).map { lane in
            var database = HeadRow(database: lane, kind: .publicLane, owner: nil)
            database.sequence = 1
            database.zoneNumber = 1
            database.time = head.createdAt
            database.zones = 1
            database.liveZones = 1
            let zone = ZoneRow(
                database: lane, number: 1, name: defaultZoneName, createdSequence: 1, changedSequence: 1,
                createdAt: head.createdAt)
            return (database, zone)
        }
    }
}
