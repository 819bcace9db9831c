import CloudKitWire
import NephosStorage

extension StorageCase {
    /// Random histories of records, zones and indexes, with queries compared with the records themselves. `SEED=42` in the
    /// environment reproduces one.
    static let queryHistories: [StorageCase] = seeds(4).map { seed in
        StorageCase("queries return what the records contain, whatever indexes exist (SEED=\(seed))") { tenant in
            var history = try await RandomQueries(tenant, seed: seed)
            for _ in 0..<120 { try await history.step() }
            try tenant.expectNothingFound()
            try await history.finish()
        }
    }
}

/// A running history: writers, index builders and readers through two engines on the same database.
struct RandomQueries {
    private static let zoneNames: [Name] = ["a", "b", defaultZoneName]
    private static let recordNames = (0..<40).map { Name("card \($0)") }
    private static let types = [TestTenant.note, TestTenant.task]

    private var dice: Dice
    private let engines: [TestDatabase]
    private var time: Milliseconds = 1

    init(_ tenant: TestTenant, seed: UInt64) async throws {
        dice = Dice(seed: seed)
        let database = try await tenant.person(seed)
        engines = [database, database.through(try tenant.secondEngine())]
        // More than queries scan without an index.
        try await database.fill()
        for zone in ["a", "b"] as [Name] { try await database.createZone(zone) }
    }

    /// Either of the engines: each must see the other's writes.
    private mutating func database() -> TestDatabase { engines[dice.roll(engines.count)] }

    mutating func step() async throws {
        time += 1
        switch dice.roll(30) {
        case 0...11: try await change()
        case 12: try await createOrDeleteZone()
        case 13: _ = try await database().store.sweepDeadZones(rows: 1 + dice.roll(30), at: 1)
        case 14: try await restore()
        case 15...22: try await changeIndexes()
        default: try await query()
        }
    }

    // MARK: Writing

    private mutating func change() async throws {
        guard let name = try liveZone() else { return }
        let names = Self.recordNames.shuffled(using: &dice).prefix(1 + dice.roll(8))
        var changes: [Change] = []
        for name in names { changes.append(change(of: name)) }
        try await database().zone(name).commit(changes, at: time)
    }

    private mutating func change(of name: Name) -> Change {
        switch dice.roll(6) {
        case 0: .delete(name)
        case 1: .discard(name)
        default: .save(name, Card.random(&dice).fields, type: Self.types[dice.roll(Self.types.count)])
        }
    }

    private mutating func createOrDeleteZone() async throws {
        let name: Name = dice.roll(2) == 0 ? "a" : "b"
        if try database().zone(name).row() == nil {
            try await database().createZone(name, at: time)
        } else if dice.roll(2) == 0 {
            try await database().deleteZone(name, at: time)
        }
    }

    private mutating func restore() async throws {
        guard let zone = try liveZone(), let name = dice.pick(Self.recordNames) else { return }
        if dice.roll(4) == 0 {
            try await database().zone(zone).giveUp(name)
        } else {
            try await database().zone(zone).restore(name)
        }
    }

    private mutating func liveZone() throws -> Name? {
        let live = try database().liveZones().map(\.name)
        return dice.pick(Self.zoneNames.filter(live.contains))
    }

    // MARK: Indexes

    private mutating func changeIndexes() async throws {
        let database = database()
        switch dice.roll(6) {
        case 0:
            let numbers = try database.maintainedIndexes().map(\.number)
            if let number = dice.pick(numbers) { try await database.store.dropIndexes([number], in: database.number) }
        case 1: try await openWhatSomeQueryWants(database)
        default:
            let place = dice.roll(2) == 0 ? database.number : nil
            _ = try await database.store.buildIndexes(in: place, rows: 1 + dice.roll(80))
        }
    }

    private mutating func openWhatSomeQueryWants(_ database: TestDatabase) async throws {
        guard let sample = dice.pick(SampleQuery.all) else { return }
        let scan = QueryScan(
            extent: .database(database.number), type: Self.types[dice.roll(Self.types.count)],
            conditions: sample.conditions, orders: sample.orders, limit: 1)
        try await database.open(try database.query(scan).wanted, at: time)
    }

    // MARK: Reading

    private mutating func query() async throws {
        guard let sample = dice.pick(SampleQuery.all) else { return }
        let database = database()
        let extent: QueryScan.Extent
        if dice.roll(2) == 0, let zone = try liveZone() {
            extent = .zone(.name(database.number, zone))
        } else {
            extent = .database(database.number)
        }
        try await expectAnswer(sample, in: extent, through: database)
    }

    /// Reads all pages. Between them indexes are added and removed, so that the query plan changes.
    private mutating func expectAnswer(
        _ sample: SampleQuery, in extent: QueryScan.Extent, through database: TestDatabase
    ) async throws {
        let type = Self.types[dice.roll(Self.types.count)]
        let expected = try sample.answer(from: try database.everything(in: extent), type: type)
        let scan = QueryScan(
            extent: extent, type: type, conditions: sample.conditions, orders: sample.orders,
            limit: 1 + dice.roll(60), examinedLimit: dice.roll(3) == 0 ? 20 + dice.roll(30) : 10_000)
        var dice = dice
        let found = try await database.queryAll(scan) {
            guard dice.roll(8) == 0 else { return }
            if dice.roll(2) == 0, let number = dice.pick(try database.maintainedIndexes().map(\.number)) {
                try await database.store.dropIndexes([number], in: database.number)
            } else {
                _ = try await database.store.buildIndexes(in: nil, rows: 1 + dice.roll(200))
            }
        }
        self.dice = dice
        try expectEqual(found.map(\.name), expected.map(\.name), "'\(sample.name)' of type \(type) in \(extent)")
        try expectEqual(found, expected, "the records of '\(sample.name)' of type \(type) in \(extent)")
    }

    // MARK: The end

    /// With all indexes built every query is answered through both engines; then they are removed completely.
    mutating func finish() async throws {
        for database in engines {
            for sample in SampleQuery.all {
                try await expectAnswer(sample, in: .database(database.number), through: database)
                let scan = QueryScan(
                    extent: .database(database.number), type: TestTenant.note, conditions: sample.conditions,
                    orders: sample.orders, limit: 1)
                let page = try await database.answeredQuery(scan)
                try expect(!page.used.isEmpty, "'\(sample.name)' ran without an index")
            }
        }
        let database = database()
        try await database.buildAll()
        try database.tenant.expectNothingFound()
        try await database.tenant.sweepAll()
        try database.tenant.expectNothingFound()
        try await database.store.dropIndexes(try database.indexes().map(\.number), in: database.number)
        try expectEqual(try database.maintainedIndexes(), [], "indexes that are kept after all were dropped")
        try await database.buildAll(rows: 100)
        // The check would find entries of an index that is not listed.
        try expectEqual(try database.indexes(), [], "indexes that are listed after their entries were removed")
    }
}
