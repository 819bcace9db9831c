import CloudKitWire
import NephosStorage

extension StorageCase {
    /// What shares need of an engine (docs/decisions/0063).
    static let shares: [StorageCase] = [
        changesOfShares, pagesOfTypes, onlyVisibleRecords, onlyVisibleReferences, visibleInEachDatabase,
        linesOfAncestors,
        cascadeOfParents, markedRecordsStayInEvents, sharingOfZones, rowsOfShares,
        versionsOfShares,
    ]

    static let changesOfShares = StorageCase("what shares contain, and what left them, is found by positions, in pages")
    {
        tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let other = try await zone.database.createZone("Other")
        let rows = try await zone.commit((0..<5).map { .save(Name("r\($0)"), String(repeating: "x", count: 98)) })
        try await other.save("r0")
        try await zone.mark(["r0", "r1", "r2", "r3"], 70)
        try await zone.mark(["r4"], 71)
        try await other.mark(["r0"], 70)
        func names(_ scan: ShareScan) throws -> [Name] { try zone.page(scan).changes.map(\.name) }
        let all = ShareScan(zone: zone.key, shares: [70], limit: 10)
        try expectEqual(
            try zone.page(all).changes, rows.prefix(4).map { .record($0.marked(70)) }, "all, unchanged but for the mark"
        )
        try expectEqual(try zone.page(all).more, false, "more after all")
        var scan = ShareScan(zone: zone.key, shares: [70], limit: 3)
        try expectEqual(try names(scan), ["r0", "r1", "r2"], "the first")
        try expectEqual(
            try zone.page(scan),
            FeedPage(
                changes: rows.prefix(3).map { .record($0.marked(70)) }, position: rows[2].sequence, more: true),
            "the page")
        scan.after = rows[2].sequence
        try expectEqual(try names(scan), ["r3"], "those after the first page")
        scan = ShareScan(
            zone: zone.key, shares: [70], after: rows[0].sequence, through: rows[2].sequence, limit: 9)
        try expectEqual(try names(scan), ["r1", "r2"], "those between two positions")
        try expectEqual(try zone.page(scan).position, rows[2].sequence, "how far that page goes")
        for (bytes, count) in [(1, 1), (100, 1), (200, 2), (399, 3), (400, 4)] {
            scan = ShareScan(zone: zone.key, shares: [70], limit: 9, byteLimit: bytes)
            try expectEqual(try names(scan).count, count, "records in \(bytes) bytes")
            try expectEqual(try zone.page(scan).more, count < 4, "more than fit in \(bytes) bytes")
        }
        try expectEqual(try names(ShareScan(zone: zone.key, shares: [72], limit: 9)), [], "those of another share")
        try expectEqual(try names(ShareScan(zone: zone.key, shares: [], limit: 9)), [], "those of no share")
        try expectEqual(
            try names(ShareScan(zone: zone.key, shares: [71, 72, 70], limit: 9)), ["r0", "r1", "r2", "r3", "r4"],
            "those of several shares")
        for (share, more) in [(70, true), (72, false)] as [(ShareNumber, Bool)] {
            scan = ShareScan(zone: zone.key, shares: [share], limit: 0)
            try expectEqual(try zone.page(scan).more, more, "whether there are any of \(share)")
            try expectEqual(try names(scan), [], "how many that shows")
        }
        // It moves to the end; the rest leave.
        try await zone.save("r1")
        try await zone.mark(["r1"], 70)
        try await zone.mark(["r2"], nil)
        try await zone.delete("r3")
        try expectEqual(try names(all), ["r0", "r1"], "those that are left")
        let last = rows[4].sequence
        let departures = [("r2", 70, 0), ("r3", 70, 71), ("r5", 71, 0)].enumerated().map { place, left in
            DepartureRow(
                database: zone.database.number, zone: rows[0].zone, sequence: last + 100 + Int64(place),
                share: left.1, toShare: left.2, type: rows[0].type, name: Name(left.0), leftAt: 1)
        }
        try await zone.database.write(advancing: 200) { set in for row in departures { set.put(row) } }
        scan = ShareScan(zone: zone.key, shares: [70], departures: true, limit: 9)
        try expectEqual(try names(scan), ["r0", "r1", "r2", "r3"], "with what left the share")
        try expectEqual(
            Array(try zone.page(scan).changes.suffix(2)), departures.prefix(2).map { .departure($0) }, "what left")
        for (limit, bytes) in [(2, 1_000), (3, 1_000), (9, 199), (9, 202)] {
            var pages = ShareScan(
                zone: zone.key, shares: [71, 70], departures: true, limit: limit, byteLimit: bytes)
            var found: [Name] = []
            var more = true
            while more, found.count < 9 {
                let page = try zone.page(pages)
                found += page.changes.map(\.name)
                (pages.after, more) = (page.position, page.more)
            }
            // What moved from one of the shares to the other one has left neither.
            try expectEqual(found, ["r0", "r4", "r1", "r2", "r5"], "pages of \(limit) changes or \(bytes) bytes")
        }
    }

