import CloudKitWire
import NephosStorage

extension StorageCase {
    static let records: [StorageCase] = [
        everyColumnComesBack, readsAnswerInTheOrderOfTheirKeys, byteLimitOfARead, byteLimitOfDatabases,
        namesAreBytes, namesOfEveryKind, aReadIsOneMoment,
    ]

    static let everyColumnComesBack = StorageCase(
        "a record is returned with every column as it was written"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let plain = try await zone.save("plain", "")
        var rich = plain
        rich.name = "rich"
        rich.parent = "plain"
        rich.share = plain.number
        rich.flags = .encrypted
        rich.fieldsEpoch = 7
        rich.type = TestTenant.task
        rich.createdBy = UserID(high: .max, low: 0)
        rich.modifiedBy = UserID(high: 0, low: .max)
        rich.createdAt = 1
        rich.modifiedAt = 9_007_199_254_740_993
        rich.fields = Bytes("{\"text\":\"\u{1F600} é e\u{301} \\u0000\"}")
        let written = try await zone.insert(rich)
        try expectEqual(try zone.found(["plain", "rich"]), [.record(plain), .record(written)], "the records")
        try expectEqual(try zone.stub("rich"), RecordStub(written), "the stub")
        try expectEqual(try zone.feed().changes, [.record(plain), .record(written)], "the feed")
        try expectEqual(
            try zone.names(NameScan(place: .zone(zone.key), limit: 10)).records, [plain, written], "the scan by name")
        try expectEqual(try zone.database.head().recordBytes, plain.storedBytes + written.storedBytes, "bytes counted")
    }

    static let readsAnswerInTheOrderOfTheirKeys = StorageCase(
        "a read returns results by position, including missing keys and repeated keys"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let saved = try await zone.commit([.save("a"), .save("b")])
        let number = try unwrap(try zone.row(), "the zone").number
        let byNumber = ZoneKey.number(zone.database.number, number)
        var set = ReadSet()
        set.databases = [zone.database.number, 99, 1]
        set.zones = [.name(99, "Notes"), byNumber, zone.key, .number(zone.database.number, 99)]
        set.records = [
            RecordKey(zone: zone.key, name: "b"), RecordKey(zone: zone.key, name: "c"),
            RecordKey(zone: byNumber, name: "a"), RecordKey(zone: zone.key, name: "b"),
            RecordKey(zone: .name(1, "Notes"), name: "a"),
        ]
        set.stubs = set.records
        let users = UserRow.keyed([UserID(high: 1, low: 1), zone.database.user])
        let keyUsers = UserRow.from([(.serverKey, "ACCOUNT-1")])
        set.ask(users)
        set.ask(keyUsers)
        let sessions = SessionRow.keyed([[1, 2, 3]])
        set.ask(sessions)
        let reading = try tenant.store.read(set)
        try expectEqual(reading.databases.map { $0?.database }, [zone.database.number, nil, 1], "heads")
        try expectEqual(reading.zones.map { $0?.number }, [nil, number, number, nil], "zones")
        let (a, b) = (saved[0], saved[1])
        try expectEqual(reading.records, [.record(b), .absent, .record(a), .record(b), .absent], "records")
        try expectEqual(reading.stubs, [b, nil, a, b, nil].map { $0.map(RecordStub.init) }, "stubs")
        try expectEqual((reading[users] + reading[keyUsers]).map(\.id), [zone.database.user], "users")
        try expectEqual(reading[sessions], [], "sessions")
    }

    static let byteLimitOfARead = StorageCase(
        "records are loaded within the byte limit; the first always, and the others are at least known to exist"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        for name in ["a", "b", "c"] as [Name] { try await zone.save(name, String(repeating: "x", count: 99)) }
        func shapes(_ limit: Int) throws -> [String] {
            try zone.found(["a", "missing", "b", "c"], byteLimit: limit).map {
                switch $0 {
                case .absent: "absent"
                case .record(let row): row.name.text
                case .beyondLimit: "beyond"
                case .outside: "outside"
                }
            }
        }
        try expectEqual(try shapes(1_000), ["a", "absent", "b", "c"], "a limit above all of them")
        try expectEqual(try shapes(1), ["a", "absent", "beyond", "beyond"], "a limit below the first")
        try expectEqual(try shapes(150), ["a", "absent", "beyond", "beyond"], "a limit that the second would pass")
        try expectEqual(try shapes(200), ["a", "absent", "b", "beyond"], "a limit that two just fit in")
    }

