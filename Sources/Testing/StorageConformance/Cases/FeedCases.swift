import CloudKitWire
import NephosStorage

extension StorageCase {
    static let feeds: [StorageCase] = [
        pagesRebuildTheZone, reversePagesAreTheFeedBackwards, byteLimitOfAPage, tombstonesThatNobodySaw,
        filteredPagesMoveOn, feedsHaveOneBudget, feedOfNothing,
    ]

    static let pagesRebuildTheZone = StorageCase(
        "pages of any size, one after the other, are the whole feed"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed()
        try expect(!all.more, "a page that holds everything says there is more")
        try expectEqual(all.position, all.changes.last?.sequence, "the position after the last change")
        for types in [nil, [TestTenant.note], [TestTenant.task], [TestTenant.note, TestTenant.task]]
            as [Set<TypeNumber>?]
        {
            let expected = all.changes.filter { types?.contains($0.type) ?? true }
            for limit in [1, 2, 3, 7, 1_000] {
                var scan = FeedScan(zone: zone.key, bound: 0, types: types, limit: limit)
                try expectEqual(
                    try zone.allPages(&scan), expected, "pages of \(limit), types \(String(describing: types))")
                try expectEqual(try zone.feed(scan).changes, [], "the page after the last one")
            }
        }
        for start in all.changes.map(\.sequence) {
            var scan = FeedScan(zone: zone.key, bound: start, limit: 4)
            let expected = all.changes.filter { $0.sequence > start }
            try expectEqual(try zone.allPages(&scan), expected, "pages from \(start) on")
        }
    }

    static let reversePagesAreTheFeedBackwards = StorageCase(
        "pages from the newest change back are the feed, backwards"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes
        for limit in [1, 2, 5, 1_000] {
            var scan = FeedScan(zone: zone.key, bound: .max, reverse: true, limit: limit)
            try expectEqual(try zone.allPages(&scan), all.reversed(), "pages of \(limit)")
        }
        for bound in all.map(\.sequence) {
            var scan = FeedScan(zone: zone.key, bound: bound, reverse: true, limit: 3)
            let expected = all.reversed().filter { $0.sequence < bound }
            try expectEqual(try zone.allPages(&scan), expected, "pages back from \(bound)")
        }
    }

    static let byteLimitOfAPage = StorageCase(
        "a page ends before it holds more bytes than its limit, and always holds one change"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes
        for byteLimit in [1, 20, 64, 200] {
            for reverse in [false, true] {
                var scan = FeedScan(
                    zone: zone.key, bound: reverse ? .max : 0, reverse: reverse, limit: 1_000, byteLimit: byteLimit)
                let pages = try zone.pages(&scan)
                try expectEqual(pages.flatMap(\.changes), reverse ? all.reversed() : all, "pages of \(byteLimit) bytes")
                for page in pages where page.changes.count > 1 {
                    let bytes = page.changes.reduce(0) { $0 + $1.bytes }
                    try expect(
                        bytes <= byteLimit, "a page of \(page.changes.count) holds \(bytes) > \(byteLimit) bytes")
                }
            }
        }
    }

    static let tombstonesThatNobodySaw = StorageCase(
        "tombstones up to a sequence can be omitted, in both directions"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes
        for seen in [0] + all.map(\.sequence) + [Sequence.max] {
            let expected = all.filter { $0.recordName != nil || $0.sequence > seen }
            var forth = FeedScan(zone: zone.key, bound: 0, tombstonesAfter: seen, limit: 3)
            try expectEqual(try zone.allPages(&forth), expected, "the feed without tombstones up to \(seen)")
            var back = FeedScan(zone: zone.key, bound: .max, reverse: true, tombstonesAfter: seen, limit: 3)
            try expectEqual(try zone.allPages(&back), expected.reversed(), "the same, backwards")
        }
    }

    static let filteredPagesMoveOn = StorageCase(
        "a page that filters by type reads no more rows than allowed, and advances even when empty"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes
        for types in [[TestTenant.task], []] as [Set<TypeNumber>] {
            for examined in [1, 3, 10] {
                var scan = FeedScan(zone: zone.key, bound: 0, types: types, limit: 1_000, examinedLimit: examined)
                let pages = try zone.pages(&scan)
                try expectEqual(
                    pages.flatMap(\.changes), all.filter { types.contains($0.type) }, "pages that examine \(examined)")
                try expect(pages.count >= all.count / examined, "\(pages.count) pages examined \(all.count) rows")
                try expectEqual(pages.last?.position, all.last?.sequence, "where the last page ends")
            }
        }
    }