    static let pagesOfTypes = StorageCase("pages of shares contain the requested types") { tenant in
        let types = [TestTenant.note, TestTenant.note + 1]
        let zone = try await tenant.person(1).createZone("Notes")
        let rows = try await zone.commit((0..<6).map { .save(Name("r\($0)"), type: types[$0 % 2]) })
        try await zone.mark(rows.map(\.name), 70)
        func names(_ types: Set<TypeNumber>?, _ limit: Int = 9) throws -> [Name] {
            try zone.page(ShareScan(zone: zone.key, shares: [70, 71], types: types, limit: limit)).changes.map(\.name)
        }
        try expectEqual(try names([types[0]]), ["r0", "r2", "r4"], "one type")
        try expectEqual(try names([types[1]], 2), ["r1", "r3"], "the first of one type")
        try expectEqual(try names([]), [], "no type")
        try expectEqual(try names(Set(types)).count, 6, "all types")
        let first = ShareScan(zone: zone.key, shares: [70], types: [types[0]], limit: 1, byteLimit: 1)
        try expectEqual(try zone.page(first).changes, [.record(rows[0].marked(70))], "a record that just fits")
    }

    static let onlyVisibleRecords = StorageCase(
        "records outside of the visible shares are not loaded and do not count; only that a name is taken is shown"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let other = try await zone.database.createZone("Other")
        for zone in [zone, other] {
            try await zone.commit(["a", "b", "c"].map { .save($0, String(repeating: "x", count: 99)) })
        }
        try await zone.mark(["a"], 70)
        try await zone.mark(["b"], 71)
        var set = ReadSet()
        set.within = [zone.key: [70, 72]]
        let names: [Name] = ["b", "a", "c", "missing"]
        set.records = names.map { RecordKey(zone: zone.key, name: $0) } + [RecordKey(zone: other.key, name: "b")]
        set.stubs = set.records
        func shapes(_ limit: Int, _ shares: [ShareNumber]) throws -> [String] {
            set.recordByteLimit = limit
            set.within = [zone.key: shares]
            return try tenant.store.read(set).records.map {
                switch $0 {
                case .absent: "absent"
                case .record(let row): row.name.text
                case .beyondLimit: "beyond"
                case .outside: "outside"
                }
            }
        }
        try expectEqual(try shapes(1_000, [70, 72]), ["outside", "a", "outside", "absent", "b"], "one of them")
        try expectEqual(try shapes(200, [70]), ["outside", "a", "outside", "absent", "b"], "two that just fit")
        try expectEqual(try shapes(199, [70]), ["outside", "a", "outside", "absent", "beyond"], "one that fits")
        try expectEqual(
            try shapes(1, [70]), ["outside", "a", "outside", "absent", "beyond"], "the first, which always fits")
        try expectEqual(try shapes(1_000, [71, 70]), ["b", "a", "outside", "absent", "b"], "two of them")
        try expectEqual(try shapes(1_000, []), ["outside", "outside", "outside", "absent", "b"], "none of them")
        set.within = [zone.key: [70]]
        try expectEqual(
            try tenant.store.read(set).stubs.map { $0?.share }, [nil, 70, nil, nil, nil], "the shares of stubs")
        try expectEqual(
            try tenant.store.read(set).stubs.map { $0?.name }, [nil, "a", nil, nil, "b"], "the names of stubs")
    }

