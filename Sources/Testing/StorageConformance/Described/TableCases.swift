import CloudKitWire
import NephosStorage

extension TableCase {
    static let asDescribed = TableCase("tables have the described columns and types") {
        _, tables in
        let writtenByHand: [any StoredRow.Type] = [AssetRow.self, AssetUseRow.self, IndexRow.self]
        for rows in TableCase.tables.all + writtenByHand {
            let table = rows.table
            let described = table.columns.map { "\($0.name) \(tables.type($0))" } + ["checksum"]
            let stored = try tables.columnTypes(of: table.name).filter { $0.name != "tenant" }
                .map { $0.name == "checksum" ? $0.name : "\($0.name) \($0.type)" }
            try expectEqual(stored.sorted(), described.sorted(), "the columns of \(table.name)")
        }
    }

    static let comesBack = TableCase("rows are returned with every column, whatever their values") { tenant, _ in
        let database = try await tenant.person(1)
        var odd = database.scratch(2, "caf\u{E9}")
        odd.id = []
        odd.kind = .odd
        odd.isOpen = true
        odd.dueAt = .min
        odd.note = "na\u{EF}ve \u{1F600}"
        odd.content = Bytes("\0\u{7}\u{1F600}")
        let (row, rest) = (database.scratch(1, "a"), odd)
        let notes = [ScratchNote(name: "", text: []), ScratchNote(name: "x", text: Bytes("y"))]
        try await tenant.put([row, rest] + notes)
        try tenant.restart()
        try expectEqual(try tenant.store.rows(ScratchRow.all(in: database.number)), [rest, row], "rows of a database")
        try expectEqual(try tenant.store.rows(Scan<ScratchNote>(limit: 9)), notes, "rows of a tenant")
        try expectEqual(try tenant.store.rows(ScratchRow.all(in: 1)), [], "those of another database")
        let production = try tenant.inProduction()
        try expectEqual(try production.store.rows(Scan<ScratchNote>(limit: 9)), [], "those of another tenant")
        try expectEqual(try production.store.rows(ScratchRow.due(.plain, before: .max)), [], "those of no database")
    }

    static let scans = TableCase("scans use the key or an index, from both ends, up to a bound and a limit") {
        tenant, _ in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        let rows = (1...4).map { one.scratch(UInt8($0), Name("\($0)"), dueAt: Milliseconds(10 * $0)) }
        let other = two.scratch(1, "1", dueAt: 15)
        try await tenant.put(rows + [other])
        let store = tenant.store
        try expectEqual(try store.rows(ScratchRow.all(in: one.number, limit: 2)), Array(rows.prefix(2)), "the first")
        try expectEqual(
            try store.rows(Scan<ScratchRow>(.database(one.number), above: [.bytes([2])], limit: 9)),
            Array(rows.suffix(2)), "those after one")
        try expectEqual(
            try store.rows(Scan<ScratchRow>(.database(one.number), below: [.bytes([3])], descending: true, limit: 9)),
            [rows[1], rows[0]], "those before one, the last first")
        try expectEqual(
            try store.rows(ScratchRow.due(.plain, before: 21)), [rows[0], other, rows[1]], "those of all databases")
        try expectEqual(try store.rows(ScratchRow.due(.odd, before: .max)), [], "those of another kind")
        let labels = Scan<ScratchRow>(
            by: "scratch_by_label", .database(one.number), among: [[.name("3")], [.name("x")], [.name("1")]])
        try expectEqual(Set(try store.rows(labels).map(\.label)), ["1", "3"], "by labels")
        let none = Scan<ScratchRow>(by: "scratch_by_label", .database(one.number), among: [])
        try expectEqual(try store.rows(none), [], "by none")
        let keys = Scan<ScratchRow>(
            among: [rows[3], other].map { [.database($0.database), .bytes($0.id)] }, lock: .update)
        try expectEqual(Set(try store.rows(keys).map(\.user)), [one.user, two.user], "by keys of two databases")
    }

    static let guarded = TableCase("a row is changed and removed only if it is unchanged since it was read") {
        tenant, _ in
        let database = try await tenant.person(1)
        try await tenant.put([database.scratch(1, "a")])
        let old = try unwrap(try tenant.store.rows(ScratchRow.all(in: database.number)).first, "the row")
        var new = old
        (new.label, new.note) = ("b", "changed")
        let next = new
        try await tenant.write { $0.put(next, replacing: old) }
        let changes: [@Sendable (inout WriteSet) -> Void] = [
            { $0.put(next, replacing: old) }, { $0.remove(old) }, { $0.put(next) },
        ]
        for (place, change) in changes.enumerated() {
            let error = await outcome { try await tenant.write(change) }
            try expect(error is StorageError, "change \(place) went through")
        }
        try expectEqual(try tenant.store.rows(ScratchRow.all(in: database.number)), [next], "what is there")
        try await tenant.write { $0.remove(next) }
        try expectEqual(try tenant.store.rows(ScratchRow.all(in: database.number)), [], "what is left")
    }

