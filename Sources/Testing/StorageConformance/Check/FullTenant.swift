import CloudKitWire
import NephosStorage

/// A tenant with at least two rows in every table that may have more than one, and a copy of its tables.
struct FullTenant: Sendable {
    let tables: any StoredTables
    let tenant: TestTenant

    init(_ tables: any StoredTables) throws {
        self.tables = tables
        tenant = try TestTenant { try tables.open() }
    }

    func fill() async throws {
        for number in [UInt8(1), 2] {
            try await addCredentials(number)
            try await tenant.person(UInt64(number)).defaultZone.keep([number, 0])
        }
        try await tenant.person(1).keepAnnex(Self.annex)
        try await watch()
        let notes = tenant.publicDatabase.defaultZone
        for number in [UInt8(1), 2] { try await notes.database.addAsset(number, at: 1) }
        let uses: [Name: [AssetUse]] = ["a": [TestDatabase.use(1), TestDatabase.use(2)], "b": [TestDatabase.use(2)]]
        try await notes.commit(
            ["a", "b", "c", "d"].map { .save($0, #"{"text":"x"}"#, assets: uses[$0] ?? []) })
        let targets = [ReferenceTarget(target: "a", kind: .none), ReferenceTarget(target: "b", kind: .deleteSelf)]
        try await notes.commit([.save("e", references: targets), .save("f")])
        try await notes.commit([.discard("c"), .discard("d")])
        try await addIndexes()
        try tenant.engine.createAccount(
            AccountRow(id: "A", email: "a@example.org", givenName: "", familyName: "", createdAt: 1))
        let person = TestDatabase(tenant: tenant, number: 1, user: UserID(high: 0xE, low: 1))
        try await person.subscribe("a", .zone)
        // Leaves a sequence number without a subscription.
        try await person.subscribe("c")
        try await person.unsubscribe("c")
        try await person.subscribe("b", .query)
        let phone = try await tenant.person(1)
        let devices = [UInt8(1), 2].map { number in
            var device = phone.device(number)
            (device.session, device.token) = ([number], [number])
            return device
        }
        try await phone.add(
            devices, [phone.delivery(1, "a"), phone.delivery(2, "b")],
            [phone.entry(1, at: 5), phone.entry(2, at: 6)])
        // Watched by a query: the first change without copies, the second with copies of the first.
        try await notes.commit([.save("b"), .save("f")])
        try await notes.commit([.save("b"), .save("f")])
        for number in [UInt64(7), 8] { try await leave(tenant.person(number)) }
        try tables.keep()
    }

    private func leave(_ person: TestDatabase) async throws {
        let user = try unwrap(try tenant.store.rows(UserRow.keyed([person.user])).first, "a user")
        let isRemoved = try await tenant.store.removePerson(user, at: 1)
        try expect(isRemoved, "a person with an empty database was not removed")
    }

    func findings(in place: StoredPlace) throws -> [CheckFinding] {
        switch place {
        case .tenant: try tenant.store.check { _, _ in }
        case .directory: try tenant.engine.checkDirectory()
        }
    }

    /// The findings of a check after `change`, which is then reverted.
    func findings(in place: StoredPlace = .tenant, after change: () throws -> Void) throws -> [CheckFinding] {
        try change()
        let found = try findings(in: place)
        try tables.mend(place)
        return found
    }

    // MARK: Rows

    /// The annex of the feature `a` in the head of the first user.
    static let annex: [UInt8] = [1, 2, 3]

    private func addCredentials(_ number: UInt8) async throws {
        let type = RecordTypeRow(number: Int32(number) + 10, name: Name("T\(number)"))
        let key = Self.key(number)
        try await tenant.store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.catalog = [
                CatalogWrite(new: .token(APITokenRow(hash: [number], name: "t", createdAt: 1))),
                CatalogWrite(new: .key(key)),
                CatalogWrite(new: .type(type)), CatalogWrite(new: .pushKey(Self.pushKey(number))),
                CatalogWrite(new: .section(Self.section(number))),
                CatalogWrite(new: .field(FieldRow(type: type.number, name: "n", kind: .int64))),
                CatalogWrite(new: .grant(GrantRow(type: type.number, role: 1, rights: .read))),
            ]
            writes.put(
                SectionChangeRow(
                    version: Int64(number), name: "s", document: Bytes("set".utf8), changedAt: 1, author: "ada"))
            writes.put(Self.session(number))
            let source = RequestSource(token: [number], device: "Firefox", network: "192.0.2.0/24")
            writes.put(SessionUseRow(session: [number], user: key.user, source: source))
            writes.users = [
                UserRow(id: key.user, source: .serverKey, sourceID: key.id, privateDatabase: 0, createdAt: 1)
            ]
            writes.put(CredentialUseRow(key: CredentialKey(.session, [number]), day: 20_000))
            return .write(writes, ())
        }
    }

    static func key(_ number: UInt8) -> ServerKeyRow {
        ServerKeyRow(
            id: String(repeating: "\(number)", count: 64), publicKey: [1], user: UserID(high: 9, low: UInt64(number)),
            createdAt: 1)
    }

    static func pushKey(_ number: UInt8) -> PushKeyRow {
        PushKeyRow(isDevelopment: number == 2, team: "t", keyID: "k", topic: "a", pem: "p", createdAt: 1)
    }

    static func section(_ number: UInt8) -> SectionRow {
        SectionRow(name: "s\(number)", document: Bytes("set".utf8), isDeployed: number == 2, changedAt: 1)
    }

    static func session(_ number: UInt8) -> SessionRow {
        SessionRow(
            id: [number], user: key(number).user, privateDatabase: 2, secret: [2], createdAt: 1, expiresAt: 2)
    }

    private func watch() async throws {
        var set = ReadSet()
        set.databases = [1]
        try await tenant.store.commit(set) { reading in
            var head = try unwrap(reading.databases[0], "the head")
            head.sequence += 2
            var writes = WriteSet()
            writes.heads = [head]
            for target in ["x", "y"] as [Name] {
                writes.put(Self.cascade(target, head.sequence))
                writes.put(DueEventRow(database: 1, zone: 1, name: target, at: 1))
            }
            for number in [head.sequence - 1, head.sequence] { Self.share(number, in: &writes) }
            for topic in ["a", "b"] { writes.post(Topic(topic, 1), replacing: nil, at: 1) }
            writes.events = [head.sequence - 1, head.sequence].map { Self.event("a", $0) }
            return .write(writes, ())
        }
    }

    private static func share(_ number: ShareNumber, in writes: inout WriteSet) {
        let user = UserID(high: 0xE, low: UInt64(number) % 2 + 1)
        writes.put(ShareRow(database: 1, number: number, zone: 1, root: number, name: "s", state: .preparing))
        writes.put(ParticipantRow(database: 1, user: user, zone: 1, share: number, since: number))
        writes.put(
            DepartureRow(
                database: 1, zone: 1, sequence: number, share: number, type: TestTenant.note, name: "x", leftAt: 1))
        writes.put(
            SharedZoneRow(database: 1, owner: user, zone: 1, name: "z", ownerDatabase: 1, sequence: number))
    }

    static func cascade(_ target: Name, _ sequence: Sequence) -> PendingCascadeRow {
        PendingCascadeRow(database: 1, zone: 1, target: target, sequence: sequence)
    }

    static func event(_ name: Name, _ sequence: Sequence) -> ChangeEventRow {
        ChangeEventRow(database: 1, sequence: sequence, zone: 1, name: name, kind: .updated)
    }

    /// One ready index, one half built, and a dropped one.
    private func addIndexes() async throws {
        func shape(_ part: IndexShape.Part) -> IndexShape { IndexShape(type: TestTenant.note, parts: [part]) }
        let database = tenant.publicDatabase
        try await database.open([shape(.value(.recordName)), shape(.value(.modifiedBy))])
        try await database.buildAll()
        try await database.open([shape(.value(.createdAt))])
        _ = try await tenant.store.buildIndexes(in: 1, rows: 2)
        let second = try unwrap(try database.index(shape(.value(.modifiedBy))), "an index")
        try await tenant.store.dropIndexes([second.number], in: 1)
    }
}