    static let onlyVisibleReferences = StorageCase(
        "references of records outside of the visible shares are neither found nor followed, and do not count"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let other = try await zone.database.createZone("Other")
        for zone in [zone, other] {
            try await zone.commit(
                (0..<6).map { .save(Name("r\($0)"), ownedBy: "x") } + [
                    .save("below r1", ownedBy: "r1"), .save("below r2", ownedBy: "r2"),
                ])
        }
        try await zone.mark(["r2", "r4", "r5", "below r1", "below r2"], 70)
        var set = ReadSet()
        set.within = [zone.key: [70]]
        set.referrers = [
            ReferrerScan(zone: zone.key, target: "x", kind: .deleteSelf, limit: 2),
            ReferrerScan(zone: other.key, target: "x", kind: .deleteSelf, limit: 2),
            ReferrerScan(zone: zone.key, target: "r1", kind: .deleteSelf, limit: 2),
        ]
        set.cascades = [
            CascadeScan(zone: zone.key, roots: ["x"], limit: 9), CascadeScan(zone: zone.key, roots: ["x"], limit: 3),
            CascadeScan(zone: other.key, roots: ["x"], limit: 9),
        ]
        let reading = try tenant.store.read(set)
        try expectEqual(
            reading.referrers.map { $0.map(\.name) }, [["r2", "r4"], ["r0", "r1"], ["below r1"]], "the referrers")
        try expectEqual(
            reading.cascades.map { Set($0.map(\.record.name)) }[0], ["r2", "r4", "r5", "below r2"], "the cascade")
        try expectEqual(reading.cascades.map(\.count), [4, 3, 8], "the steps of the cascades")
        // The mark is that of the reading, not of the key.
        set.within = [.number(zone.database.number, 99): [70]]
        try expectEqual(try tenant.store.read(set).referrers[0].map(\.name), ["r0", "r1"], "without a restriction")
    }

    static let visibleInEachDatabase = StorageCase(
        "what is visible is decided for each zone of a read, of whatever database"
    ) { tenant in
        let zones = [
            try await tenant.person(1).createZone("Notes"), try await tenant.person(2).createZone("Notes"),
        ]
        for (zone, share) in zip(zones, [70, 80] as [ShareNumber]) {
            try await zone.commit([.save("a"), .save("b")])
            try await zone.mark(["a"], share)
        }
        var set = ReadSet()
        set.within = [zones[0].key: [70], zones[1].key: [70]]
        set.records = zones.flatMap { zone in (["a", "b"] as [Name]).map { RecordKey(zone: zone.key, name: $0) } }
        let isRecord = try tenant.store.read(set).records.map { if case .record = $0 { true } else { false } }
        try expectEqual(isRecord, [true, false, false, false], "records of the first person")
    }