    static let parts = TableCase("dependent rows are removed with their row, and not with another, nor with a change") {
        tenant, _ in
        let database = try await tenant.person(1)
        let rows = [database.scratch(1, "a"), database.scratch(2, "b")]
        let parts = rows.flatMap { row in
            [1, 2].map { ScratchPart(database: row.database, whole: row.id, number: $0) }
        }
        try await tenant.put(rows + parts)
        let first = try unwrap(try tenant.store.rows(ScratchRow.all(in: database.number)).first, "the row")
        var changed = first
        changed.note = "changed"
        let next = changed
        try await tenant.write { $0.put(next, replacing: first) }
        let all = Scan<ScratchPart>(.database(database.number), limit: 9)
        try expectEqual(try tenant.store.rows(all), parts, "parts after a change")
        try await tenant.write { $0.remove(next) }
        try expectEqual(try tenant.store.rows(all), Array(parts.suffix(2)), "parts of the other")
    }

    static let damage = TableCase("check finds changed rows, and rows that lost their parent") {
        tenant, tables in
        let database = try await tenant.person(1)
        let row = database.scratch(1, "a")
        try await tenant.put([row, ScratchPart(database: row.database, whole: row.id, number: 1)])
        let badge = ScratchBadge(database: row.database, user: row.user, number: 1)
        try await tenant.put([badge, ScratchNote(name: "x", text: [])])
        var missed: [String] = []
        for rows in tenant.scratchTables {
            let name = rows.table.name
            try tables.run(["CREATE TABLE kept_\(name) AS SELECT * FROM \(name)"], in: .tenant)
            for column in rows.table.columns.map(\.name) + ["checksum"] {
                let value = try tables.another(column, of: name)
                try tables.run(["UPDATE \(name) SET \(column) = \(value)"], in: .tenant)
                let found = try tenant.store.check { _, _ in }
                if !found.contains(where: { $0.table == name }) { missed.append("\(name).\(column): \(found)") }
                let mend = ["DELETE FROM \(name)", "INSERT INTO \(name) SELECT * FROM kept_\(name)"]
                try tables.run(mend, in: .tenant)
            }
        }
        try expectEqual(missed, [], "changes that were not found")
        try tables.run(["DELETE FROM scratch"], in: .tenant)
        let found = try tenant.store.check { _, _ in }.map(\.table)
        try expectEqual(found.sorted(), ["heads", "scratch_parts"], "a missing row, and those removed with it")
        try tables.run(["INSERT INTO scratch SELECT * FROM kept_scratch"], in: .tenant)
    }

    static let damagedUse = TableCase("the use of a credential is recorded and removed even if its row was damaged") {
        tenant, tables in
        let keys = [UInt8(1), 2].map { CredentialKey(.session, [$0]) }
        func note(_ day: Int64) async throws {
            let note = NoteUses(keys.map { CredentialUseRow(key: $0, day: day) })
            try await tenant.store.commit(note.reading, decide: note.decide)
        }
        let stored = CredentialUseRow.keyed(keys)
        try await note(1)
        try tables.run(["UPDATE credential_uses SET day = 2"], in: .tenant)
        try await note(3)
        try expectEqual(try tenant.store.rows(stored).map(\.day), [3, 3], "the recorded days")
        try tables.run(["UPDATE credential_uses SET day = 4"], in: .tenant)
        var set = ReadSet()
        set.ask(stored)
        try await tenant.store.commit(set) { reading in
            var writes = WriteSet()
            for use in reading[stored] { writes.remove(use) }
            return .write(writes, ())
        }
        try expectEqual(try tenant.store.rows(stored), [], "what is left")
    }

    static let leftAlone = TableCase("a build without a table leaves it alone") { tenant, tables in
        let database = try await tenant.person(1)
        let row = database.scratch(1, "a")
        try await tenant.put([row])
        tenant.engine.close()
        let other = try tables.open(.server)
        let store = try unwrap(try other.open(tenant.name), "the tenant")
        try expectEqual(try store.check { _, _ in }, [], "the check of a build without the table")
        other.close()
        try tenant.restart()
        try expectEqual(try tenant.store.rows(ScratchRow.all(in: database.number)), [row], "what is there")
    }
}

