import CloudKitWire
import NephosStorage

extension StorageCase {
    static let catalogs: [StorageCase] = [
        versionAndDigestMove, sessionsLeaveTheCatalogAlone, endedSessions, sessionLists, credentials,
        databasesAreNumbered,
        oneUserAnAccount,
        otherEnginesSeeTheCatalog, lanes, numbersOfTypes, epochsOfFields,
        fieldsOfNewTypes,
    ]

    static let versionAndDigestMove = StorageCase(
        "every change of the catalog changes its version and its digest"
    ) { tenant in
        let type = RecordTypeRow(number: 3, name: "Album")
        var emptied = type
        emptied.epoch = 1
        let field = FieldRow(
            type: 3, name: "title", kind: .string, isEncrypted: true, options: [.queryable, .sortable])
        let grant = GrantRow(type: 3, role: RoleRow.icloud.number, rights: [.read, .create])
        let role = RoleRow(number: 4, name: "editors")
        try await tenant.change(.init(new: .type(type)), .init(new: .field(field)), .init(new: .grant(grant)))
        try await tenant.change(.init(new: .role(role)))
        let album = try unwrap(try tenant.catalog().types["Album"], "the new type")
        try expectEqual(album.row, type, "its row")
        try expectEqual(Array(album.fields.values), [field], "its fields")
        try expectEqual(album.grants, [RoleRow.icloud.number: [.read, .create]], "its grants")
        try expectEqual(try tenant.catalog().type(3)?.row.name, "Album", "the type of the number")
        try expectEqual(try tenant.catalog().roles["editors"], role, "the new role")
        try await tenant.change(
            .init(old: .type(type), new: .type(emptied)), .init(old: .field(field), new: nil),
            .init(old: .grant(grant), new: nil), .init(old: .role(role), new: nil))
        let changed = try unwrap(try tenant.catalog().types["Album"], "the changed type")
        try expectEqual(changed.row.epoch, 1, "its epoch")
        try expect(changed.fields.isEmpty && changed.grants.isEmpty, "removed fields and grants still exist")
        try expectEqual(try tenant.catalog().roles["editors"], nil, "the role that was removed")
    }

    static let numbersOfTypes = StorageCase(
        "the number of a removed type is never assigned again"
    ) { tenant in
        try expectEqual(try tenant.catalog().head.lastType, 2, "the last number of a new tenant")
        let (album, photo) = (RecordTypeRow(number: 3, name: "Album"), RecordTypeRow(number: 7, name: "Photo"))
        try await tenant.change(.init(new: .type(photo)), .init(new: .type(album)))
        try expectEqual(try tenant.catalog().nextTypeNumber, 8, "the next number")
        try await tenant.change(.init(old: .type(photo), new: nil), .init(old: .type(album), new: nil))
        try expectEqual(try tenant.catalog().nextTypeNumber, 8, "the next number after the types were removed")
        try tenant.restart()
        try expectEqual(try tenant.catalog().head.lastType, 7, "the last number after a restart")
    }

    static let epochsOfFields = StorageCase("a field is returned with its epoch and all its options") { tenant in
        let field = FieldRow(
            type: TestTenant.note, name: "size", kind: .double, options: [.number, .preferred, .sortable], epoch: 5)
        try await tenant.change(.init(new: .field(field)))
        try expectEqual(try tenant.catalog().type(TestTenant.note)?.fields["size"], field, "the field")
        try await tenant.change(.init(old: .field(field), new: nil))
        try expectEqual(try tenant.catalog().type(TestTenant.note)?.fields["size"], nil, "the removed field")
    }

    static let fieldsOfNewTypes = StorageCase(
        "the permissions of new types' system fields are stored along with the types, not as a type"
    ) { tenant in
        let field = FieldRow(type: FieldRow.ofNewTypes, name: "___recordID", kind: .reference, options: .queryable)
        let before = try tenant.catalog()
        try await tenant.change(.init(new: .field(field)))
        try tenant.restart()
        let after = try tenant.catalog()
        try expectEqual(after.fieldsOfNewTypes, [field], "the field")
        try expectEqual(Set(after.types.keys), Set(before.types.keys), "the types")
        try expectEqual(after.nextTypeNumber, before.nextTypeNumber, "the next number of a type")
        try await tenant.change(.init(old: .field(field), new: nil))
        try expectEqual(try tenant.catalog().fieldsOfNewTypes, [], "the removed field")
    }

