import CloudKitWire
import NephosStorage

extension TableCase {
    /// How engines report records that they remove by themselves to derivatives of the catalog.
    static let sweeps: [TableCase] = [sweptOnce, sweptLater]

    static let sweptOnce = TableCase(
        "records of a deleted zone are reported by type in the transactions that remove them, once each, with the catalog of that time"
    ) { _, tables in
        let tenant = try counting(tables)
        defer { tenant.closeAll() }
        let other = try tenant.secondEngine()
        // Known to the second engine before the type is added.
        try expectEqual(try other.catalog().type(SweepCounter.late) == nil, true, "whether the type is missing")
        let late = RecordTypeRow(number: SweepCounter.late, name: "Late")
        try await tenant.store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.catalog = [CatalogWrite(new: .type(late))]
            return .write(writes, ())
        }
        let database = try await tenant.person(1)
        let zones = [try await database.createZone("a"), try await database.createZone("b")]
        for (zone, types) in zip(zones, [[TestTenant.note, TestTenant.task, late.number], [TestTenant.note]]) {
            for type in types {
                let owner = [ReferenceTarget(target: "x", kind: .deleteSelf)]
                try await zone.commit((0..<5).map { .save(Name("\(type) \($0)"), type: type, references: owner) })
            }
            try await zone.commit([.delete("1 0")])
        }
        for name in ["a", "b"] as [Name] { try await database.deleteZone(name) }
        try expectEqual(try database.annex(of: SweepCounter.feature), [], "the report before anything is removed")
        var steps = 0
        while try await [tenant, other][steps % 2].store.sweepDeadZones(rows: 3, at: 7) {
            steps += 1
            let told = try database.annex(of: SweepCounter.feature).reduce(0) { $0 + Int64($1) }
            try expectEqual(
                told + (try database.head().records), 18, "reported and remaining records")
            try tenant.expectNothingFound()
        }
        try expect(steps > 10, "sweeping took \(steps) steps")
        try expectEqual(try database.annex(of: SweepCounter.feature), [8, 5, 5], "removed records, by type")
    }

    static let sweptLater = TableCase("records that no rule can count yet stay until one can") { _, tables in
        let tenant = try counting(tables)
        defer { tenant.closeAll() }
        let database = try await tenant.person(1)
        let zone = try await database.createZone("a")
        try await zone.commit((0..<5).map { .save(Name("\($0)")) })
        try await database.deleteZone("a")
        try expectEqual(try await tenant.store.sweepDeadZones(rows: 2, at: 7), true, "whether there is more to sweep")
        try await database.keepAnnex([1], of: SweepCounter.full)
        let before = try database.head()
        for _ in 0..<2 {
            try expectEqual(try await tenant.store.sweepDeadZones(rows: 2, at: 7), false, "whether it can continue now")
        }
        try expectEqual(try database.head(), before, "the head while no rule can count")
        try tenant.expectNothingFound()
        try await database.keepAnnex([], of: SweepCounter.full)
        try await tenant.sweepAll(rows: 2, at: 7)
        try expectEqual(try database.annex(of: SweepCounter.feature), [5, 0, 0], "removed records, by type")
        try expectEqual(try database.head().records, 0, "what is left")
    }

    private static func counting(_ tables: any StoredTables) throws -> TestTenant {
        let set = TableSet(adding: TableCase.scratch) { SweepCounter($0) }
        return try TestTenant { try tables.open(set) }
    }
}

/// Counts swept records in the head, unless a feature stores something under ``full``.
private final class SweepCounter: CatalogDerivative {
    static let feature = "swept"
    static let full = "full"
    static let late: TypeNumber = 30

    let catalog: Catalog

    init(_ catalog: Catalog) { self.catalog = catalog }

    func swept(_ counts: [TypeNumber: Int64], from head: HeadRow, at now: Milliseconds) -> HeadAnnex? {
        var annex = head.annex
        guard annex[Self.full].isEmpty, now == 7 else { return nil }
        let before = annex[Self.feature].isEmpty ? [0, 0, 0] : annex[Self.feature]
        let after = zip(before, [TestTenant.note, TestTenant.task, Self.late]).map { old, type in
            catalog.type(type) == nil ? old : old + UInt8(counts[type] ?? 0)
        }
        return annex.set(after, of: Self.feature) ? annex : nil
    }
}
