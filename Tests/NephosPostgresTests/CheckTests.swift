import CloudKitWire
import NephosStorage
import Testing

@testable import NephosPostgres

/// A tenant with at least two rows in every table that may have more than one.
private struct FullTenant {
    let cloud: Cloud
    let store: PostgresTenantStore
    static let user = UserID(high: 5, low: 6)

    init() async throws {
        cloud = try Cloud()
        store = try cloud.store()
        try await addPeople()
        try await watch()
        try await store.save(["a", "b", "c", "d"], fields: #"{"text":"x"}"#)
        let targets = [ReferenceTarget(target: "a", kind: .none), ReferenceTarget(target: "b", kind: .deleteSelf)]
        try await store.save(["e"], fields: "{}", references: targets)
        try await store.delete("c", trash: .init(deletedBy: nil))
        try await store.delete("d", trash: .init(deletedBy: Self.user))
        try await addIndexes()
    }

    private func addPeople() async throws {
        try await store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            for number in [UInt8(1), 2] {
                let key = String(repeating: "\(number)", count: 64)
                let user = UserID(high: 9, low: UInt64(number))
                writes.catalog += [
                    CatalogWrite(new: .token(APITokenRow(hash: [number], name: "t", createdAt: 1))),
                    CatalogWrite(new: .key(ServerKeyRow(id: key, publicKey: [1], user: user, createdAt: 1))),
                    CatalogWrite(new: .session(Self.session(number))),
                    CatalogWrite(new: .type(RecordTypeRow(number: Int32(number) + 10, name: Name("T\(number)")))),
                ]
                writes.users += [
                    UserRow(id: user, source: .serverKey, sourceID: key, privateDatabase: 0, createdAt: 1),
                    UserRow(
                        id: UserID(high: 3, low: UInt64(number)), source: .account, sourceID: "A\(number)",
                        privateDatabase: Int64(number) + 1, createdAt: 1),
                ]
                var head = HeadRow(
                    database: Int64(number) + 1, kind: .personal, owner: UserID(high: 3, low: UInt64(number)))
                head.sequence = 1
                head.zoneNumber = 1
                writes.databases.append(head)
                writes.zones.append(
                    ZoneWrite(
                        old: nil,
                        new: ZoneRow(
                            database: head.database, number: 1, name: defaultZoneName, createdSequence: 1,
                            changedSequence: 1, createdAt: 1)))
            }
            return .write(writes, ())
        }
    }