    static let sessionsLeaveTheCatalogAlone = StorageCase(
        "adding or removing a session writes nothing of the catalog; ending one raises the number of ended sessions"
    ) { tenant in
        let person = try await tenant.person(1)
        let session = SessionRow(
            id: Array(0..<16), user: person.user, privateDatabase: person.number,
            secret: Array(repeating: 9, count: 32), createdAt: 1, expiresAt: 99)
        let before = try tenant.catalog().head
        try await tenant.put(session)
        try expectEqual(try tenant.session(session.id), session, "the session")
        try expectEqual(try tenant.session(session.id)?.secret.bytes, session.secret.bytes, "its secret")
        try expectEqual(try tenant.catalog().head, before, "the catalog's row")
        try await tenant.end([session.id], at: 5)
        let ended = try unwrap(try tenant.session(session.id), "the ended session")
        try expectEqual(ended.revokedAt, 5, "when it was ended")
        try expectEqual(ended.endNumber, before.endedSessions + 1, "its number")
        let after = try tenant.catalog().head
        try expectEqual(after.endedSessions, before.endedSessions + 1, "the number of ended sessions")
        try expectEqual(after.version, before.version, "the version after it was ended")
        try expectEqual(after.digest, before.digest, "the digest after it was ended")
        try expectEqual(
            try tenant.engine.news(of: [tenant.name: []])[tenant.name],
            TenantNews(catalogVersion: after.version, endedSessions: after.endedSessions), "the news")
        try await tenant.end([session.id], at: 6)
        try expectEqual(try tenant.session(session.id), ended, "the session that was ended twice")
        try expectEqual(try tenant.catalog().head, after, "the catalog's row after that")
        try tenant.restart()
        try expectEqual(try tenant.catalog().head, after, "the catalog's row of another process")
        try await tenant.put(nil, replacing: ended)
        try expectEqual(try tenant.session(session.id), nil, "the removed session")
        try expectEqual(try tenant.catalog().head, after, "the catalog's row after its removal")
    }

    static let endedSessions = StorageCase("ended sessions are found by their number") {
        tenant in
        let person = try await tenant.person(1)
        func session(_ number: UInt8) -> SessionRow {
            SessionRow(
                id: Array(repeating: number, count: 16), user: person.user, privateDatabase: person.number,
                secret: Array(repeating: number, count: 32), createdAt: 1, expiresAt: 99, kind: .kept)
        }
        for number in 1...4 { try await tenant.put(session(UInt8(number))) }
        let start = try tenant.catalog().head.endedSessions
        try await tenant.end([session(3).id], at: 5)
        try await tenant.end([session(1).id, session(4).id], at: 6)
        func ended(after number: Int64, limit: Int = 9) throws -> [UInt8] {
            try tenant.store.rows(SessionRow.ended(after: number, limit: limit)).compactMap(\.id.first)
        }
        try expectEqual(try ended(after: start - 1), [3, 1, 4], "all")
        try expectEqual(try ended(after: start + 1), [1, 4], "the last")
        try expectEqual(try ended(after: start + 2), [], "after all")
        try expectEqual(try ended(after: start, limit: 1), [3], "the first")
        try tenant.restart()
        let kept = try unwrap(try tenant.session(session(2).id), "the session that continues")
        try expectEqual(kept, session(2), "all of it")
    }