    static let linesOfAncestors = StorageCase("what is above a record is found up to its end, a cycle, or the limit") {
        tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit([
            .save("root"), .save("a", below: "root"), .save("b", below: "a"), .save("c", below: "b"),
            .save("orphan", below: "missing"), .save("x", below: "z"), .save("y", below: "x"), .save("z", below: "y"),
            .save("into the cycle", below: "x"), .save("own parent", below: "own parent"),
        ])
        let lines: [(name: Name, limit: Int, names: [Name], next: Name?)] = [
            ("c", 9, ["c", "b", "a", "root"], nil), ("c", 4, ["c", "b", "a", "root"], nil), ("c", 2, ["c", "b"], "a"),
            ("root", 9, ["root"], nil), ("orphan", 9, ["orphan"], "missing"), ("missing", 9, [], nil),
            ("x", 9, ["x", "z", "y"], "x"), ("into the cycle", 9, ["into the cycle", "x", "z", "y"], "x"),
            ("own parent", 9, ["own parent"], "own parent"),
        ]
        var set = ReadSet()
        set.ancestors =
            lines.map { AncestorScan(zone: zone.key, name: $0.name, limit: $0.limit) }
            + [AncestorScan(zone: .name(zone.database.number, "None"), name: "c", limit: 9)]
        let found = try tenant.store.read(set).ancestors
        for (line, found) in zip(lines, found) {
            try expectEqual(found.records.map(\.name), line.names, "above \(line.name), at most \(line.limit)")
            try expectEqual(found.next, line.next, "the next above \(line.name), at most \(line.limit)")
        }
        try expectEqual(found.last, AncestorLine(records: [], next: nil), "in a missing zone")
        let row = try unwrap(try zone.record("b"), "a record")
        try expectEqual(found[0].records[1], RecordStub(row), "a stub")
    }

    static let cascadeOfParents = StorageCase("what is below a record is found like a cascade, and in pages") {
        tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.commit([
            .save("root"), .save("a", below: "root"), .save("b", below: "root"), .save("c", below: "a"),
            .save("owned", ownedBy: "root"),
        ])
        var set = ReadSet()
        set.cascades = [CascadeScan(zone: zone.key, roots: ["root"], kind: .parent, limit: 9)]
        let edges = try tenant.store.read(set).cascades[0]
        try expectEqual(Set(edges.map(\.record.name)), ["a", "b", "c"], "all below the root")
        let numbers = try ["a", "b"].map { try unwrap(try zone.record($0), "a record").number }
        for (above, names) in [(0, ["a"]), (numbers[0], ["b"]), (numbers[1], [])] as [(RecordNumber, [Name])] {
            set.referrers = [ReferrerScan(zone: zone.key, target: "root", kind: .parent, above: above, limit: 1)]
            try expectEqual(try tenant.store.read(set).referrers[0].map(\.name), names, "a child above \(above)")
        }
    }

