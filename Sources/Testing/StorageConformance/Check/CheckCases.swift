import NephosStorage

extension CheckCase {
    static let clean = CheckCase("finds nothing in what the engine wrote, and reports its progress") { full in
        for place in StoredPlace.allCases {
            try expectEqual(try full.findings(in: place), [], "the check of what the engine wrote")
        }
        var last = (0, 0)
        _ = try full.tenant.store.check { last = ($0, $1) }
        try expect(last.0 == last.1 && last.0 > 20, "the check reported its end at \(last)")
    }

    static let changed = CheckCase("finds a changed row, and names its table") { full in
        var missed: [String] = []
        for (table, columns) in storedColumns {
            for column in columns {
                let findings = try full.findings {
                    try full.tables.update(table, column, to: try full.tables.another(column, of: table))
                }
                if !findings.contains(where: { $0.table == table }) { missed.append("\(table).\(column): \(findings)") }
            }
        }
        try expectEqual(missed, [], "changes that were not found")
    }

    static let removed = CheckCase("finds a missing row") { full in
        // These are added and removed all the time, and are not counted anywhere.
        let uncounted = ["deliveries", "push_log", "credential_uses", "sessions", "session_uses"]
        for (table, _) in storedColumns where !uncounted.contains(table) {
            let findings = try full.findings {
                try full.tables.removeLast(of: table)
                guard table == "catalog" else { return }
                let reading = try? full.tenant.store.read(ReadSet())
                try expect(reading == nil, "a tenant without a catalog can be read")
            }
            try expect(!findings.isEmpty, "a row of \(table) was removed")
        }
    }

    static let added = CheckCase("finds an added row, although its checksum is correct") { full in
        for row in try full.additions() {
            let findings = try full.findings { try full.tables.add(row) }
            let expected = row.finding ?? row.table
            try expect(findings.contains { $0.table == expected }, "a row was added to \(row.table): \(findings)")
            let isRight = !findings.contains { $0.what.contains("checksum") }
            try expect(isRight, "a row was added to \(row.table): \(findings)")
        }
    }

    static let exchanged = CheckCase("finds a record copy that belongs to another event") { full in
        let owner = full.tables.isOfTenant("event_records")
        let last = "(SELECT max(event_seq) FROM event_records WHERE \(owner))"
        let first = "(SELECT min(event_seq) FROM event_records WHERE \(owner))"
        let findings = try full.findings {
            let lastSequence = try unwrap(try full.tables.number("SELECT \(last)"), "a copy")
            try full.tables.run(
                [
                    "DELETE FROM event_records WHERE \(owner) AND event_seq = \(lastSequence)",
                    "UPDATE event_records SET event_seq = \(lastSequence) WHERE \(owner) AND event_seq = \(first)",
                ], in: .tenant)
        }
        try expect(findings.contains { $0.what.contains("there is no such event") }, "findings: \(findings)")
    }

    static let annexes = CheckCase("finds an annex that is changed, unreadable, or missed by every scan") { full in
        let person = try await full.tenant.person(1)
        let place = "WHERE \(full.tables.isOfTenant("heads")) AND has_annex = 1"
        func findings(_ stored: [UInt8]) throws -> [String] {
            try full.findings {
                try full.tables.run(["UPDATE heads SET annex = \(full.tables.literal(stored)) \(place)"], in: .tenant)
            }.map(\.description)
        }
        let name = "heads: database \(person.number): "
        try expectEqual(try findings([1, 98, 3, 0, 1, 2, 3]), [name + "its checksum is wrong"], "another feature's")
        let cut = try findings([1, 97, 4, 0, 1, 2, 3])
        try expect(cut.contains { $0.contains("an annex cannot be read from byte 0 on") }, "cut off: \(cut)")
        let unfound = try full.findings {
            try full.tables.run(["UPDATE heads SET has_annex = 0 \(place)"], in: .tenant)
        }
        try expectEqual(
            unfound.map(\.description), [name + "its mark for an annex does not match its annex"],
            "an annex without its flag")
    }

    static let directory = CheckCase("finds changed, removed and added accounts and containers") { full in
        for sql in [
            "UPDATE accounts SET email = 'x@example.org' WHERE id = 'A'", "DELETE FROM accounts WHERE id = 'A'",
            "INSERT INTO accounts SELECT 'B', 'b@example.org', '', '', 1, checksum FROM accounts",
            "UPDATE containers SET created_at = 7", "DELETE FROM containers",
            "INSERT INTO containers VALUES ('x', 1, \(ContainerRow(id: "x", createdAt: 1).checksum))",
            "UPDATE meta SET digest = digest + 1", "DELETE FROM meta",
        ] {
            let findings = try full.findings(in: .directory) { try full.tables.run([sql], in: .directory) }
            try expect(!findings.isEmpty, sql)
        }
    }
}