    static let sessionLists = StorageCase(
        "sessions are listed by user, by their end, and by the devices that name them"
    ) { tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        func session(_ number: UInt8, of person: TestDatabase, ends: Milliseconds) -> SessionRow {
            SessionRow(
                id: Array(repeating: number, count: 16), user: person.user, privateDatabase: person.number,
                secret: Array(repeating: number, count: 32), createdAt: 1, expiresAt: ends)
        }
        // Two that end at the same time are ordered by ID.
        let rows = [
            session(1, of: one, ends: 50), session(2, of: two, ends: 40), session(3, of: one, ends: 30),
            session(4, of: one, ends: 30),
        ]
        for row in rows { try await tenant.put(row) }
        try await tenant.end([rows[0].id], at: 7)
        let revoked = try unwrap(try tenant.session(rows[0].id), "the ended session")
        func named(by devices: [DeviceKey]) throws -> [SessionRow] {
            var set = ReadSet()
            set.sessionsOfDevices = devices
            return try tenant.store.read(set).sessionsOfDevices.sorted { $0.id[0] < $1.id[0] }
        }
        try expectEqual(
            try tenant.store.rows(SessionRow.of(one.user, limit: 9)), [revoked, rows[3], rows[2]], "one person's")
        try expectEqual(
            try tenant.store.rows(SessionRow.of(one.user, limit: 2)), [revoked, rows[3]], "the first of them")
        try expectEqual(
            try tenant.store.rows(SessionRow.unrevoked(of: one.user, limit: 9)), [rows[3], rows[2]], "those not revoked"
        )
        try expectEqual(
            try tenant.store.rows(SessionRow.unrevoked(of: one.user, limit: 1)), [rows[3]], "the first of those")
        try expectEqual(
            try tenant.store.rows(SessionRow.newest(limit: 9)), [revoked, rows[1], rows[3], rows[2]], "everybody's")
        try expectEqual(try tenant.store.rows(SessionRow.newest(limit: 1)), [revoked], "the last to end")
        try expectEqual(
            try tenant.store.rows(SessionRow.expired(before: 41, limit: 9)), [rows[2], rows[3], rows[1]],
            "those that ended")
        try expectEqual(try tenant.store.rows(SessionRow.expired(before: 40, limit: 1)), [rows[2]], "the first to end")
        try expectEqual(try tenant.store.rows(SessionRow.expired(before: 30, limit: 9)), [], "before the first")

        var (page, phone, old) = (one.device(1), one.device(2, .apns), two.device(3))
        (page.session, page.token, page.secret) = (rows[2].id, Array(repeating: 8, count: 32), Secret([]))
        (phone.session, phone.secret) = (rows[2].id, Secret(rows[0].id))
        // As couriers were stored before there was a column for it.
        old.secret = Secret(rows[1].id)
        var stray = two.device(4)
        stray.session = Array(repeating: 9, count: 16)
        try await one.add([page, phone, old, stray, two.device(5, .webhook)])
        try tenant.restart()
        try expectEqual(try one.rows(DeviceRow.keyed([page.key])), [page], "a device with its session and token")
        let keys = [page, phone, old, stray].map(\.key) + [two.deviceKey(5), two.deviceKey(6)]
        try expectEqual(try named(by: keys), [rows[1], rows[2]], "those that devices name")
        try expectEqual(try named(by: [stray.key]), [], "that of a device whose session was removed")
    }

    static let credentials = StorageCase(
        "API tokens and server keys are part of the catalog, including revoked ones"
    ) { tenant in
        let token = APITokenRow(hash: Array(repeating: 1, count: 32), name: "\u{1F600} web", createdAt: 1)
        let key = ServerKeyRow(
            id: String(repeating: "a", count: 64), publicKey: Array(repeating: 4, count: 65),
            user: UserID(high: 3, low: 4), createdAt: 1)
        let user = UserRow(id: key.user, source: .serverKey, sourceID: key.id, privateDatabase: 0, createdAt: 1)
        try await tenant.change(.init(new: .token(token)), .init(new: .key(key)), users: [user])
        try expectEqual(try tenant.catalog().tokens[token.hash], token, "the token")
        try expectEqual(try tenant.catalog().keys[key.id], key, "the key")
        var (revokedToken, revokedKey) = (token, key)
        revokedToken.revokedAt = 7
        revokedKey.revokedAt = 8
        revokedKey.name = "caf\u{E9} \u{1F600}"
        try await tenant.change(.init(old: .token(token), new: .token(revokedToken)))
        try await tenant.change(.init(old: .key(key), new: .key(revokedKey)))
        try tenant.restart()
        try expectEqual(try tenant.catalog().tokens[token.hash], revokedToken, "the revoked token")
        try expectEqual(try tenant.catalog().keys[key.id], revokedKey, "the revoked key")
    }

