import CloudKitWire
import NephosStorage

extension StorageCase {
    static let references: [StorageCase] = [
        referrersByKind, referrersTogether, referencesFollowTheRecord, cascadeOfAChain, referencesStayInTheirZone,
        pendingCascades,
    ]

    static let referrersByKind = StorageCase(
        "the references to a record are found by kind, by record number, up to a limit"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit(
            ReferenceKind.allCases.map { kind in
                .save(Name("\(kind)"), references: [ReferenceTarget(target: "target", kind: kind)])
            })
        try await zone.commit([
            .save("all", references: ReferenceKind.allCases.map { ReferenceTarget(target: "target", kind: $0) })
        ])
        for kind in ReferenceKind.allCases {
            try expectEqual(try zone.referrers("target", kind).map(\.name), [Name("\(kind)"), "all"], "kind \(kind)")
            try expectEqual(try zone.referrers("target", kind, limit: 1).map(\.name), [Name("\(kind)")], "the first")
        }
        let row = try unwrap(try zone.record("all"), "the record")
        try expectEqual(try zone.referrers("target", .validate).last, RecordStub(row), "the stub of a referrer")
        try expectEqual(try zone.database.head().references, 8, "references that are counted")
    }

    static let referrersTogether = StorageCase("the references to several records are found with a shared row limit") {
        tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let other = try await tenant.person(2).createZone("Notes")
        for zone in [zone, other] {
            try await zone.commit((0..<3).map { .save(Name("x\($0)"), ownedBy: "x") })
            try await zone.commit((0..<3).map { .save(Name("y\($0)"), ownedBy: "y") })
        }
        for (most, second) in (1...7).flatMap({ [($0, zone), ($0, other)] }) {
            var set = ReadSet()
            set.referrers = ([(zone, "x"), (second, "y")] as [(TestZone, Name)]).map { zone, target in
                ReferrerScan(zone: zone.key, target: target, kind: .deleteSelf, limit: 9)
            }
            set.referrerRowsMax = most
            let found = try tenant.store.read(set).referrers.map { $0.map(\.name) }
            try expectEqual(found.joined().count, min(most, 6), "rows, of at most \(most)")
            try expectEqual(found[0], Array(["x0", "x1", "x2"].prefix(found[0].count)), "those of the first")
            try expectEqual(found[1], Array(["y0", "y1", "y2"].prefix(found[1].count)), "those of the second")
        }
    }

    static let referencesFollowTheRecord = StorageCase(
        "a record's references are those of its last save, and are removed with it"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit([.save("a", ownedBy: "x"), .save("b", ownedBy: "x")])
        try await zone.save("a", "moved")
        try expectEqual(try zone.referrers("x", .deleteSelf).map(\.name), ["b"], "references to x after a changed")
        try await zone.commit([.save("a", "", ownedByEach: ["x", "y"])])
        try expectEqual(try zone.referrers("y", .deleteSelf).map(\.name), ["a"], "references to y")
        try await zone.changeFieldsOnly("a")
        try expectEqual(
            try zone.referrers("x", .deleteSelf).map(\.name), ["a", "b"], "references to x after a kept it")
        try await zone.delete("a")
        try expectEqual(try zone.referrers("x", .deleteSelf).map(\.name), ["b"], "references to x after a was deleted")
        try expectEqual(try zone.referrers("y", .deleteSelf), [], "references to y after a was deleted")
        try expectEqual(try zone.database.head().references, 1, "references that are counted")
    }

    static let cascadeOfAChain = StorageCase(
        "a cascade follows a chain of 500 to its end, or to its limit"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit((1...500).map { .save(Name("link \($0)"), ownedBy: Name("link \($0 - 1)")) })
        let edges = try zone.cascade(["link 0"])
        try expectEqual(edges.count, 500, "edges of the chain")
        for edge in edges {
            let row = try unwrap(Int(edge.record.name.text.dropFirst(5)), "the number of a link")
            try expectEqual(edge.target, Name("link \(row - 1)"), "what \(edge.record.name) names")
        }
        try expectEqual(try zone.cascade(["link 0"], limit: 100).count, 100, "edges up to a limit")
        try expectEqual(try zone.cascade(["link 498", "link 497"]).count, 3, "edges below two roots of one chain")
    }