    /// Two that are ready, one half built, and a dropped one.
    private func addIndexes() async throws {
        func shape(_ part: IndexShape.Part) -> IndexShape { IndexShape(type: Cloud.note, parts: [part]) }
        try await store.openIndexes([shape(.value(.recordName)), shape(.value(.modifiedBy))], in: 1, at: 1)
        while try await store.buildIndexes(in: nil, rows: 100) {}
        try await store.openIndexes([shape(.value(.createdAt))], in: 1, at: 1)
        _ = try await store.buildIndexes(in: 1, rows: 2)
        try await store.dropIndexes([try #require(try store.indexes().dropFirst().first).number], in: 1)
    }

    static func session(_ number: UInt8) -> SessionRow {
        SessionRow(
            id: [number], user: user, privateDatabase: 2, secret: [number], createdAt: 1, expiresAt: 2)
    }

    private func watch() async throws {
        try await store.commit(Notes.reading([])) { reading in
            guard var head = reading.databases[0] else { throw StorageError.noSuchTenant }
            head.sequence += 2
            var writes = WriteSet()
            writes.heads = [head]
            writes.newCascades = ["x", "y"].map {
                PendingCascadeRow(database: 1, zone: 1, target: $0, sequence: head.sequence)
            }
            for sequence in [head.sequence - 1, head.sequence] {
                writes.events.append(
                    ChangeEventRow(database: 1, sequence: sequence, zone: 1, name: "a", kind: .updated, newFields: [1]))
            }
            return .write(writes, ())
        }
    }

    func findings() throws -> [CheckFinding] { try store.findings() }

    /// What a check finds after `change`, which is then taken back: a schema for every change would take long.
    func findings(after change: () async throws -> Void) async throws -> [CheckFinding] {
        let tables = Self.keys.keys.sorted()
        try cloud.meddle(tables.map { "CREATE TABLE IF NOT EXISTS kept_\($0) AS TABLE \($0)" })
        try await change()
        let found = try findings()
        try cloud.meddle(tables.flatMap { ["DELETE FROM \($0)", "INSERT INTO \($0) TABLE kept_\($0)"] })
        return found
    }

    /// Writes rows as the engine would, with right checksums, but without counting them.
    func add(
        _ write: @escaping @Sendable (WriteSession, inout Ledger) throws(StorageError) -> Void
    ) async throws {
        try await store.perform { session throws(StorageError) in
            var head = HeadRow(database: 1, kind: .publicLane, owner: nil)
            head.sequence = 1_000
            head.recordNumber = 1_000
            var ledger = Ledger(stored: [head])
            try write(session, &ledger)
        }
    }

    // MARK: The last row of a table

    static let keys = [
        "types": "type", "fields": "type, name", "roles": "role", "grants": "type, role", "api_tokens": "hash",
        "server_keys": "id", "sessions": "id", "users": "id", "catalog": "tenant", "heads": "db",
        "zones": "db, zone_no", "records": "db, record_no", "tombstones": "db, zone_no, seq",
        "refs": "db, zone_no, target, kind, record_no", "events": "db, seq", "cascades": "db, zone_no, target",
        "trash": "db, record_no", "indexes": "db, index_no", "index_rows": "db, zone_no, index_no, key, record_no",
    ]

    /// A condition that picks the last row of the tenant in a table.
    func isLast(in table: String) throws -> String {
        let key = try #require(Self.keys[table])
        let range = store.number.range
        let owner =
            key.hasPrefix("db")
            ? "db >= \(range.lowerBound) AND db < \(range.upperBound)" : "tenant = \(store.number.value)"
        let order = key.split(separator: ",").map { "\($0) DESC" }.joined(separator: ", ")
        return "\(owner) AND (\(key)) = (SELECT \(key) FROM \(table) WHERE \(owner) ORDER BY \(order) LIMIT 1)"
    }

    /// Another value of a column.
    func flipped(_ column: String, of table: String) throws -> String {
        let type = try cloud.meddle(
            """
            SELECT data_type::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = '\(table)' AND column_name = '\(column)'
            """
        ).first?.string(0)
        switch type {
        case "bigint": return "coalesce(\(column) + 7, 1)"
        case "bytea": return #"coalesce('\xff'::bytea || substring(\#(column) from 2), 'x')"#
        default: return "\(column) || 'x'"
        }
    }
}

@Suite("Check of a tenant") struct CheckTests {
    @Test("finds nothing in what the engine wrote, and tells how far it is")
    func clean() async throws {
        let tenant = try await FullTenant()
        #expect(try tenant.findings() == [])
        var last = (0, 0)
        _ = try tenant.store.check { last = ($0, $1) }
        #expect(last.0 == last.1 && last.0 > 20)
        #expect(try tenant.cloud.engine.checkDirectory() == [])
    }

    /// Every table, and every column that a row's checksum covers.
    static let flips: [(table: String, column: String)] = [
        ("catalog", "version"), ("catalog", "lanes"), ("catalog", "signing_key"), ("catalog", "created_at"),
        ("catalog", "container"), ("catalog", "environment"), ("catalog", "digest"), ("catalog", "last_db"),
        ("catalog", "last_type"), ("catalog", "checksum"),
        ("types", "name"), ("types", "epoch"), ("types", "checksum"),
        ("fields", "name"), ("fields", "kind"), ("fields", "encrypted"), ("fields", "options"),
        ("fields", "epoch"),
        ("roles", "name"), ("roles", "role"), ("grants", "rights"), ("grants", "role"),
        ("api_tokens", "hash"), ("api_tokens", "name"), ("api_tokens", "created_at"), ("api_tokens", "revoked_at"),
        ("server_keys", "public_key"), ("server_keys", "user_id"), ("server_keys", "revoked_at"),
        ("sessions", "secret"), ("sessions", "user_id"), ("sessions", "private_db"), ("sessions", "expires_at"),
        ("users", "source"), ("users", "source_id"), ("users", "private_db"), ("users", "id"), ("users", "checksum"),
        ("heads", "seq"), ("heads", "last_record_no"), ("heads", "last_time"), ("heads", "watchers"),
        ("heads", "records"), ("heads", "record_bytes"), ("heads", "purged_seq"), ("heads", "kind"),
        ("heads", "index_version"), ("heads", "trash"), ("heads", "db"),
        ("zones", "name"), ("zones", "state"), ("zones", "changed_seq"), ("zones", "purged_seq"), ("zones", "zone_no"),
        ("zones", "db"),
        ("records", "name"), ("records", "seq"), ("records", "tag_seq"), ("records", "type"),
        ("records", "created_at"), ("records", "created_by"), ("records", "modified_at"), ("records", "modified_by"),
        ("records", "parent"), ("records", "share_root"), ("records", "flags"), ("records", "fields_epoch"),
        ("records", "ref_count"), ("records", "size"), ("records", "fields"), ("records", "checksum"),
        ("records", "zone_no"), ("records", "record_no"), ("records", "db"),
        ("tombstones", "name"), ("tombstones", "seq"), ("tombstones", "type"), ("tombstones", "deleted_at"),
        ("refs", "target"), ("refs", "kind"), ("refs", "record_no"), ("refs", "checksum"),
        ("events", "name"), ("events", "client"), ("events", "kind"), ("events", "old_fields"),
        ("events", "new_fields"), ("cascades", "target"), ("cascades", "seq"),
        ("indexes", "type"), ("indexes", "state"), ("indexes", "built_to"), ("indexes", "created_at"),
        ("indexes", "used_at"), ("indexes", "index_no"), ("indexes", "shape"), ("indexes", "checksum"),
        ("index_rows", "zone_no"), ("index_rows", "index_no"), ("index_rows", "key"), ("index_rows", "record_no"),
        ("trash", "name"), ("trash", "zone_no"), ("trash", "type"), ("trash", "seq"), ("trash", "created_by"),
        ("trash", "parent"), ("trash", "size"), ("trash", "fields"), ("trash", "deleted_at"),
        ("trash", "deleted_by"), ("trash", "checksum"), ("trash", "record_no"),
    ]

    @Test("finds a row that was changed, and names its table")
    func flipped() async throws {
        let tenant = try await FullTenant()
        for (table, column) in Self.flips {
            let findings = try await tenant.findings {
                try tenant.cloud.meddle(
                    """
                    UPDATE \(table) SET \(column) = \(try tenant.flipped(column, of: table))
                    WHERE \(try tenant.isLast(in: table))
                    """)
            }
            #expect(findings.contains { $0.table == table }, "\(table).\(column): \(findings)")
        }
        #expect(try tenant.findings() == [])
    }

    @Test("finds a row that was removed")
    func removed() async throws {
        let tenant = try await FullTenant()
        for table in FullTenant.keys.keys {
            let findings = try await tenant.findings {
                try tenant.cloud.meddle("DELETE FROM \(table) WHERE \(try tenant.isLast(in: table))")
                guard table == "catalog" else { return }
                #expect(throws: StorageError.self) { try tenant.store.read(ReadSet()) }
            }
            #expect(findings != [], "\(table)")
        }
        #expect(try tenant.findings() == [])
    }

    @Test("finds a row of the catalog that was added, though its checksum is right")
    func addedToCatalog() async throws {
        let rows: [CatalogRow] = [
            .type(RecordTypeRow(number: 99, name: "X")), .field(FieldRow(type: 1, name: "x", kind: .int64)),
            .role(RoleRow(number: 99, name: "x")), .grant(GrantRow(type: 1, role: 2, rights: .write)),
            .token(APITokenRow(hash: [99], name: "x", createdAt: 1)), .session(FullTenant.session(99)),
            .key(ServerKeyRow(id: "x", publicKey: [], user: FullTenant.user, createdAt: 1)),
        ]
        let tenant = try await FullTenant()
        for row in rows {
            let findings = try await tenant.findings {
                try await tenant.add { session, _ throws(StorageError) in
                    session.transaction.later(CatalogTable.insertion(of: row, session.tenant))
                }
            }
            #expect(findings.contains { $0.table == "catalog" }, "\(row)")
        }
    }

    @Test("finds a row of a database that was added, though its checksum is right")
    func addedToDatabase() async throws {
        let record = RecordRow(
            database: 1, number: 4, zone: 1, name: "x", sequence: 3, tagSequence: 3, type: 1, createdAt: 1,
            createdBy: Notes.user, modifiedAt: 1, modifiedBy: Notes.user, fields: [])
        let zone = ZoneRow(
            database: 1, number: 1_000, name: "x", createdSequence: 1, changedSequence: 1, createdAt: 1)
        let writes: [(String, @Sendable (WriteSession, inout Ledger) throws(StorageError) -> Void)] = [
            (
                "records",
                { session, ledger throws(StorageError) in
                    try RecordWriter(session: session).apply(
                        [], [RecordWrite(old: nil, new: record, references: [])],
                        Reading(catalog: try session.catalog()), &ledger)
                }
            ),
            (
                "zones",
                { session, _ throws(StorageError) in
                    try ZoneWriter.insert(zone, session.tenant, session.transaction)
                }
            ),
            (
                "events",
                { session, ledger throws(StorageError) in
                    try EventWriter.insert(
                        [ChangeEventRow(database: 1, sequence: 2, zone: 1, name: "x", kind: .created)], &ledger,
                        session.tenant, session.transaction)
                }
            ),
            (
                "cascades",
                { session, ledger throws(StorageError) in
                    try CascadeWriter(tenant: session.tenant, transaction: session.transaction).apply(
                        finished: [], new: [PendingCascadeRow(database: 1, zone: 1, target: "z", sequence: 1)], &ledger)
                }
            ),
            (
                "heads",
                { session, _ throws(StorageError) in
                    try session.insert(HeadRow(database: 99, kind: .personal, owner: FullTenant.user))
                }
            ),
            (
                "users",
                { session, _ throws(StorageError) in
                    try UserWriter.insert(
                        UserRow(id: FullTenant.user, source: .account, sourceID: "x", privateDatabase: 2, createdAt: 1),
                        session.tenant, session.transaction)
                }
            ),
        ]
        let tenant = try await FullTenant()
        for (table, write) in writes {
            let findings = try await tenant.findings { try await tenant.add(write) }
            #expect(findings.contains { $0.table == table }, "\(table)")
        }
    }

    @Test("finds a tombstone and a reference that nobody counted, though their checksums are right")
    func addedBesideRecords() async throws {
        let tenant = try await FullTenant()
        let database = try tenant.store.number.stored(1)
        let tombstone = TombstoneRow(database: 1, zone: 1, name: "x", sequence: 3, type: 1, deletedAt: 1)
        let added = try await tenant.findings {
            try tenant.cloud.meddle(
                "INSERT INTO tombstones VALUES (\(database), 1, 3, 'x', 1, 1, \(tombstone.checksum))")
        }
        #expect(added.map(\.table) == ["tombstones"])
        let reference = ReferenceRow(database: 1, zone: 1, target: "x", kind: .none, record: 5)
        let referring = try await tenant.findings {
            try tenant.cloud.meddle("INSERT INTO refs VALUES (\(database), 1, 'x', 0, 5, \(reference.checksum))")
        }
        #expect(referring.map(\.table) == ["records", "refs"])
    }

    @Test("finds an entry of an index that belongs to no record, and a row of the trash that nobody counted")
    func addedEntries() async throws {
        let tenant = try await FullTenant()
        let entry = try await tenant.findings {
            try tenant.cloud.meddle(
                #"""
                INSERT INTO index_rows
                SELECT db, zone_no, index_no, key || '\x00'::bytea, record_no FROM index_rows LIMIT 1
                """#)
        }
        #expect(entry.map(\.table) == ["index_rows"])
        let record = try #require(try tenant.store.record("a"))
        let row = TrashRow(record: record, deletedAt: 1, deletedBy: nil)
        let trash = try await tenant.findings {
            try tenant.cloud.meddle(
                """
                INSERT INTO trash (db, \(Self.trashColumns), deleted_at, deleted_by, checksum)
                SELECT db, \(Self.trashColumns), 1, NULL, \(row.checksum) FROM records
                WHERE db = \(try tenant.store.number.stored(1)) AND record_no = \(record.number)
                """)
        }
        #expect(trash.map(\.table) == ["trash"])
    }

    private static let trashColumns = """
        record_no, zone_no, name, seq, tag_seq, type, created_at, created_by, modified_at, modified_by, parent, \
        share_root, flags, fields_epoch, ref_count, size, fields
        """

    @Test("finds rows that are wrong on every page of a long table, and none of its neighbours")
    func manyPages() async throws {
        let cloud = try Cloud()
        let store = try cloud.store()
        let names = (0..<1_300).map { Name("note \($0)") }
        try await store.save(names, fields: Notes.text(String(repeating: "long", count: 3_000)))
        try await store.openIndexes([IndexShape(type: Cloud.note, parts: [.value(.recordName)])], in: 1, at: 1)
        while try await store.buildIndexes(in: 1, rows: 1_000) {}
        #expect(try store.findings() == [])
        try cloud.meddle("UPDATE records SET flags = 7 WHERE record_no % 400 = 1")
        try cloud.meddle("DELETE FROM index_rows WHERE record_no % 400 = 2")
        let findings = try store.findings()
        #expect(findings.filter { $0.table == "records" }.count == 4)
        #expect(findings.filter { $0.table == "index_rows" }.count == 4)
        #expect(findings.count == 8)
        #expect(try #require(try cloud.engine.open(Self.production)).check { _, _ in } == [])
    }

    private static let production = Tenant(container: Cloud.container, environment: .production)

    @Test("goes on behind a table that PostgreSQL cannot read")
    func unreadableTable() async throws {
        let tenant = try await FullTenant()
        try tenant.cloud.meddle(
            "ALTER TABLE events RENAME TO away",
            """
            CREATE FUNCTION broken(number bigint) RETURNS bigint LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'invalid page' USING ERRCODE = 'XX001'; END $$
            """,
            """
            CREATE VIEW events AS SELECT db, seq, zone_no, kind, name, client, broken(checksum) AS checksum, old_fields,
                new_fields FROM away
            """,
            "UPDATE trash SET deleted_at = deleted_at + 7")
        let tables = try tenant.findings().map { "\($0)" }
        #expect(tables.contains { $0.hasPrefix("events: cannot be read to its end: ") && $0.contains("invalid page") })
        #expect(tables.contains { $0.hasPrefix("trash: ") && $0.hasSuffix("its checksum is wrong") })
    }

    @Test("finds changed, removed and added accounts, containers and tenants")
    func directory() throws {
        for sql in [
            "UPDATE accounts SET email = 'x@example.org' WHERE id = 'A'", "DELETE FROM accounts WHERE id = 'A'",
            "INSERT INTO accounts SELECT 'B', 'b@example.org', '', '', 1, checksum FROM accounts",
            "UPDATE containers SET created_at = 7", "DELETE FROM containers",
            "INSERT INTO containers VALUES ('x', 1, \(ContainerRow(id: "x", createdAt: 1).checksum))",
            "UPDATE meta SET digest = digest + 1", "UPDATE meta SET last_tenant = 1", "DELETE FROM meta",
            "DELETE FROM catalog WHERE environment = 'production'",
            "UPDATE catalog SET container = 'x', deleted_at = 0",
        ] {
            let cloud = try Cloud()
            try cloud.engine.createAccount(
                AccountRow(id: "A", email: "a@example.org", givenName: "", familyName: "", createdAt: 1))
            #expect(try cloud.engine.checkDirectory() == [])
            try cloud.meddle(sql)
            #expect(try cloud.engine.checkDirectory() != [], "\(sql)")
        }
    }
}
