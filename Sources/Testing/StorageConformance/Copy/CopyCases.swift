import CloudKitWire
import NephosStorage

extension CopyCase {
    static let whole = CopyCase("copies every row of every table, and a check of the copy finds nothing") { store in
        let (source, target) = (try store.source, try store.open(try store.newTarget()))
        let comparison = try store.copy(source, to: target)
        try expectEqual(comparison.tables.filter { $0.rows == 0 }.map(\.name), [], "tables without a row")
        try expectEqual(comparison.closed, [:], "secrets that cannot be opened")
        try store.expectSame(source, target)
        let signing = try store.full.tenant.catalog().head
        let copied = try unwrap(try target.open(.conformance), "the tenant").read(ReadSet()).catalog.head
        try expectEqual(copied.signingKey, signing.signingKey, "the signing key of change tokens")
        try expectEqual(copied.filePlace, signing.filePlace, "the location of files")
        try expectEqual(copied.addressKey, signing.addressKey, "the key of file addresses")
        // Work goes on in it.
        var set = ReadSet()
        set.databases = [1]
        let store = try unwrap(try target.open(.conformance), "the tenant")
        try await store.commit(set) { reading in
            var head = try unwrap(reading.databases[0], "the head")
            head.sequence += 1
            var writes = WriteSet()
            writes.heads = [head]
            return .write(writes, ())
        }
        try expectEqual(try store.check { _, _ in }, [], "the check after more was written")
    }

    static let back = CopyCase("a copy of a copy in the first engine is the same, and continues after each page") {
        store in
        let (source, target) = (try store.source, try store.open(try store.newTarget()))
        try store.copy(source, to: target)
        try store.expectSame(source, try store.copyInPieces(target, to: try store.newBack()))
    }

    static let interrupted = CopyCase("continues after each page at which it was interrupted, with the same result") {
        store in
        let source = try store.source
        try store.expectSame(source, try store.copyInPieces(source, to: try store.newTarget()))
    }

    static let unfinished = CopyCase("an unfinished copy is not opened by anything else, and does not count as empty") {
        store in
        let (source, place) = (try store.source, try store.newTarget())
        let copy = try StoreCopy(from: source, to: try store.open(place))
        try expectEqual(try copy.begin(), .begun, "the beginning")
        try await expectFailure(StorageError.unfinishedCopy, "to open it at its beginning") {
            try place(CopyCase.tables, false).close()
        }
        try copy.copyRows { _, _, _ in }
        try await expectFailure(StorageError.unfinishedCopy, "to open it at its end") {
            try place(CopyCase.tables, false).close()
        }
        try store.finish(copy)
        try place(CopyCase.tables, false).close()
        let second = try StoreCopy(from: source, to: try store.open(place))
        try expectEqual(try second.begin(), .occupied, "a copy into a finished one")
    }

    static let others = CopyCase(
        "rejects a target that is not empty, and the unfinished copy of another or a changed store"
    ) {
        store in
        let (source, place) = (try store.source, try store.newTarget())
        let copy = try StoreCopy(from: source, to: try store.open(place))
        try expectEqual(try copy.begin(), .begun, "the beginning")
        let other = try store.open(try store.newTarget())
        try expectEqual(
            try StoreCopy(from: other, to: try store.open(place)).begin(), .ofAnother, "a copy of an empty store")
        try await store.full.tenant.publicDatabase.defaultZone.commit([.save("one more")])
        try expect(try !copy.isSourceUnchanged(since: CopyComparison()), "another record does not count as a change")
        try expectEqual(
            try StoreCopy(from: source, to: try store.open(place)).begin(), .ofAnother, "a copy of a changed store")
        try other.createAccount(
            AccountRow(id: "B", email: "b@example.org", givenName: "", familyName: "", createdAt: 1))
        try expectEqual(try StoreCopy(from: source, to: other).begin(), .occupied, "a copy into one with an account")
        // So is a row that no digest counts, after all was compared.
        let fourth = try store.open(try store.newTarget())
        let compared = try StoreCopy(from: source, to: fourth)
        try expectEqual(try compared.begin(), .begun, "a beginning")
        try compared.copyRows { _, _, _ in }
        let comparison = try compared.compare { _, _ in }
        try expect(try compared.isSourceUnchanged(since: comparison), "a change that was not made")
        try await store.full.tenant.store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.put(CredentialUseRow(key: CredentialKey(.bearer, [9, 9]), day: 9))
            return .write(writes, ())
        }
        try expect(
            try !compared.isSourceUnchanged(since: comparison), "another use of a credential does not count as a change"
        )
        // What is changed while it is copied is found by whoever compares.
        let third = try store.open(try store.newTarget())
        let late = try StoreCopy(from: source, to: third)
        try expectEqual(try late.begin(), .begun, "another beginning")
        try late.copyRows { _, _, _ in }
        try await store.full.tenant.publicDatabase.defaultZone.commit([.save("too late")])
        try expect(try late.compare { _, _ in }.differences.contains { $0.hasPrefix("records of ") }, "no difference")
    }

    static let unknownTables = CopyCase("names unknown tables, and a check of the copy finds nothing") {
        store in
        let place = try store.newTarget()
        store.full.tenant.closeAll()
        let source = try store.full.tables.open(.server)
        defer { source.close() }
        let target = try store.open(place, tables: .server)
        let copy = try StoreCopy(from: try unwrap(source.copying, "the source"), to: target)
        try expectEqual(
            copy.unknownTables.sorted(),
            ["scratch", "scratch_badges", "scratch_notes", "scratch_parts", "scratch_shelves"], "unknown tables")
        try expectEqual(try copy.begin(), .begun, "the beginning")
        try copy.copyRows { _, _, _ in }
        try store.finish(copy)
        try expectEqual(try store.findings(of: target), [], "the findings of a check of the copy")
    }

    static let damaged = CopyCase("the copy of damaged data is found by a check too") { store in
        let tables = store.full.tables
        for table in ["sessions", "zones", "catalog"] {
            try tables.update(table, "created_at", to: "created_at + 1")
        }
        let target = try store.open(try store.newTarget())
        try store.copy(try store.source, to: target)
        let found = Set(try store.findings(of: target).map(\.table))
        try expectEqual(found.sorted(), ["catalog", "sessions", "zones"], "tables with findings")
    }

    static let columns = CopyCase("knows all columns of all tables, with their kinds") { store in
        let tables = store.full.tables
        for table in CopyCase.tables.copied {
            let made = Set(tables.derivedColumns(in: table.name) { $0 }.keys)
            let stored = try tables.columnTypes(of: table.name).filter { !made.contains($0.name) }
            let types = Dictionary(stored.map { ($0.name, $0.type) }) { first, _ in first }
            for column in table.columns {
                try expectEqual(types[column.name], tables.type(column), "the type of \(table.name).\(column.name)")
            }
            let others = Set(types.keys).subtracting(table.columns.map(\.name)).subtracting(["tenant"])
            // The number of the only row of a file.
            try expectEqual(others.sorted(), table.name == "catalog" && types["id"] != nil ? ["id"] : [], table.name)
        }
    }
}
