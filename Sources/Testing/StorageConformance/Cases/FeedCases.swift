import CloudKitWire
import NephosStorage

extension StorageCase {
    static let feeds: [StorageCase] = [
        pagesRebuildTheZone, reversePagesAreTheFeedBackwards, byteLimitOfAPage, tombstonesThatNobodySaw,
        filteredPagesMoveOn, feedOfNothing,
    ]

    static let pagesRebuildTheZone = StorageCase(
        "pages of any size, one behind the other, are the whole feed"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed()
        try expect(!all.more, "a page that holds everything says there is more")
        try expectEqual(all.position, all.changes.last?.sequence, "the position behind the last change")
        for types in [nil, [TestTenant.note], [TestTenant.task], [TestTenant.note, TestTenant.task]]
            as [Set<TypeNumber>?]
        {
            let expected = all.changes.filter { types?.contains($0.type) ?? true }
            for limit in [1, 2, 3, 7, 1_000] {
                var scan = FeedScan(zone: zone.key, bound: 0, types: types, limit: limit)
                try expectEqual(
                    try zone.allPages(&scan), expected, "pages of \(limit), types \(String(describing: types))")
                try expectEqual(try zone.feed(scan).changes, [], "the page behind the last one")
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
        "tombstones up to a sequence can be left out, both ways"
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
        "a page that filters by type looks at no more rows than allowed, and moves on even when empty"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes
        for types in [[TestTenant.task], []] as [Set<TypeNumber>] {
            for examined in [1, 3, 10] {
                var scan = FeedScan(zone: zone.key, bound: 0, types: types, limit: 1_000, examinedLimit: examined)
                let pages = try zone.pages(&scan)
                try expectEqual(
                    pages.flatMap(\.changes), all.filter { types.contains($0.type) }, "pages that examine \(examined)")
                try expect(pages.count >= all.count / examined, "\(pages.count) pages looked at \(all.count) rows")
                try expectEqual(pages.last?.position, all.last?.sequence, "where the last page ends")
            }
        }
    }

    static let feedOfNothing = StorageCase(
        "the feed of a zone that is not there is empty and stays where it was"
    ) { tenant in
        let zone = tenant.publicDatabase.zone("nowhere")
        let page = FeedPage(changes: [], position: 17, more: false)
        try expectEqual(try zone.feed(after: 17), page, "by name")
        let scan = FeedScan(zone: .number(1, 99), bound: 17, limit: 5)
        try expectEqual(try zone.feed(scan), page, "by number")
    }
}

extension TestTenant {
    /// A zone with a history: of 24 records of two types some were changed, some deleted, some came back.
    func busyZone() async throws -> TestZone {
        let zone = try await person(77).createZone("Busy")
        for index in 0..<24 {
            let type = index.isMultiple(of: 3) ? Self.task : Self.note
            try await zone.save(Name("record \(index)"), String(repeating: "x", count: index), type: type)
        }
        for index in stride(from: 0, to: 24, by: 4) { try await zone.delete(Name("record \(index)")) }
        for index in stride(from: 1, to: 24, by: 5) { try await zone.save(Name("record \(index)"), "changed") }
        try await zone.save("record 8", "back")
        return zone
    }
}

extension TestZone {
    /// All pages from `scan` on, which ends where the last page ended.
    func pages(_ scan: inout FeedScan) throws -> [FeedPage] {
        var pages: [FeedPage] = []
        while true {
            let page = try feed(scan)
            let isAhead = scan.reverse ? page.position < scan.bound : page.position > scan.bound
            try expect(isAhead || !page.more, "a page with more behind it stays at \(page.position)")
            try expect(page.changes.count <= scan.limit, "a page of \(page.changes.count), asked for \(scan.limit)")
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
        }
    }

    /// What the change counts towards the byte limit of a page.
    fileprivate var bytes: Int {
        switch self {
        case .record(let row): row.name.bytes.count + row.fields.count
        case .tombstone(let row): row.name.bytes.count
        }
    }
}