    static let byteLimitOfDatabases = StorageCase(
        "records of several databases are loaded within one byte limit, in key order"
    ) { tenant in
        let zones = [try await tenant.person(1).defaultZone, try await tenant.person(2).defaultZone]
        for zone in zones {
            try await zone.commit(["a", "b"].map { .save($0, String(repeating: "x", count: 99)) })
        }
        var set = ReadSet()
        set.records = (["a", "b"] as [Name]).flatMap { name in
            zones.reversed().map { RecordKey(zone: $0.key, name: name) }
        }
        for (limit, count) in [(1_000, 4), (400, 4), (399, 3), (200, 2), (199, 1), (1, 1)] {
            set.recordByteLimit = limit
            let found = try tenant.store.read(set).records
            let loaded = found.compactMap { if case .record(let row) = $0 { RecordStub(row) } else { nil } }
            try expectEqual(loaded.count, count, "records within \(limit) bytes")
            let beyond = found.filter { if case .beyondLimit = $0 { true } else { false } }
            try expectEqual(beyond.count, 4 - count, "records beyond \(limit) bytes")
            let keys = loaded.map { RecordKey(zone: .name($0.database, defaultZoneName), name: $0.name) }
            try expectEqual(keys, Array(set.records.prefix(count)), "the first records")
        }
    }

    static let namesAreBytes = StorageCase(
        "names that look the same but differ in bytes are different names"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let (composed, decomposed): (Name, Name) = ("caf\u{E9}", "cafe\u{301}")
        try await zone.commit([
            .save(composed, "1", ownedByEach: [decomposed]), .save(decomposed, "2"), .save("CAFE", "3"),
        ])
        try expectEqual(try zone.record(composed)?.fields.text, "1", "the composed name")
        try expectEqual(try zone.record(decomposed)?.fields.text, "2", "the decomposed name")
        try expectEqual(try zone.record("cafe"), nil, "the name in another case")
        try expectEqual(try zone.referrers(decomposed, .deleteSelf).map(\.name), [composed], "references to the one")
        try expectEqual(try zone.referrers(composed, .deleteSelf), [], "references to the other")
        try await zone.delete(composed)
        try expectEqual(try zone.record(decomposed)?.fields.text, "2", "the name that was not deleted")
    }

    static let namesOfEveryKind = StorageCase("a name is any text of 1 to 255 bytes without NUL") { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let names: [Name] = [
            "\u{1}", " ", "%", "_", "'; DROP TABLE records; --", "\"", "\\", "\u{1F468}\u{200D}\u{1F469}", "\u{10FFFF}",
            "\u{7F}", "\n", "\u{FEFF}", "a", Name(String(repeating: "n", count: 255)),
            Name(String(repeating: "\u{1F600}", count: 63)), "_defaultZone", "0", "00", "1e3", "NULL",
        ]
        try await zone.commit(names.map { .save($0, $0.text) })
        for name in names {
            try expectEqual(try zone.record(name)?.fields.text, name.text, "the record '\(name)'")
        }
        let scan = try zone.names(NameScan(place: .zone(zone.key), limit: 99))
        try expectEqual(scan.records.map(\.name), names.sorted(), "all names, in the order of their bytes")
        for name in names { try await zone.database.createZone(name == defaultZoneName ? "other" : name) }
        try expectEqual(try zone.database.liveZones().count, names.count + 2, "zones of these names")
    }

    static let aReadIsOneMoment = StorageCase(
        "all parts of a read see the same state, while others write"
    ) { tenant in
        let zone = try await tenant.person(1).createZone("Notes")
        let other = zone.through(try tenant.secondEngine())
        let writing = Task {
            for round in 0..<60 { try await other.commit([.save("a", "\(round)"), .save("b", "\(round)")]) }
        }
        defer { writing.cancel() }
        var set = ReadSet()
        set.databases = [zone.database.number]
        set.zones = [zone.key]
        set.records = ["a", "b"].map { RecordKey(zone: zone.key, name: $0) }
        set.feeds = [FeedScan(zone: zone.key, bound: 0, limit: 10)]
        for _ in 0..<60 {
            let reading = try tenant.store.read(set)
            try expectEqual(reading.zones[0]?.changedSequence, reading.databases[0]?.sequence, "zone and head")
            try expectEqual(
                reading.feeds[0].changes.map { FoundShape($0) }, reading.records.compactMap(FoundShape.init),
                "feed and records")
            await Task.yield()
        }
        try await writing.value
    }
}

/// The parts of a record that both a feed and a look-up return.
private struct FoundShape: Equatable {
    var name: Name
    var fields: Bytes?

    init(_ change: FeedChange) {
        name = change.name
        if case .record(let row) = change { fields = row.fields }
    }

    init?(_ found: Found) {
        guard case .record(let row) = found else { return nil }
        name = row.name
        fields = row.fields
    }
}

extension Change {
    static func save(_ name: Name, _ fields: String, ownedByEach targets: [Name]) -> Change {
        .save(name, fields, references: targets.map { ReferenceTarget(target: $0, kind: .deleteSelf) })
    }
}

extension TestZone {
    /// Writes a new record unchanged, except for the numbers that the head assigns.
    fileprivate func insert(_ template: RecordRow) async throws -> RecordRow {
        let batch = Batch(database: database, zone: name, changes: [.save(template.name)], time: 1)
        return try await database.store.commit(batch.reading) { reading -> Decision<RecordRow> in
            var writes = try batch.writes(reading)
            var row = template
            row.number = writes.records[0].new.number
            row.sequence = writes.records[0].new.sequence
            row.tagSequence = row.sequence - 1
            writes.records[0].new = row
            return .write(writes, row)
        }
    }
}
