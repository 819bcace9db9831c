import CloudKitWire
import Foundation
import NephosStorage

extension StorageCase {
    /// Random histories compared with a model. `SEED=42` in the environment reproduces one.
    static let histories: [StorageCase] = seeds(8).map { seed in
        StorageCase("a random history, through two engines, ends in the model's state (SEED=\(seed))") { tenant in
            var history = try await RandomHistory(tenant, seed: seed)
            for _ in 0..<150 { try await history.step() }
            try history.expectModel()
            // Partially swept zones have references of missing records, or records without theirs.
            try await tenant.sweepAll()
        }
    }

    /// The seeds of random cases: the first `count`, or the one in the environment.
    static func seeds(_ count: UInt64) -> [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(1...count)
    }
}

/// A running history: the database, its model, and devices that follow it independently.
struct RandomHistory {
    private static let zoneNames: [Name] = ["a", "b", "c"]
    private static let recordNames = (0..<12).map { Name("record \($0)") }

    private var dice: Dice
    private let engines: [TestDatabase]
    private var model: ModelDatabase
    private var annex: [UInt8] = []
    private var time: Milliseconds = 1
    private var zoneReplicas: [ZoneReplica] = []
    private var databaseReplicas: [DatabaseReplica] = []

    init(_ tenant: TestTenant, seed: UInt64) async throws {
        dice = Dice(seed: seed)
        let database = try await tenant.person(seed)
        engines = [database, database.through(try tenant.secondEngine())]
        let zone = try unwrap(try database.defaultZone.row(), "the default zone")
        model = ModelDatabase(try database.head(), defaultZone: zone)
    }

    /// Either of the engines: each must see the other's writes.
    private mutating func database() -> TestDatabase { engines[dice.roll(engines.count)] }

    mutating func step() async throws {
        time += Milliseconds(dice.roll(3))
        switch dice.roll(20) {
        case 0...10: try await change()
        case 11...13: try await createOrDeleteZone()
        case 14: try await cascade()
        case 15: _ = try await database().store.sweepDeadZones(rows: 1 + dice.roll(10), at: 1)
        case 16: try await purge()
        case 17: try await keepAnnex()
        default: try observe()
        }
    }

    private mutating func keepAnnex() async throws {
        let count = dice.pick([0, 1, 20, HeadAnnex.bytesMax]) ?? 0
        annex = (0..<count).map { _ in UInt8(dice.roll(256)) }
        try await database().keepAnnex(annex)
    }

    private mutating func change() async throws {
        guard let name = dice.pick(model.live.keys.sorted()) else { return }
        let names = Self.recordNames.shuffled(using: &dice).prefix(1 + dice.roll(5))
        let changes = names.map { dice.roll(3) == 0 ? .delete($0) : save($0) }
        try await database().zone(name).commit(changes, at: time)
        model.apply(changes, in: name, at: time)
    }

    private mutating func save(_ name: Name) -> Change {
        var references: Set<ReferenceTarget> = []
        for _ in 0..<dice.roll(3) {
            guard let target = dice.pick(Self.recordNames), let kind = dice.pick(ReferenceKind.allCases) else { break }
            references.insert(ReferenceTarget(target: target, kind: kind))
        }
        let type = dice.roll(2) == 0 ? TestTenant.note : TestTenant.task
        return .save(
            name, String(repeating: "x", count: dice.roll(60)), type: type,
            references: references.sorted { ($0.target, $0.kind.rawValue) < ($1.target, $1.kind.rawValue) })
    }

    private mutating func createOrDeleteZone() async throws {
        guard let name = dice.pick(Self.zoneNames) else { return }
        if model.live[name] == nil {
            try await database().createZone(name, at: time)
            model.create(name)
        } else if dice.roll(2) == 0 {
            try await database().deleteZone(name, at: time)
            model.delete(name, at: time)
        }
    }

