import Foundation
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// docs/people.md, "Deleting an account": if a process dies while deleting an account, another one completes the deletion.
@Suite("Killing processes that delete an account", .serialized, .onOwnThreads) struct AccountKillTests {
    private static let email = "ada@example.org"
    private static let records = 3_000

    @Test(
        "The command is killed, then the server repeatedly: in the end nothing identifies the person, and all other data is there"
    )
    func kills() throws {
        let store = try TestStore()
        let server = try ServerProcess(environment: ["NEPHOS_UPKEEP_SECONDS": "86400"], store: store)
        let access = try Access(on: server)
        for person in 0...1 {
            let wire = Wire(access.client(port: server.port, person: person))
            for batch in 0..<(Self.records / 200) {
                let names = (0..<200).map { "\(batch)-\($0)" }
                try wire.modify(
                    names.map { Item.save($0, 1, child: $0 == names[0] ? nil : names[0]) }, .private,
                    zone: Wire.sharedZone)
            }
            try wire.modify([Item.save("public-\(person)", 1)], .public, zone: nil)
        }
        #expect(try server.stop() == .exited(0))
        let engine = try store.open()
        defer { engine.close() }
        let tenant = Tenant(container: access.container, environment: .development)
        let person = try Person(Self.email, engine, tenant)
        let folder = try TemporaryFolder(prefix: "nephos-leaving")
        let command = try server.command.start(
            ["account", "delete", Self.email, "--now", "--yes"], output: folder.path + "/output",
            errors: folder.path + "/errors")
        var (left, deaths) = (Self.records, 0)
        func waitForLess() throws {
            left -= 700
            let isLess = try Deadline().waits { try person.records() <= left }
            try #require(isLess, "nothing goes")
        }
        try waitForLess()
        command.signal(SIGKILL)
        if command.wait() == .signalled(SIGKILL) { deaths += 1 }
        while left > 700 {
            try server.start()
            try waitForLess()
            try server.kill()
            if try engine.account(id: person.account.id) != nil { deaths += 1 }
            try expectClean(server.command)
        }
        try server.start()
        let isGone = try Deadline().waits { try engine.account(id: person.account.id) == nil }
        #expect(isGone)
        print("those who delete an account were killed \(deaths) times")
        #expect(deaths > 0)
        try expectClean(server.command)
        let places = try person.traces(in: store)
        #expect(
            places.subtracting(["event_records.created_by", "event_records.modified_by"])
                == ["records.created_by", "records.modified_by", "tombstones.name"], "\(places.sorted())")
        // Bob's data is unchanged.
        let wire = Wire(access.client(port: server.port, person: 1))
        #expect(try wire.follow(zone: Wire.sharedZone).values.count == Self.records)
        #expect(try wire.lookup(["public-0", "public-1"], .public, zone: nil).count == 2)
        #expect(try server.stop() == .exited(0))
    }
}

/// A user who leaves, and the data that identified them.
struct Person {
    let account: AccountRow
    let user: UserRow
    private let store: any TenantStore

    init(_ email: String, _ engine: any StorageEngine, _ tenant: Tenant) throws {
        account = try #require(try engine.account(email: email))
        store = try #require(try engine.open(tenant))
        user = try #require(try store.rows(UserRow.from([(.account, account.id)])).first)
    }

    /// The number of records in the private database.
    func records() throws -> Int {
        var set = ReadSet()
        set.databases = [user.privateDatabase]
        return Int(try store.read(set).databases[0]?.records ?? 0)
    }

    /// Read before any of their data was deleted, from a folder.
    init(_ email: String, _ folder: String, _ tenant: Tenant) throws {
        let engine = try openEngine(folder: folder, url: nil)
        defer { engine.close() }
        try self.init(email, engine, tenant)
    }

    func traces(inFolder folder: String) throws -> Set<String> {
        try StoredTraces(folder: folder, account: account, user: user).places()
    }

    func traces(in store: TestStore) throws -> Set<String> {
        try StoredTraces(of: store, account: account, user: user).places()
    }
}

#if os(Linux)
    /// The same, at exact moments.
    @Suite("Dying while an account is deleted", .serialized, .onOwnThreads) struct SQLiteAccountDeathTests {
        private static let email = "ada@example.org"

        @Test(
            "A deletion that dies before any change to the disk is completed by a server, and nothing identifies the person"
        )
        func deletion() throws {
            let deaths = try DiskDeaths("nephos-leaving")
            let first = try ServerProcess(data: deaths.prepared)
            let access = try Access(on: first)
            let wire = Wire(access.client(port: first.port, person: 0))
            // With a file.
            try wire.modify((0..<50).map { Item.save("\($0)", 1313) }, .private, zone: nil)
            try wire.modify((0..<5).map { Item.save("\($0)", 1313) }, .public, zone: nil)
            #expect(try first.stop() == .exited(0))
            let arguments = ["account", "delete", Self.email, "--now", "--public", "--yes"]
            let tenant = Tenant(container: access.container, environment: .development)
            let person = try Person(Self.email, deaths.prepared, tenant)
            try deaths.each(in: arguments, most: Options.kills / 2) { moment in
                let engine = try openEngine(folder: deaths.data, url: nil)
                defer { engine.close() }
                let wasThere = try engine.account(email: Self.email) != nil
                let server = try ServerProcess(data: deaths.data)
                // If it died before the first commit, the account still exists and no deletion is pending.
                if wasThere { _ = try server.command.run(arguments) }
                let isGone = try Deadline().waits { try engine.account(email: Self.email) == nil }
                #expect(isGone, "change \(moment)")
                let places = try person.traces(inFolder: deaths.data)
                #expect(
                    places.subtracting(["event_records.created_by", "event_records.modified_by", "tombstones.name"])
                        == [],
                    "change \(moment): \(places.sorted())")
                try expectClean(server.command, "change \(moment)")
            }
        }
    }
#endif