    static let markedRecordsStayInEvents = StorageCase(
        "a record that is only marked still belongs to the event of its last save"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try await zone.database.subscribe("a", .query)
        let first = try await zone.save("a", #"{"n":1}"#)
        try await zone.mark(["a"], 70)
        let second = try await zone.save("a", #"{"n":2}"#)
        try expectEqual(
            try zone.database.events().map(\.record), [first.marked(70), second], "the records of the events")
    }

    static let sharingOfZones = StorageCase("what of a zone is shared is kept with it") { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        try expectEqual(try zone.row()?.sharing, .nothing, "of a new zone")
        for sharing in [.records, .recordsInPreparation, .zone(70), .nothing] as [ZoneSharing] {
            try await zone.setSharing(sharing)
            try tenant.restart()
            try expectEqual(try zone.through(tenant).row()?.sharing, sharing, "after it was set")
            try tenant.expectNothingFound()
        }
    }

    static let rowsOfShares = StorageCase(
        "shares, participants, departures and shared zones are found as they are listed"
    ) {
        tenant in
        let (owner, member) = (try await tenant.person(1), try await tenant.person(2))
        let (one, two) = (owner.number, member.number)
        let shares = (2...4).map { ShareRow(database: one, number: $0, zone: $0 < 4 ? 1 : 2, root: $0 * 10, name: "s") }
        let participants = (2...4).map {
            ParticipantRow(database: one, user: member.user, zone: $0 < 4 ? 1 : 2, share: $0, since: $0)
        }
        let departures = (2...4).map {
            DepartureRow(database: one, zone: 1, sequence: $0, share: 2, type: 1, name: "r", leftAt: 1)
        }
        let zones = (2...4).map {
            SharedZoneRow(database: two, owner: owner.user, zone: $0, name: "z", ownerDatabase: one, sequence: 6 - $0)
        }
        try await owner.write(advancing: 10) { set in
            for row in shares { set.put(row) }
            for row in participants { set.put(row) }
            for row in departures { set.put(row) }
        }
        try await member.write(advancing: 10) { set in for row in zones { set.put(row) } }
        try tenant.restart()
        let (owned, seen) = (owner.through(tenant), member.through(tenant))
        try expectEqual(try owned.rows(ShareRow.of(1, in: one, limit: 9)), Array(shares.prefix(2)), "shares of a zone")
        try expectEqual(try owned.rows(ShareRow.of(1, in: one, after: 2, limit: 9)), [shares[1]], "shares after one")
        try expectEqual(try owned.rows(ShareRow.ofRoots([20, 99], in: one)), [shares[0]], "shares by root")
        try expectEqual(
            Set(try owned.rows(ShareRow.keyed([2, 4], in: one)).map(\.number)), [2, 4], "shares by number")
        try expectEqual(
            try owned.rows(ParticipantRow.of(member.user, in: 1, of: one, limit: 9)), Array(participants.prefix(2)),
            "shares of a person in a zone")
        try expectEqual(try owned.rows(ParticipantRow.of(3, in: one, limit: 9)), [participants[1]], "people of a share")
        try expectEqual(
            try owned.rows(DepartureRow.from(2, in: 1, of: one, after: 2, limit: 1)), [departures[1]],
            "departures after one")
        try expectEqual(try owned.rows(DepartureRow.of(1, in: one, limit: 9)), departures, "departures of a zone")
        try expectEqual(
            try seen.rows(SharedZoneRow.changed(after: 2, in: two, limit: 9)), [zones[1], zones[0]], "zones by change")
        try expectEqual(
            try seen.rows(SharedZoneRow.of(owner.user, kind: .pointer, in: two, limit: 9)), zones, "zones of an owner")
        let scans: [(String, any AnyScan)] = [
            ("by a key", ShareRow.keyed([2], in: one)), ("a short list", ParticipantRow.of(3, in: one, limit: 200)),
        ]
        for (what, scan) in scans { try expect(scan.isBounded, "\(what) takes little work") }
        try expect(!ParticipantRow.of(3, in: one, limit: 202).isBounded, "a long list takes more")
    }

    /// docs/decisions/0064
    static let versionsOfShares = StorageCase(
        "a version changes with whatever proves who sees what is shared, and with nothing else"
    ) { tenant in
        let (owner, member) = (try await tenant.person(1), try await tenant.person(2))
        let (one, two) = (owner.number, member.number)
        let zone = try await owner.createZone("Notes")
        func versions() throws -> [Int64?] {
            var set = ReadSet()
            set.shareVersions = [two, one, 1_000_000]
            let found = try tenant.store.read(set).shareVersions
            try expectEqual(found.count, 3, "versions")
            try expectEqual(found[2], nil, "the version of a database that does not exist")
            return found
        }
        var last = try versions()
        /// - Parameter changed: The positions of the versions that are to change.
        func expectChanged(_ changed: [Int], _ what: String) throws {
            try tenant.restart()
            let now = try versions()
            for position in 0..<2 {
                try expectEqual(
                    now[position] != last[position], changed.contains(position), "\(what): version \(position) changed")
            }
            last = now
        }
        let share = ShareRow(database: one, number: 2, zone: 1, root: 20, name: "s")
        let participant = ParticipantRow(database: one, user: member.user, zone: 1, share: 2, since: 2)
        let pointer = SharedZoneRow(
            database: two, owner: owner.user, zone: 1, name: "z", ownerDatabase: one, sequence: 2)
        let visit = SharedZoneRow(
            database: two, kind: .visit, owner: owner.user, zone: 1, share: 2, name: "z", ownerDatabase: one,
            sequence: 3)
        try await zone.through(tenant).save("r0")
        try expectChanged([], "a record")
        try await owner.through(tenant).write(advancing: 3) { $0.put(share) }
        try expectChanged([1], "a share")
        try await owner.through(tenant).write { $0.put(participant) }
        try expectChanged([1], "a participant")
        let reader = ParticipantRow(
            database: one, user: member.user, zone: 1, share: 2, permission: .readOnly, since: 2)
        try await owner.through(tenant).write { $0.put(reader, replacing: participant) }
        try expectChanged([1], "a permission")
        try await member.through(tenant).write(advancing: 3) { $0.put(pointer) }
        try expectChanged([], "a pointer")
        try await member.through(tenant).write { $0.put(visit) }
        try expectChanged([0], "a visit")
        try expectEqual(try member.through(tenant).head().visits, 1, "visits")
        try await zone.through(tenant).mark(["r0"], 2)
        try expectChanged([], "the mark of a record")
        try await zone.through(tenant).setSharing(.records)
        try expectChanged([1], "a zone in which something is shared")
        _ = try await owner.through(tenant).createZone("Other")
        try expectChanged([1], "a new zone")
        try await owner.through(tenant).write { $0.remove(reader) }
        try expectChanged([1], "a participant who leaves")
        try await member.through(tenant).write { $0.remove(visit) }
        try expectChanged([0], "the end of a visit")
        try expectEqual(try member.through(tenant).head().visits, 0, "visits after the end")
        try await owner.through(tenant).write { $0.remove(share) }
        try expectChanged([1], "the end of a share")
        // As often, but something else: as a database changes that was reset to an earlier state.
        var seen: Set<Int64> = []
        for (id, permission): (UInt64, ParticipantRow.Permission) in [(3, .readOnly), (4, .readWrite)] {
            let person = try await tenant.person(id)
            let row = ParticipantRow(
                database: person.number, user: member.user, zone: 1, share: 2, permission: permission, since: 1)
            try await person.write(advancing: 3) { $0.put(row) }
            seen.insert(try person.head().sharesVersion)
        }
        try expectEqual(seen.count, 2, "versions of databases that changed as often")
        try tenant.expectNothingFound()
    }
}

extension RecordRow {
    fileprivate func marked(_ share: ShareNumber?) -> RecordRow {
        var row = self
        row.share = share
        return row
    }
}

extension Change {
    fileprivate static func save(_ name: Name, below parent: Name) -> Change {
        .save(name, references: [ReferenceTarget(target: parent, kind: .parent)])
    }
}

extension TestZone {
    func page(_ scan: ShareScan) throws -> FeedPage {
        var set = ReadSet()
        set.shares = [scan]
        return try database.store.read(set).shares[0]
    }

    /// Marks records as part of a share, without moving them in the feed.
    func mark(_ names: [Name], _ share: ShareNumber?) async throws {
        var set = ReadSet()
        set.databases = [database.number]
        set.records = names.map { RecordKey(zone: key, name: $0) }
        try await database.store.commit(set) { reading -> Decision<Void> in
            var writes = WriteSet()
            for case .record(let row) in reading.records {
                var new = row
                new.share = share
                writes.records.append(RecordWrite(old: RecordStub(row), new: new, references: nil))
            }
            writes.heads = reading.databases.compactMap { $0 }
            writes.heads[0].sequence += 1
            return .write(writes, ())
        }
    }

    fileprivate func setSharing(_ sharing: ZoneSharing) async throws {
        var set = ReadSet()
        set.databases = [database.number]
        set.zones = [key]
        try await database.store.commit(set) { reading in
            guard var head = reading.databases[0], let old = reading.zones[0] else { throw Refused.noZone }
            head.sequence += 1
            var zone = old
            (zone.changedSequence, zone.sharing) = (head.sequence, sharing)
            var writes = WriteSet()
            writes.zones = [ZoneWrite(old: old, new: zone)]
            writes.heads = [head]
            return .write(writes, ())
        }
    }
}
