import CloudKitWire
import NephosStorage

extension StorageCase {
    static let walks: [StorageCase] = [walkInPages, walkByteLimit, walkOfDeadZones]

    static let walkInPages = StorageCase(
        "pages of any size by number have each record once, unchanged, in order of creation"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.records.sorted { $0.number < $1.number }
        let last = try zone.database.head().recordNumber
        for limit in [1, 2, 7, 1_000] {
            try expectEqual(try zone.database.walk(through: last, limit: limit), all, "pages of \(limit)")
        }
        for bound in all.prefix(9) {
            let some = try zone.database.walk(above: 3, through: bound.number, limit: 4)
            try expectEqual(some, all.filter { $0.number > 3 && $0.number <= bound.number }, "up to \(bound.number)")
        }
        try await zone.save(all[0].name, "changed")
        let changed = try zone.database.walk(through: last, limit: 5)
        try expectEqual(changed.map(\.number), all.map(\.number), "after a change")
        let empty = try zone.database.page(RecordWalk(zone.database.number, above: last, through: last + 9, limit: 1))
        try expectEqual(empty, WalkPage(records: [], position: last + 9), "past the last")
    }

    static let walkByteLimit = StorageCase(
        "a page by number ends before its byte limit, and has at least one record"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.records.sorted { $0.number < $1.number }
        let last = try zone.database.head().recordNumber
        for bytes in [1, 100, 1_000] {
            var (position, pages) = (RecordNumber(0), [[RecordRow]]())
            while position < last {
                let walk = RecordWalk(zone.database.number, above: position, through: last, limit: 99, byteLimit: bytes)
                let page = try zone.database.page(walk)
                try expect(page.position > position, "a page continues from \(position)")
                pages.append(page.records)
                position = page.position
            }
            try expectEqual(Array(pages.joined()), all, "pages of \(bytes) bytes")
            for page in pages where page.count > 1 {
                let size = page.reduce(0) { $0 + $1.storedBytes }
                try expect(size <= bytes, "a page has \(size) of \(bytes) bytes")
            }
        }
    }

    static let walkOfDeadZones = StorageCase("records of a deleted zone are walked until they are swept") { tenant in
        let database = try await tenant.person(1)
        try await database.createZone("dead").commit([.save("a"), .save("b")])
        try await database.defaultZone.save("c")
        try await database.deleteZone("dead")
        let last = try database.head().recordNumber
        try expectEqual(try database.walk(through: last, limit: 2).map(\.name), ["a", "b", "c"], "before the sweep")
        try await tenant.sweepAll(rows: 10)
        try expectEqual(try database.walk(through: last, limit: 2).map(\.name), ["c"], "after it")
    }
}

extension TestDatabase {
    fileprivate func page(_ walk: RecordWalk) throws -> WalkPage {
        var set = ReadSet()
        set.walks = [walk]
        return try unwrap(try store.read(set).walks.first, "a page")
    }

    fileprivate func walk(above: RecordNumber = 0, through last: RecordNumber, limit: Int) throws -> [RecordRow] {
        var (position, records) = (above, [RecordRow]())
        while position < last {
            let page = try page(RecordWalk(number, above: position, through: last, limit: limit))
            try expect(page.records.count <= limit, "a page has \(page.records.count) of \(limit)")
            try expect(page.position > position, "a page continues from \(position)")
            records += page.records
            position = page.position
        }
        return records
    }
}

extension TestZone {
    fileprivate var records: [RecordRow] {
        get throws {
            try feed().changes.compactMap { change in if case .record(let row) = change { row } else { nil } }
        }
    }
}