    static let pendingCascades = StorageCase(
        "pending cascades are kept until they are finished; one that is added twice is kept once"
    ) { tenant in
        let database = try await tenant.person(1)
        let rows = (["a", "b", "c"] as [Name]).map {
            PendingCascadeRow(database: database.number, zone: 1, target: $0, sequence: 1)
        }
        try await database.write { writes in for row in rows { writes.put(row) } }
        try tenant.restart()
        try expectEqual(try tenant.pendingCascades(max: 10), Set(rows), "pending ones")
        try expectEqual(try tenant.pendingCascades(max: 2).count, 2, "pending ones, up to a limit")
        try expectEqual(try database.head().cascades, 3, "those that are counted")
        let targets = rows.map { ($0.database, $0.zone, $0.target) }
        try expectEqual(
            Set(try database.rows(PendingCascadeRow.of(targets.dropFirst()))), Set(rows[1...]), "of two targets")
        try await database.write { writes in for row in rows.prefix(2) { writes.remove(row) } }
        try expectEqual(try tenant.pendingCascades(max: 10), [rows[2]], "the remaining ones")
        let again = PendingCascadeRow(database: database.number, zone: 1, target: "c", sequence: 2)
        try await database.write { $0.put(again, replacing: rows[2]) }
        try expectEqual(try tenant.pendingCascades(max: 10), [again], "one that began again")
        let error = await outcome { try await database.write { $0.remove(rows[2]) } }
        try expect(error is StorageError, "a restarted cascade was mistaken for the first")
        try expectEqual(try tenant.pendingCascades(max: 10), [again], "one that began again, when the first is done")
        try expectEqual(try database.head().cascades, 1, "those that are counted at last")
    }

    static let referencesStayInTheirZone = StorageCase(
        "a reference counts only in the zone and database of its record"
    ) { tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        let zones = [try await one.createZone("a"), try await one.createZone("b"), try await two.createZone("a")]
        try await zones[0].commit([.save("holder", ownedBy: "target"), .save("target")])
        for zone in zones.dropFirst() {
            try await zone.save("target")
            try expectEqual(try zone.referrers("target", .deleteSelf), [], "references to the target in another zone")
            try expectEqual(try zone.cascade(["target"]), [], "the cascade in another zone")
        }
        try expectEqual(try zones[0].cascade(["target"]).map(\.record.name), ["holder"], "the cascade in its own")
    }
}

extension TestZone {
    /// Saves a record with other fields, and specifies that its references are unchanged.
    fileprivate func changeFieldsOnly(_ record: Name) async throws {
        let batch = Batch(database: database, zone: name, changes: [.save(record, "changed")], time: 1)
        try await database.store.commit(batch.reading) { reading -> Decision<Void> in
            var writes = try batch.writes(reading)
            writes.records[0].references = nil
            writes.records[0].new.referenceCount = writes.records[0].old?.referenceCount ?? 0
            return .write(writes, ())
        }
    }
}

extension TestDatabase {
    /// Advances the head, and writes what `change` adds.
    func write(advancing count: Int64 = 1, _ change: @escaping @Sendable (inout WriteSet) -> Void) async throws {
        var set = ReadSet()
        set.databases = [number]
        try await store.commit(set) { reading -> Decision<Void> in
            var writes = WriteSet()
            writes.heads = reading.databases.compactMap { $0 }
            writes.heads[0].sequence += count
            change(&writes)
            return .write(writes, ())
        }
    }
}

extension TestTenant {
    fileprivate func pendingCascades(max: Int) throws -> Set<PendingCascadeRow> {
        Set(try store.rows(PendingCascadeRow.waiting(limit: max)))
    }
}
