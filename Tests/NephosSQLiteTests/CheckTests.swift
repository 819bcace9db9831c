import CloudKitWire
import NephosStorage
import Testing

@testable import NephosSQLite

/// A tenant with at least two rows in every table that may have more than one.
private struct FullTenant {
    let cloud: Cloud
    let store: SQLiteTenantStore
    static let user = UserID(high: 5, low: 6)
    static let keyUser = UserID(high: 7, low: 8)

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

    func findings() throws -> [CheckFinding] { try store.check { _, _ in } }

    /// Writes rows as the engine would, with right checksums, but without counting them.
    func add(_ write: (TenantWriter, inout Ledger) throws(StorageError) -> Void) throws {
        let connection = try Connection(path: cloud.file, access: .write, settings: [])
        var head = HeadRow(database: 1, kind: .publicLane, owner: nil)
        head.sequence = 1_000
        head.recordNumber = 1_000
        var ledger = Ledger(stored: [head])
        try write(TenantWriter(connection), &ledger)
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
    }

    /// Every table, and every column that a row's checksum covers.
    static let flips: [(table: String, column: String)] = [
        ("catalog", "version"), ("catalog", "lanes"), ("catalog", "signing_key"), ("catalog", "created_at"),
        ("catalog", "container"), ("catalog", "digest"), ("catalog", "last_db"), ("catalog", "last_type"),
        ("catalog", "checksum"),
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
        ("heads", "index_version"), ("heads", "trash"),
        ("zones", "name"), ("zones", "state"), ("zones", "changed_seq"), ("zones", "purged_seq"), ("zones", "zone_no"),
        ("records", "name"), ("records", "seq"), ("records", "tag_seq"), ("records", "type"),
        ("records", "created_at"), ("records", "created_by"), ("records", "modified_at"), ("records", "modified_by"),
        ("records", "parent"), ("records", "share_root"), ("records", "flags"), ("records", "fields_epoch"),
        ("records", "ref_count"), ("records", "size"), ("records", "fields"), ("records", "checksum"),
        ("records", "zone_no"), ("records", "record_no"),
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

    @Test("finds a row that was changed, and names its table", arguments: flips)
    func flipped(table: String, column: String) async throws {
        let tenant = try await FullTenant()
        try tenant.cloud.meddle(
            """
            UPDATE \(table) SET \(column) = CASE
                WHEN \(column) IS NULL AND '\(column)' = 'share_root' THEN 1
                WHEN \(column) IS NULL THEN 'x'
                WHEN typeof(\(column)) = 'integer' THEN \(column) + 7
                WHEN typeof(\(column)) = 'blob' THEN CAST(x'ff' || substr(\(column), 2) AS BLOB)
                ELSE \(column) || 'x' END
            WHERE rowid_or_key
            """.replacingKey(of: table))
        let findings = try tenant.findings()
        #expect(findings.contains { $0.table == table }, "\(findings)")
    }

    @Test(
        "finds a row that was removed",
        arguments: [
            "catalog", "types", "fields", "roles", "grants", "api_tokens", "server_keys", "sessions", "users", "heads",
            "zones", "records", "tombstones", "refs", "events", "cascades", "trash", "indexes", "index_rows",
        ])
    func removed(table: String) async throws {
        let tenant = try await FullTenant()
        try tenant.cloud.meddle("DELETE FROM \(table) WHERE rowid_or_key".replacingKey(of: table))
        if table == "catalog" {
            #expect(throws: StorageError.self) { try tenant.store.read(ReadSet()) }
        }
        #expect(try tenant.findings() != [])
    }

    @Test("finds a row of the catalog that was added, though its checksum is right")
    func addedToCatalog() async throws {
        let rows: [CatalogRow] = [
            .type(RecordTypeRow(number: 99, name: "X")), .field(FieldRow(type: 1, name: "x", kind: .int64)),
            .role(RoleRow(number: 99, name: "x")), .grant(GrantRow(type: 1, role: 2, rights: .write)),
            .token(APITokenRow(hash: [99], name: "x", createdAt: 1)), .session(FullTenant.session(99)),
            .key(ServerKeyRow(id: "x", publicKey: [], user: FullTenant.user, createdAt: 1)),
        ]
        for row in rows {
            let tenant = try await FullTenant()
            try tenant.add { writer, _ throws(StorageError) in try writer.catalogs.insert(row) }
            #expect(try tenant.findings().contains { $0.table == "catalog" }, "\(row)")
        }
    }

    @Test("finds a row of a database that was added, though its checksum is right")
    func addedToDatabase() async throws {
        let record = RecordRow(
            database: 1, number: 4, zone: 1, name: "x", sequence: 3, tagSequence: 3, type: 1, createdAt: 1,
            createdBy: Notes.user, modifiedAt: 1, modifiedBy: Notes.user, fields: [])
        let zone = ZoneRow(
            database: 1, number: 1_000, name: "x", createdSequence: 1, changedSequence: 1, createdAt: 1)
        let writes: [(String, @Sendable (TenantWriter, inout Ledger) throws(StorageError) -> Void)] = [
            (
                "records",
                { writer, ledger throws(StorageError) in
                    try writer.records.apply(RecordWrite(old: nil, new: record, references: nil), &ledger)
                }
            ),
            (
                "refs",
                { writer, ledger throws(StorageError) in
                    let target = ReferenceTarget(target: "x", kind: .none)
                    try writer.references.insert([target], of: record, &ledger)
                }
            ),
            (
                "zones",
                { writer, ledger throws(StorageError) in
                    try writer.zones.apply(ZoneWrite(old: nil, new: zone), &ledger)
                }
            ),
            (
                "events",
                { writer, ledger throws(StorageError) in
                    try writer.events.insert(
                        ChangeEventRow(database: 1, sequence: 2, zone: 1, name: "x", kind: .created), &ledger)
                }
            ),
            (
                "cascades",
                { writer, ledger throws(StorageError) in
                    try writer.cascades.insert(
                        PendingCascadeRow(database: 1, zone: 1, target: "z", sequence: 1), &ledger)
                }
            ),
            (
                "heads",
                { writer, _ throws(StorageError) in
                    try writer.heads.insert(HeadRow(database: 99, kind: .personal, owner: FullTenant.user))
                }
            ),
            (
                "users",
                { writer, _ throws(StorageError) in
                    try writer.users.insert(
                        UserRow(id: FullTenant.user, source: .account, sourceID: "x", privateDatabase: 2, createdAt: 1))
                }
            ),
        ]
        for (table, write) in writes {
            let tenant = try await FullTenant()
            try tenant.add(write)
            #expect(try tenant.findings().contains { $0.table == table }, "\(table)")
        }
        let tenant = try await FullTenant()
        let tombstone = TombstoneRow(database: 1, zone: 1, name: "x", sequence: 3, type: 1, deletedAt: 1)
        try tenant.cloud.meddle(
            "INSERT INTO tombstones VALUES (1, 1, 3, 'x', 1, 1, \(tombstone.checksum))")
        #expect(try tenant.findings().contains { $0.table == "tombstones" })
    }

    @Test("finds an entry of an index that belongs to no record, and a row of the trash that nobody counted")
    func addedEntries() async throws {
        let tenant = try await FullTenant()
        try tenant.cloud.meddle(
            """
            INSERT INTO index_rows
            SELECT db, zone_no, index_no, CAST(key || x'00' AS BLOB), record_no FROM index_rows LIMIT 1
            """)
        #expect(try tenant.findings().map(\.table) == ["index_rows"])
        let other = try await FullTenant()
        let record = RecordStub(try #require(try other.store.record("a")))
        try other.add { writer, ledger throws(StorageError) in
            try writer.trash.keep(record, deletedAt: 1, by: nil, &ledger)
        }
        #expect(try other.findings().map(\.table) == ["trash"])
    }

    @Test("finds pages that SQLite cannot read")
    func pages() async throws {
        let tenant = try await FullTenant()
        let path = tenant.cloud.file
        tenant.cloud.engine.close()
        let root = try Connection(path: path, access: .read, settings: []).number(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'records'")
        try overwrite(path, at: (try #require(root) - 1) * Int64(Tuning.pageSize))
        let again = try SQLiteEngine(directory: tenant.cloud.folder.path)
        defer { again.close() }
        #expect(try tenant.cloud.store(again).check { _, _ in } != [])
    }

    @Test("finds changed, removed and added accounts and containers")
    func directory() throws {
        for sql in [
            "UPDATE accounts SET email = 'x@example.org' WHERE id = 'A'", "DELETE FROM accounts WHERE id = 'A'",
            "INSERT INTO accounts SELECT 'B', 'b@example.org', '', '', 1, checksum FROM accounts",
            "UPDATE containers SET created_at = 7", "DELETE FROM containers",
            "INSERT INTO containers VALUES ('x', 1, \(ContainerRow(id: "x", createdAt: 1).checksum))",
            "UPDATE meta SET digest = digest + 1", "DELETE FROM meta",
        ] {
            let cloud = try Cloud()
            try cloud.engine.createAccount(
                AccountRow(id: "A", email: "a@example.org", givenName: "", familyName: "", createdAt: 1))
            #expect(try cloud.engine.checkDirectory() == [])
            let path = DataDirectory(cloud.folder.path).directoryFile
            try Connection(path: path, access: .write, settings: []).execute(sql)
            #expect(try cloud.engine.checkDirectory() != [], "\(sql)")
        }
    }
}

extension String {
    /// A condition that picks the last row of a table.
    fileprivate func replacingKey(of table: String) -> String {
        let keys = [
            "catalog": "id", "types": "type", "fields": "type, name", "roles": "role", "grants": "type, role",
            "api_tokens": "hash", "server_keys": "id", "sessions": "id", "users": "id", "heads": "db",
            "zones": "db, zone_no", "records": "db, record_no", "tombstones": "db, zone_no, seq",
            "refs": "db, zone_no, target, kind, record_no", "events": "db, seq",
            "cascades": "db, zone_no, target", "trash": "db, record_no", "indexes": "db, index_no",
            "index_rows": "db, zone_no, index_no, key, record_no",
        ]
        let key = keys[table] ?? "rowid"
        let order = key.split(separator: ",").map { "\($0) DESC" }.joined(separator: ", ")
        return replacing("rowid_or_key", with: "(\(key)) = (SELECT \(key) FROM \(table) ORDER BY \(order) LIMIT 1)")
    }
}
