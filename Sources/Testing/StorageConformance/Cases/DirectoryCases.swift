import CloudKitWire
import NephosStorage

extension StorageCase {
    static let directories: [StorageCase] = [
        containersAreListed, aDeletedContainerIsGone, accounts, accountPages, catalogVersions, closedEngine,
    ]

    static let containersAreListed = StorageCase(
        "containers are listed, created once, and opened only if they exist"
    ) { tenant in
        let engine = tenant.engine
        let row = ContainerRow(id: "iCloud.org.example.another", createdAt: 42)
        try expectEqual(try engine.open(tenantOf(row.id)) == nil, true, "that an unknown container does not exist")
        try engine.createContainer(row, seeds: Environment.allCases.map { seed(row.id, $0) })
        let rows = try engine.containers()
        try expectEqual(Set(rows.map(\.id)), [TestTenant.container, row.id], "the containers")
        try expect(rows.contains(row), "the row of the new container was returned differently")
        try await expectFailure(StorageError.exists, "a container with a name that is taken") {
            try engine.createContainer(row, seeds: Environment.allCases.map { seed(row.id, $0) })
        }
        try expect(engine.opened(tenantOf(row.id)) == nil, "a container is open that was not opened")
        let store = try unwrap(try engine.open(tenantOf(row.id)), "the new container")
        try expect(engine.opened(tenantOf(row.id)) === store, "the open container is another")
        try expectEqual(try store.check { _, _ in }, [], "the check of the new container")
        try expectEqual(try engine.checkDirectory(), [], "the check of the directory")
    }

    static let aDeletedContainerIsGone = StorageCase(
        "a deleted container is gone for every engine, even one that has it open"
    ) { tenant in
        let other = try tenant.secondEngine()
        try await tenant.publicDatabase.defaultZone.save("a")
        let stores = [tenant.store, other.store]
        try other.engine.deleteContainer(TestTenant.container, at: 9)
        for store in stores {
            try await expectFailure(StorageError.noSuchTenant, "a read") { _ = try store.read(ReadSet()) }
            try await expectFailure(StorageError.noSuchTenant, "a commit") {
                try await store.commit(ReadSet()) { _ in .write(WriteSet(), ()) }
            }
        }
        for engine in [tenant.engine, other.engine] {
            try expect(try engine.open(tenant.name) == nil, "a deleted container can be opened")
            try expectEqual(try engine.containers(), [], "the containers")
            try await expectFailure(StorageError.noSuchTenant, "a second deletion") {
                try engine.deleteContainer(TestTenant.container, at: 10)
            }
        }
        // A new container with the same name starts empty.
        try tenant.engine.createContainer(
            ContainerRow(id: TestTenant.container, createdAt: 11), seeds: Environment.allCases.map(TestTenant.seed))
        try tenant.reopen()
        try expectEqual(try tenant.publicDatabase.defaultZone.record("a"), nil, "a record of the deleted container")
    }

    static let accounts = StorageCase(
        "an account is found by email and by id; an email belongs to one account"
    ) { tenant in
        let engine = tenant.engine
        let row = AccountRow(
            id: "6F0A", email: "jose\u{301}@example.org", givenName: "Jose\u{301}", familyName: "O'Neil \u{1F600}",
            createdAt: 7)
        try engine.createAccount(row)
        var other = row
        other.id = "6F0B"
        try await expectFailure(StorageError.exists, "an account of a taken email") { try engine.createAccount(other) }
        other.email = "jos\u{E9}@example.org"
        try engine.createAccount(other)
        try tenant.restart()
        try expectEqual(try tenant.engine.account(email: row.email), row, "the account of an email")
        try expectEqual(try tenant.engine.account(id: other.id), other, "the account of an id")
        try expectEqual(try tenant.engine.account(email: "nobody@example.org"), nil, "an unknown email")
        try expectEqual(try tenant.engine.account(id: "NONE"), nil, "an unknown id")
        try expectEqual(try tenant.engine.checkDirectory(), [], "the check of the directory")
    }

    static let accountPages = StorageCase("accounts are listed by email, page by page") { tenant in
        let engine = tenant.engine
        // Sorted after accounts of other cases in a shared store.
        try expectEqual(try engine.accounts(after: "zz", limit: 9), [], "no accounts")
        let rows = ["c", "a", "d", "b"].map {
            AccountRow(id: "ID-\($0)", email: "zz-\($0)@example.org", givenName: $0, familyName: "", createdAt: 1)
        }
        for row in rows { try engine.createAccount(row) }
        let sorted = rows.sorted { $0.email < $1.email }
        try expectEqual(try engine.accounts(after: "zz", limit: 3), Array(sorted[..<3]), "the first page")
        try expectEqual(try engine.accounts(after: sorted[2].email, limit: 3), [sorted[3]], "the next")
        try expectEqual(try engine.accounts(after: sorted[3].email, limit: 3), [], "after the last")
        try expectEqual(try engine.accounts(after: "zz-bb", limit: 1), [sorted[2]], "after an invalid email")
    }

    static let catalogVersions = StorageCase(
        "the versions of catalogs are those of the newest commits, for all containers, whoever wrote them"
    ) { tenant in
        let other = try tenant.secondEngine()
        let production = Tenant(container: TestTenant.container, environment: .production)
        let nobody = Tenant(container: "iCloud.nobody", environment: .production)
        func versions() throws -> [Tenant: Int64] {
            try tenant.engine.news(of: [tenant.name: [], nobody: [], production: []]).mapValues(\.catalogVersion)
        }
        try expectEqual(try versions(), [tenant.name: 1, production: 1], "at first")
        let token = APITokenRow(hash: Array(repeating: 1, count: 32), name: "t", createdAt: 1)
        try await other.store.commit(ReadSet()) { _ in
            var writes = WriteSet()
            writes.catalog = [CatalogWrite(new: .token(token))]
            return .write(writes, ())
        }
        try expectEqual(try versions(), [tenant.name: 2, production: 1], "when another engine wrote")
        try expectEqual(try tenant.engine.news(of: [:]), [:], "of no container")
        try other.engine.deleteContainer(TestTenant.container, at: 9)
        try expectEqual(try versions(), [:], "after the container was deleted")
        try tenant.engine.createContainer(
            ContainerRow(id: TestTenant.container, createdAt: 11), seeds: Environment.allCases.map(TestTenant.seed))
        try tenant.reopen()
    }

    static let closedEngine = StorageCase("a closed engine rejects work, and does not hang") { tenant in
        let other = try tenant.secondEngine()
        let store = other.store
        other.engine.close()
        try await expectFailure(StorageError.closed, "a list of a closed engine") { _ = try other.engine.containers() }
        try await expectFailure(StorageError.closed, "a commit to a closed engine") {
            try await store.commit(ReadSet()) { _ in .write(WriteSet(), ()) }
        }
        try await expectFailure(StorageError.closed, "a read of a closed engine") { _ = try store.read(ReadSet()) }
        try await tenant.publicDatabase.defaultZone.save("a")
    }
}

private func tenantOf(_ container: String) -> Tenant { Tenant(container: container, environment: .production) }

private func seed(_ container: String, _ environment: Environment) -> TenantSeed {
    var seed = TestTenant.seed(environment)
    seed.head.tenant = Tenant(container: container, environment: environment)
    return seed
}