extension TableCase {
    static let sealed = TableCase("a secret is returned, is stored sealed, and opens only in its own row") {
        tenant, tables in
        let database = try await tenant.person(1)
        let rows = [database.scratch(1, "a"), database.scratch(2, "b")]
        try await tenant.put(rows)
        try tenant.restart()
        let all = ScratchRow.all(in: database.number)
        try expectEqual(try tenant.store.rows(all).map(\.secret.bytes), [[1, 2, 3], [2, 2, 3]], "the secrets")
        for row in rows {
            let clear = tables.literal(row.secret.bytes ?? [])
            try expectEqual(
                try tables.number("SELECT count(*) FROM scratch WHERE secret = \(clear)"), 0, "in plain text")
        }
        try tables.run(["CREATE TABLE kept_scratch AS SELECT * FROM scratch"], in: .tenant)
        let other = "(SELECT secret FROM kept_scratch WHERE id = \(tables.literal([2])))"
        try tables.run(["UPDATE scratch SET secret = \(other) WHERE id = \(tables.literal([1]))"], in: .tenant)
        try expectEqual(try tenant.store.rows(all).map(\.secret.bytes), [nil, [2, 2, 3]], "one of another row")
        try tables.run(
            ["DELETE FROM scratch", "INSERT INTO scratch SELECT * FROM kept_scratch"], in: .tenant)
    }

    static let sealedAnew = TableCase(
        "secrets are resealed row by row; a damaged one stays as it is, and is counted"
    ) {
        tenant, tables in
        let database = try await tenant.person(1)
        try await tenant.put((1...3).map { database.scratch(UInt8($0), Name("\($0)")) })
        try tables.run(["CREATE TABLE kept_scratch AS SELECT * FROM scratch"], in: .tenant)
        try tables.run(["UPDATE scratch SET note = 'x' WHERE id = \(tables.literal([2]))"], in: .tenant)
        let count = try await tenant.store.eachSecret({ $0 is ScratchRow ? .seal : nil }, progress: { _ in })
        try expectEqual([count.done, count.left], [2, 1], "rows that were resealed, and those that were not")
        let found = try tenant.store.check { _, _ in }.map(\.table)
        try expectEqual(Set(found), ["scratch", "heads"], "the damaged row")
        try tables.run(["DELETE FROM scratch", "INSERT INTO scratch SELECT * FROM kept_scratch"], in: .tenant)
    }

    static let later = TableCase(
        "a later column is empty in earlier rows, and an older server reports that it is outdated"
    ) {
        tenant, tables in
        let note = ScratchNote(name: "a", text: Bytes("x"))
        try await tenant.put([note])
        tenant.engine.close()
        let newer = try tables.open(TableSet(adding: [ScratchPart.self, ScratchRow.self, LaterScratchNote.self]))
        let store = try unwrap(try newer.open(tenant.name), "the tenant")
        let old = LaterScratchNote(name: "a", text: Bytes("x"), rank: 0)
        let new = LaterScratchNote(name: "b", text: [], rank: 7)
        try expectEqual(try store.rows(Scan<LaterScratchNote>(limit: 9)), [old], "earlier rows")
        try await store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.put(new)
            return .write(writes, ())
        }
        let ranked = Scan<LaterScratchNote>(by: "scratch_notes_by_rank", above: [.int(-1)], limit: 9)
        try expectEqual(try store.rows(ranked), [old, new], "rows by the new column")
        try expectEqual(try store.check { _, _ in }, [], "the check")
        newer.close()
        let error = await outcome { _ = try tables.open().open(tenant.name) }
        guard case .newer? = error as? StorageError else {
            throw PromiseBroken(
                "an older server opened it: \(error.map { "\($0)" } ?? "no error")", file: #fileID, line: #line)
        }
        try tables.run(
            [
                "DELETE FROM scratch_notes WHERE rank <> 0",
                "DELETE FROM \(tables.migrations) WHERE identifier = 'table scratch_notes 2'",
            ], in: .tenant)
        try tenant.restart()
    }
}

extension ScratchRow {
    static func all(in database: DatabaseNumber, limit: Int = 9) -> Scan<Self> {
        Scan(.database(database), limit: limit)
    }

    fileprivate static func due(_ kind: Kind, before time: Milliseconds) -> Scan<Self> {
        Scan(by: "scratch_by_kind", .kind(kind), below: [.int(time)], limit: 9, lock: .skipLocked)
    }
}

extension TestDatabase {
    func scratch(_ id: UInt8, _ label: Name, dueAt: Milliseconds = 1) -> ScratchRow {
        ScratchRow(
            database: number, id: [id], user: user, label: label, kind: .plain, isOpen: false, dueAt: dueAt, note: "n",
            content: Bytes("c"), secret: Secret([id, 2, 3]))
    }
}

extension TestTenant {
    fileprivate var scratchTables: [any StoredRow.Type] {
        [ScratchPart.self, ScratchRow.self, ScratchBadge.self, ScratchNote.self]
    }

    func write(_ change: @escaping @Sendable (inout WriteSet) -> Void) async throws {
        var set = ReadSet()
        set.databases = Array(1...(try catalog().head.lastDatabase))
        try await store.commit(set) { _ in
            var writes = WriteSet()
            change(&writes)
            return .write(writes, ())
        }
    }

    func put(_ rows: [any StoredRow]) async throws {
        @Sendable func add(_ row: some StoredRow, to writes: inout WriteSet) { writes.put(row) }
        try await write { writes in for row in rows { add(row, to: &writes) } }
    }
}
