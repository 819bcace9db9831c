import CloudKitWire
import NephosStorage
import Synchronization

/// The measurements of docs/decisions/0002, with a separate tenant.
func measure(_ conninfo: String) async throws {
    let engine = PostgresEngine(conninfo, place: "measured")
    let tenant = Tenant(container: "iCloud.org.example.measured", environment: .development)
    let head = CatalogHead(
        tenant: tenant, lanes: 8, signingKey: Array(repeating: 7, count: 32), createdAt: 1)
    try engine.createContainer(
        ContainerRow(id: tenant.container, createdAt: 1),
        seeds: [TenantSeed(head: head, rows: [.type(RecordTypeRow(number: 1, name: "Note"))])])
    guard let store = try engine.open(tenant) else { throw StorageError.noSuchTenant }
    defer { engine.close() }

    var table = Table(["what", "commits/s", "round trips", "statements", "deadlocks"])
    try await table.add("one record, one writer", store, writers: 1, commits: 1_000) { (1, "a\($0)") }
    try await table.add("one record, 8 writers in one database", store, writers: 8, commits: 2_000) { (2, "b\($0)") }
    try await table.add("one record, 8 writers in 8 databases", store, writers: 8, commits: 4_000) {
        (DatabaseNumber($0 % 8 + 1), "c\($0)")
    }
    table.print()
    print()
    try await measureCascades(store)
}

extension Table {
    /// Lets writers commit one record at a time, and adds a row with the costs.
    fileprivate mutating func add(
        _ what: String, _ store: any TenantStore, writers: Int, commits: Int,
        _ target: @escaping @Sendable (Int) -> (DatabaseNumber, String)
    ) async throws {
        Measures.now.withLock { $0 = Measures() }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for commit in stride(from: writer, to: commits, by: writers) {
                        let (database, name) = target(commit)
                        try await store.save([(Name(name), nil)], in: database)
                    }
                }
            }
            try await group.waitForAll()
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let cost = Measures.now.withLock { $0 }
        add([
            what, "\(Int(Double(commits) / seconds))", Table.ratio(cost.roundTrips, cost.commits),
            Table.ratio(cost.statements, cost.commits), "\(cost.deadlocks)",
        ])
    }
}

/// Reads a chain of owners, and one owner of many records, with limits and without.
private func measureCascades(_ store: any TenantStore) async throws {
    let count = 20_000
    for start in stride(from: 1, to: count + 1, by: 1_000) {
        let range = start..<start + 1_000
        try await store.save(range.map { (Name("link \($0)"), Name("link \($0 - 1)")) }, in: 7)
        try await store.save(range.map { (Name("leaf \($0)"), "trunk") }, in: 8)
    }
    var table = Table(["cascade", "limit", "edges", "ms"])
    for (what, database, root) in [("a chain", 7, "link 0"), ("a fan", 8, "trunk")] as [(String, Int64, Name)] {
        for limit in [100, 2_000, count + 1] {
            var set = ReadSet()
            set.cascades = [CascadeScan(zone: .name(database, defaultZoneName), roots: [root], limit: limit)]
            let start = ContinuousClock.now
            let edges = try store.read(set).cascades[0].count
            let took = (ContinuousClock.now - start) / .milliseconds(1)
            table.add(["\(what) of \(count)", "\(limit)", "\(edges)", Table.ratio(Int(took * 10), 10)])
        }
    }
    table.print()
}

extension TenantStore {
    /// Saves new records of 500 bytes in one commit; each may be owned by another.
    fileprivate func save(_ records: [(name: Name, owner: Name?)], in database: DatabaseNumber) async throws {
        var set = ReadSet()
        set.databases = [database]
        set.zones = [.name(database, defaultZoneName)]
        if records.count == 1 { set.records = [RecordKey(zone: set.zones[0], name: records[0].name)] }
        try await commit(set) { reading -> Decision<Void> in
            guard var head = reading.databases[0], var zone = reading.zones[0] else { throw StorageError.noSuchTenant }
            let old = zone
            var writes = WriteSet()
            for (name, owner) in records {
                head.sequence += 1
                head.recordNumber += 1
                let row = RecordRow(
                    database: database, number: head.recordNumber, zone: zone.number, name: name,
                    sequence: head.sequence, tagSequence: head.sequence, type: 1, createdAt: 1,
                    createdBy: UserID(high: 0, low: 1), modifiedAt: 1, modifiedBy: UserID(high: 0, low: 1),
                    referenceCount: owner == nil ? 0 : 1, fields: Bytes(String(repeating: "x", count: 500)))
                let references = owner.map { [ReferenceTarget(target: $0, kind: .deleteSelf)] } ?? []
                writes.records.append(RecordWrite(old: nil, new: row, references: references))
            }
            zone.changedSequence = head.sequence
            writes.zones = [ZoneWrite(old: old, new: zone)]
            writes.heads = [head]
            return .write(writes, ())
        }
    }
}