    static let databasesAreNumbered = StorageCase(
        "concurrent sign-ups get databases numbered without a gap"
    ) { tenant in
        let other = try tenant.secondEngine()
        let version = try tenant.catalog().version
        let people = try await withThrowingTaskGroup(of: TestDatabase.self) { group in
            for person in 0..<20 {
                let tenant = person.isMultiple(of: 2) ? tenant : other
                group.addTask { try await tenant.person(UInt64(person)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try expectEqual(people.map(\.number).sorted(), Array(2...21), "the numbers of their databases")
        try expectEqual(try tenant.catalog().head.lastDatabase, 21, "the last assigned number")
        try expectEqual(try tenant.catalog().version, version, "the version of the catalog")
        for person in people {
            let head = try person.through(tenant).head()
            try expectEqual(head.owner, person.user, "the owner of database \(person.number)")
            try expectEqual(head.kind, .personal, "the kind of database \(person.number)")
            try expectEqual(try person.through(tenant).liveZones().map(\.name), [defaultZoneName], "its zones")
        }
    }

    static let oneUserAnAccount = StorageCase(
        "an account that signs up many times concurrently is one user"
    ) { tenant in
        let other = try tenant.secondEngine()
        let numbers = try await withThrowingTaskGroup(of: DatabaseNumber.self) { group in
            for attempt in 0..<10 {
                let tenant = attempt.isMultiple(of: 2) ? tenant : other
                group.addTask { try await tenant.person(5).number }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        try expectEqual(numbers, [2], "the databases of the account")
        let users = try tenant.store.rows(UserRow.from([(.account, "ACCOUNT-5"), (.account, "account-5")]))
        try expectEqual(users.map(\.privateDatabase), [2], "the user of the account, and not in another case")
        try expectEqual(try tenant.store.rows(UserRow.keyed([UserID(high: 0xE, low: 5)])), users, "the same by id")
    }

    static let otherEnginesSeeTheCatalog = StorageCase(
        "a catalog change by one engine applies to others immediately"
    ) { tenant in
        let other = try tenant.secondEngine()
        for round in 0..<10 {
            let field = FieldRow(type: TestTenant.note, name: Name("field \(round)"), kind: .int64)
            try await (round.isMultiple(of: 2) ? tenant : other).change(.init(new: .field(field)))
            for reader in [tenant, other] {
                try expectEqual(
                    try reader.catalog().types["Note"]?.fields[field.name], field, "the field of round \(round)")
            }
            let seen = try await other.store.commit(ReadSet()) { .write(WriteSet(), $0.catalog.version) }
            try expectEqual(seen, try tenant.catalog().version, "the version that a decision sees")
        }
    }

    static let lanes = StorageCase(
        "a public database of four lanes has four heads, each with its default zone"
    ) { tenant in
        let container = "iCloud.org.example.lanes"
        let name = Tenant(container: container, environment: .production)
        var seed = TestTenant.seed(.production)
        seed.head.tenant = name
        seed.head.lanes = 4
        try tenant.engine.createContainer(ContainerRow(id: container, createdAt: 1), seeds: [seed])
        let store = try unwrap(try tenant.engine.open(name), "the tenant")
        var set = ReadSet()
        set.databases = [1, 2, 3, 4, 5]
        set.zones = (1...4).map { .name($0, defaultZoneName) }
        let reading = try store.read(set)
        try expectEqual(
            reading.databases.map { $0?.kind }, [.publicLane, .publicLane, .publicLane, .publicLane, nil], "lanes")
        try expectEqual(reading.zones.map { $0?.state }, [.live, .live, .live, .live], "their default zones")
        try expectEqual(reading.catalog.head.lastDatabase, 4, "the last database")
        try expectEqual(try store.check { _, _ in }, [], "the check")
    }
}

extension TestTenant {
    /// Writes catalog rows in one commit. - Throws: ``PromiseBroken`` unless version and digest change as required.
    fileprivate func change(
        _ writes: CatalogWrite..., users: [UserRow] = []
    ) async throws {
        let before = try catalog().head
        try await store.commit(ReadSet()) { _ -> Decision<Void> in
            var set = WriteSet()
            set.catalog = writes
            set.users = users
            return .write(set, ())
        }
        let after = try catalog().head
        try expectEqual(after.version, before.version + 1, "the version of the catalog")
        let digest = writes.reduce(before.digest) { $0 &- ($1.old?.checksum ?? 0) &+ ($1.new?.checksum ?? 0) }
        try expectEqual(after.digest, digest, "the digest of the catalog")
    }

    /// Adds a session (`old` nil), changes it, or removes it (`new` nil).
    fileprivate func put(
        _ new: SessionRow?, replacing old: SessionRow? = nil
    ) async throws {
        let scan = SessionRow.keyed([(new ?? old)?.id ?? []])
        var asked = ReadSet()
        asked.ask(scan)
        try await store.commit(asked) { reading -> Decision<Void> in
            var set = WriteSet()
            let stored = old == nil ? nil : reading[scan].first
            if let new { set.put(new, replacing: stored) } else if let stored { set.remove(stored) }
            return .write(set, ())
        }
    }

    /// Ends sessions in one commit.
    fileprivate func end(_ ids: [[UInt8]], at now: Milliseconds) async throws {
        let sessions = SessionRow.keyed(ids)
        var asked = ReadSet()
        asked.ask(sessions)
        try await store.commit(asked) { reading -> Decision<Void> in
            var set = WriteSet()
            for session in reading[sessions] { set.end(session, at: now, seeing: reading.catalog) }
            return .write(set, ())
        }
    }

    fileprivate func session(_ id: [UInt8]) throws -> SessionRow? {
        try store.rows(SessionRow.keyed([id])).first
    }
}