    /// Deletes a record with its cascade.
    private mutating func cascade() async throws {
        guard let name = dice.pick(model.live.keys.sorted()), let root = dice.pick(Self.recordNames) else { return }
        let edges = try database().zone(name).cascade([root])
        let found = Set(edges.map { "\($0.target)<\($0.record.name)" })
        try expectEqual(found, model.live[name]?.cascade(root) ?? [], "the cascade of \(root) in \(name)")
        let changes = Set(edges.map(\.record.name) + [root]).sorted().map { Change.delete($0) }
        try await database().zone(name).commit(changes, at: time)
        model.apply(changes, in: name, at: time)
    }

    private mutating func purge() async throws {
        try await database().tenant.sweepAll(rows: 1 + dice.roll(20))
        let before = time - Milliseconds(dice.roll(20))
        try await database().tenant.purgeAll(before: before, rows: 1 + dice.roll(5))
        model.purge(before: before)
    }

    /// A device starts, or an existing one continues for a few pages.
    private mutating func observe() throws {
        if dice.roll(3) == 0 {
            if let name = dice.pick(Self.zoneNames) { zoneReplicas.append(ZoneReplica(name)) }
            databaseReplicas.append(DatabaseReplica(try database().head()))
        }
        for index in zoneReplicas.indices where dice.roll(2) == 0 {
            _ = try zoneReplicas[index].follow(database(), pages: 1 + dice.roll(3), &dice)
        }
        for index in databaseReplicas.indices where dice.roll(2) == 0 {
            try databaseReplicas[index].follow(database(), &dice)
        }
    }
}

// MARK: Comparing

extension RandomHistory {
    /// - Throws: ``PromiseBroken`` if the engine, or a device that followed it, differs from the model.
    mutating func expectModel() throws {
        for database in engines {
            try expectEqual(try database.head().sequence, model.sequence, "the sequence")
            try expectEqual(try database.annex(), annex, "a feature's annex of the head")
            try expectEqual(try database.head().purgedSequence, model.purged, "the purged sequence")
            let live = try database.liveZones()
            try expectEqual(live.map(\.name), model.live.keys.sorted(), "the live zones")
            try expectEqual(live.map(\.number), live.map { model.live[$0.name]?.number ?? 0 }, "their numbers")
            for zone in live { try expect(zone, in: database) }
        }
        try expectReplicasCatchUp()
    }

    private func expect(_ row: ZoneRow, in database: TestDatabase) throws {
        let zone = database.zone(row.name)
        let expected = try unwrap(model.live[row.name], "zone \(row.name) of the model")
        try expectEqual(row.changedSequence, expected.changed, "the last change of zone \(row.name)")
        try expectEqual(row.purgedSequence, expected.purged, "the purged sequence of zone \(row.name)")
        var found = ModelZone(number: row.number, changed: row.changedSequence, purged: row.purgedSequence)
        for change in try zone.feed().changes {
            switch change {
            case .record(let row):
                found.records[row.name] = ModelRecord(
                    sequence: row.tagSequence, type: row.type, fields: row.fields,
                    references: expected.records[row.name]?.references ?? [])
            case .tombstone(let row):
                found.tombstones[row.name] = .init(sequence: row.sequence, deletedAt: row.deletedAt)
            case .departure(let row): try expectEqual(row, nil, "what left a share, in the feed of a zone")
            }
        }
        try expectEqual(found, expected, "zone \(row.name)")
        for target in Self.recordNames {
            for kind in ReferenceKind.allCases {
                let names = Set(try zone.referrers(target, kind).map(\.name))
                try expectEqual(names, expected.referrers(target, kind), "who names \(target) by \(kind)")
            }
        }
    }

    private mutating func expectReplicasCatchUp() throws {
        let zones = model.live.filter { $0.key != defaultZoneName }
        for index in zoneReplicas.indices {
            while try !zoneReplicas[index].follow(database(), &dice) {}
            let replica = zoneReplicas[index]
            let expected = model.live[replica.name]?.records.mapValues(\.sequence) ?? [:]
            try expectEqual(replica.records, expected, "device \(index), which follows zone \(replica.name)")
        }
        for index in databaseReplicas.indices {
            try databaseReplicas[index].follow(database(), &dice)
            try expectEqual(databaseReplicas[index].zones, zones.mapValues(\.number), "device \(index)")
        }
    }
}
