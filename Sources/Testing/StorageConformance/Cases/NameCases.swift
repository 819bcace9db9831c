import CloudKitWire
import NephosStorage

extension StorageCase {
    static let nameScans: [StorageCase] = [
        nameScanInPages, nameScanFilters, nameScanOfTheDatabase, nameScanExaminesNoMoreThanAllowed, nameScanByteLimit,
    ]

    static let nameScanInPages = StorageCase(
        "pages of any size by name have each record once, in order"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes.compactMap(\.recordName).sorted()
        for limit in [1, 2, 3, 7, 1_000] {
            let scan = NameScan(place: .zone(zone.key), limit: limit)
            try expectEqual(try zone.allNames(scan), all, "pages of \(limit)")
        }
        for name in all {
            let after = NameScan.Position(zone: try unwrap(try zone.row(), "the zone").number, name: name)
            let scan = NameScan(place: .zone(zone.key), after: after, limit: 4)
            try expectEqual(try zone.allNames(scan), all.filter { $0 > name }, "names behind '\(name)'")
        }
        let nowhere = NameScan(place: .zone(.name(1, "nowhere")), limit: 5)
        try expectEqual(try zone.allNames(nowhere), [], "names of a missing zone")
    }

    static let nameScanFilters = StorageCase(
        "a scan by name can be limited to one type, one creator, or both"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let stranger = TestDatabase(tenant: tenant, number: zone.database.number, user: UserID(high: 5, low: 5))
        try await stranger.zone(zone.name).commit([.save("record 30"), .save("record 31", type: TestTenant.task)])
        // A user who changes a record is not its creator.
        try await stranger.zone(zone.name).save("record 2", "changed")
        let all = try zone.feed().changes.compactMap { change in
            if case .record(let row) = change { row } else { nil }
        }
        for type in [nil, TestTenant.note, TestTenant.task] {
            for creator in [nil, zone.database.user, stranger.user] {
                let expected = all.filter { $0.type == type ?? $0.type && $0.createdBy == creator ?? $0.createdBy }
                let scan = NameScan(place: .zone(zone.key), type: type, createdBy: creator, limit: 3)
                try expectEqual(try zone.allNames(scan), expected.map(\.name).sorted(), "names of \(type ?? 0)")
            }
        }
    }

    static let nameScanOfTheDatabase = StorageCase(
        "a scan of a database visits its live zones by number"
    ) { tenant in
        let database = try await tenant.person(1)
        for zone in ["z", "dead", "a"] as [Name] {
            try await database.createZone(zone).commit([.save("2"), .save("1")])
        }
        try await database.defaultZone.save("3")
        try await database.deleteZone("dead")
        for limit in 1...6 {
            let scan = NameScan(place: .database(database.number), limit: limit)
            try expectEqual(try database.defaultZone.allNames(scan), ["3", "1", "2", "1", "2"], "pages of \(limit)")
        }
    }

    static let nameScanExaminesNoMoreThanAllowed = StorageCase(
        "a scan by name reads no more rows than allowed, and continues after an empty page"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes.compactMap(\.recordName).sorted()
        for allowed in [1, 3, 1_000] {
            let scan = NameScan(place: .zone(zone.key), type: 99, limit: 10, examinedLimit: allowed)
            let pages = try zone.namePages(scan)
            for page in pages {
                try expect(page.examined <= allowed, "a page examined \(page.examined) of \(allowed) allowed rows")
                try expectEqual(page.records, [], "records of an unused type")
            }
            try expectEqual(pages.reduce(0) { $0 + $1.examined }, all.count, "rows that all pages examined")
            try expect(pages.count >= all.count / allowed, "\(all.count) rows in \(pages.count) pages")
        }
    }

    static let nameScanByteLimit = StorageCase(
        "a page by name ends before its byte limit, and has at least one record"
    ) { tenant in
        let zone = try await tenant.busyZone()
        let all = try zone.feed().changes.compactMap(\.recordName).sorted()
        for limit in [1, 40, 100] {
            let scan = NameScan(place: .zone(zone.key), limit: 1_000, byteLimit: limit)
            for page in try zone.namePages(scan) {
                let bytes = page.records.reduce(0) { $0 + $1.storedBytes }
                try expect(page.records.count == 1 || bytes <= limit, "\(page.records.count) records, \(bytes) bytes")
            }
            try expectEqual(try zone.allNames(scan), all, "pages of \(limit) bytes")
        }
    }
}

extension TestZone {
    /// All pages from `scan` on.
    fileprivate func namePages(_ scan: NameScan) throws -> [NamePage] {
        var (scan, pages): (NameScan, [NamePage]) = (scan, [])
        while true {
            let page = try self.names(scan)
            try expect(
                page.records.count <= scan.limit,
                "a page of \(page.records.count) records, with a limit of \(scan.limit)")
            pages.append(page)
            guard let next = page.next else { return pages }
            if let last = scan.after {
                try expect(
                    (next.zone, next.name) > (last.zone, last.name), "a page does not advance from '\(next.name)'")
            }
            scan.after = next
        }
    }

    fileprivate func allNames(_ scan: NameScan) throws -> [Name] {
        try namePages(scan).flatMap { $0.records.map(\.name) }
    }
}