    static let feedsHaveOneBudget = StorageCase(
        "feeds of one read share a budget, and each is reconstructed exactly when they are followed together"
    ) { tenant in
        let person = try await tenant.person(78)
        var zones: [TestZone] = []
        for name in ["A", "B", "C", "D"] as [Name] { zones.append(try await person.busyZone(name)) }
        let all = try zones.map { try $0.feed().changes }
        var dice = Dice(seed: 14)
        for budget in [
            FeedBudget(rows: 1, bytes: .max), FeedBudget(rows: 7, bytes: .max), FeedBudget(rows: 1_000, bytes: 1),
            FeedBudget(rows: 1_000, bytes: 90), FeedBudget(rows: 30, bytes: 400), .unlimited,
        ] {
            for round in 0..<4 {
                let filters: [Set<TypeNumber>?] = [nil, [TestTenant.task], [TestTenant.note, TestTenant.task]]
                let types = filters[round % 3]
                var scans = zones.map {
                    FeedScan(
                        zone: $0.key, bound: round == 3 ? .max : 0, reverse: round == 3, types: types,
                        limit: 1 + dice.roll(12), examinedLimit: 1 + dice.roll(20))
                }
                var found = zones.map { _ in [FeedChange]() }
                var open = Set(zones.indices)
                var reads = 0
                while !open.isEmpty {
                    let asked = open.sorted()
                    var set = ReadSet()
                    set.feeds = asked.map { scans[$0] }
                    set.feedBudget = budget
                    let reading = try person.store.read(set)
                    try expect(reading.feedWork.rows <= budget.rows, "\(reading.feedWork) of \(budget)")
                    try expect(
                        reading.feedWork.records <= 1 || reading.feedWork.bytes <= budget.bytes,
                        "\(reading.feedWork) of \(budget)")
                    try expect(reading.feeds.count == asked.count, "\(reading.feeds.count) pages of \(asked.count)")
                    let hasMoved = zip(asked, reading.feeds).contains { scans[$0].bound != $1.position || !$1.more }
                    try expect(hasMoved, "no feed advanced within \(budget)")
                    for (zone, page) in zip(asked, reading.feeds) {
                        found[zone] += page.changes
                        scans[zone].bound = page.position
                        if !page.more { open.remove(zone) }
                    }
                    reads += 1
                    try expect(reads < 1_000, "the feeds do not end within \(budget)")
                }
                for zone in zones.indices {
                    let expected = all[zone].filter { types?.contains($0.type) ?? true }
                    try expectEqual(
                        found[zone], round == 3 ? expected.reversed() : expected, "zone \(zone) within \(budget)")
                }
            }
        }
    }

    static let feedOfNothing = StorageCase(
        "the feed of a missing zone is empty and does not advance"
    ) { tenant in
        let zone = tenant.publicDatabase.zone("nowhere")
        let page = FeedPage(changes: [], position: 17, more: false)
        try expectEqual(try zone.feed(after: 17), page, "by name")
        let scan = FeedScan(zone: .number(1, 99), bound: 17, limit: 5)
        try expectEqual(try zone.feed(scan), page, "by number")
    }
}

extension TestTenant {
    /// A zone with a history: of 24 records of two types some were changed, some deleted, and some created again.
    func busyZone() async throws -> TestZone { try await person(77).busyZone("Busy") }
}

extension TestDatabase {
    func busyZone(_ name: Name) async throws -> TestZone {
        let zone = try await createZone(name)
        for index in 0..<24 {
            let type = index.isMultiple(of: 3) ? TestTenant.task : TestTenant.note
            try await zone.save(Name("record \(index)"), String(repeating: "x", count: index), type: type)
        }
        for index in stride(from: 0, to: 24, by: 4) { try await zone.delete(Name("record \(index)")) }
        for index in stride(from: 1, to: 24, by: 5) { try await zone.save(Name("record \(index)"), "changed") }
        try await zone.save("record 8", "back")
        return zone
    }
}

extension TestZone {
    /// All pages from `scan` on, which afterwards is positioned at the end of the last page.
    func pages(_ scan: inout FeedScan) throws -> [FeedPage] {
        var pages: [FeedPage] = []
        while true {
            let page = try feed(scan)
            let isAhead = scan.reverse ? page.position < scan.bound : page.position > scan.bound
            try expect(isAhead || !page.more, "a page that is not the last does not advance from \(page.position)")
            try expect(
                page.changes.count <= scan.limit,
                "a page of \(page.changes.count) changes, with a limit of \(scan.limit)")
            pages.append(page)
            scan.bound = page.position
            guard page.more else { return pages }
        }
    }

    func allPages(_ scan: inout FeedScan) throws -> [FeedChange] { try pages(&scan).flatMap(\.changes) }
}

extension FeedChange {
    var type: TypeNumber {
        switch self {
        case .record(let row): row.type
        case .tombstone(let row): row.type
        case .departure(let row): row.type
        }
    }

    /// The bytes of the change that count towards the limit of a page.
    fileprivate var bytes: Int {
        switch self {
        case .record(let row): row.name.bytes.count + row.fields.count
        case .tombstone(let row): row.name.bytes.count
        case .departure(let row): row.name.bytes.count
        }
    }
}
