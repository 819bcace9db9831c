import CloudKitSchema
import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import Testing

/// docs/roles.md.
@Suite("Roles of people") struct RoleTests {
    private static let schema = """
        CREATE ROLE Admin; CREATE ROLE Editor;
        RECORD TYPE Item (a STRING, GRANT READ TO "_world", GRANT READ, CREATE, WRITE TO Admin);
        """

    private func cloud() async throws -> Cloud {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.schema)
        return cloud
    }

    // docs/roles.md P5, P6
    @Test("A role applies to open sessions from its assignment until it is revoked")
    func atOnce() async throws {
        let cloud = try await cloud()
        let mary = try await cloud.person("mary@example.org")
        let john = try await cloud.person("john@example.org")
        #expect(try await mary.modify("create", "x", type: "Item") == "ACCESS_DENIED")
        _ = try await cloud.admin.assignRole("Admin", to: "mary@example.org", in: Cloud.container, [.development])
        #expect(try await mary.modify("create", "x", type: "Item") == "{}")
        #expect(try await john.modify("forceUpdate", "x") == "ACCESS_DENIED")
        #expect(try await john.modify("create", "y", type: "Item") == "ACCESS_DENIED")
        #expect(try await mary.modify("forceUpdate", "x", fields: #"{"a":{"value":"1"}}"#).contains("1"))
        _ = try await cloud.admin.revokeRole("Admin", from: "mary@example.org", in: Cloud.container, [.development])
        #expect(try await mary.modify("forceDelete", "x") == "ACCESS_DENIED")
        #expect(try cloud.check().isEmpty)
    }

    @Test(
        "A role is assigned in both environments at the same time, even before its holder's first visit or the role's deployment"
    )
    func both() async throws {
        let cloud = try await cloud()
        _ = try cloud.admin.createAccount(email: "mary@example.org")
        let changes = try await cloud.admin.assignRole(
            "Admin", to: "MARY@example.org", in: Cloud.container, Environment.allCases)
        #expect(changes.map(\.isNew) == [true, true])
        #expect(changes.map(\.roleIsThere) == [true, false])
        let holders = try cloud.admin.roleHolders(in: Cloud.container)
        try #require(holders.map(\.who) == ["mary@example.org", "mary@example.org"])
        #expect(holders.map { $0.roles.map(\.isThere) } == [[true], [false]])
        #expect(holders.allSatisfy { $0.roles.map(\.name) == ["Admin"] })
        #expect(Set(holders.map(\.userRecordName)).count == 2, "they are another user in each")
        // The user created here is the same one after signing in later.
        let mary = try await cloud.person("mary@example.org")
        #expect(mary.userRecordName == holders[0].userRecordName)
        let inProduction = try await cloud.person("mary@example.org", in: AdminFixture.production)
        #expect(inProduction.userRecordName == holders[1].userRecordName)
        _ = try await cloud.admin.deploySchema(of: Cloud.container)
        #expect(try await inProduction.modify("create", "x", type: "Item") == "{}")
        #expect(try cloud.check().isEmpty)
    }

    @Test("Assigning a held role and revoking a missing one change nothing") func again() async throws {
        let cloud = try await cloud()
        let mary = try await cloud.person("mary@example.org")
        func assign(_ role: String) async throws -> Bool? {
            try await cloud.admin.assignRole(role, to: "mary@example.org", in: Cloud.container, [.development]).first?
                .isNew
        }
        func revoke(_ role: String) async throws -> Bool? {
            try await cloud.admin.revokeRole(role, from: "mary@example.org", in: Cloud.container, [.development]).first?
                .isNew
        }
        #expect(try await revoke("Admin") == false)
        #expect(try await assign("Admin") == true)
        let tag = try mary.record(mary.userRecordName).tagSequence
        #expect(try await assign("Admin") == false)
        #expect(try mary.record(mary.userRecordName).tagSequence == tag)
        #expect(try await assign("Editor") == true)
        #expect(try await revoke("Admin") == true)
        let holders = try cloud.admin.roleHolders(in: Cloud.container, who: "mary@example.org")
        try #require(holders.map { $0.roles.map(\.name) } == [["Editor"], []])
        #expect(holders[1].userRecordName == nil)
    }

    @Test("A server-to-server key can hold a role in its environment") func keys() async throws {
        let cloud = try await cloud()
        let id = try await cloud.admin.generateServerKey(in: Cloud.development) { _ in }
        let changes = try await cloud.admin.assignRole("Admin", to: id, in: Cloud.container, Environment.allCases)
        #expect(changes.map(\.environment) == [.development])
        let user = try #require(try cloud.store().read(.init()).catalog.keys[id]?.user)
        let key = Person(cloud: cloud, tenant: Cloud.development, caller: .serverKey(user))
        #expect(try await key.modify("create", "x", type: "Item") == "{}")
        #expect(try cloud.admin.roleHolders(in: Cloud.container).map(\.who) == [id])
        let unknown = String(repeating: "0", count: 64)
        await #expect(throws: AdminError.noKey(unknown, container: Cloud.container)) {
            try await cloud.admin.assignRole("Admin", to: unknown, in: Cloud.container, [.development])
        }
    }

    @Test("Unknown roles and people are rejected") func unknown() async throws {
        let cloud = try await cloud()
        _ = try cloud.admin.createAccount(email: "mary@example.org")
        for role in ["admin", "_world", ""] {
            await #expect(throws: AdminError.noRole(Name(role), known: ["Admin", "Editor"])) {
                try await cloud.admin.assignRole(role, to: "mary@example.org", in: Cloud.container, [.development])
            }
        }
        await #expect(throws: AdminError.noAccount("x@example.org")) {
            try await cloud.admin.assignRole("Admin", to: "x@example.org", in: Cloud.container, [.development])
        }
    }

    // docs/roles.md P8
    @Test("A removed role grants nothing; recreated, it applies again") func removedRole() async throws {
        let cloud = try await cloud()
        let mary = try await cloud.person("mary@example.org")
        _ = try await cloud.admin.assignRole("Admin", to: "mary@example.org", in: Cloud.container, [.development])
        try await cloud.importSchema(#"RECORD TYPE Item (a STRING, GRANT READ TO "_world");"#)
        #expect(try await mary.modify("create", "x", type: "Item") == "ACCESS_DENIED")
        #expect(try cloud.admin.roleHolders(in: Cloud.container).map { $0.roles.map(\.name) } == [[nil]])
        try await cloud.importSchema(Self.schema)
        #expect(try await mary.modify("create", "x", type: "Item") == "{}")
    }
}

/// docs/roles.md, "Lint".
@Suite("Lint finds roles and grants that are probably a mistake") struct LintTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var schema: String
        var findings: [LintFinding.Kind]
    }

    private static let sorted = #""___createTime" TIMESTAMP SORTABLE, "#
    private static let base = "DEFINE SCHEMA CREATE ROLE Admin; RECORD TYPE T ("

    static let cases = [
        Case(
            testDescription: "the default of a new type is fine",
            schema: #"a STRING, GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator""#,
            findings: [.roleWithoutGrants(role: "Admin")]),
        Case(
            testDescription: "a role guards nothing while everybody may create",
            schema:
                sorted + #"GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO Admin"#,
            findings: [.roleGuardsNothing(role: "Admin", type: "T")]),
        Case(
            testDescription: "nor while everybody may write",
            schema:
                sorted + #"GRANT READ TO "_world", GRANT WRITE TO "_icloud", GRANT CREATE TO Admin"#,
            findings: [.roleGuardsNothing(role: "Admin", type: "T")]),
        Case(
            testDescription: "content that only the role writes is fine once it can be sorted",
            schema:
                #""___modTime" TIMESTAMP SORTABLE, p TIMESTAMP, GRANT READ TO "_world", GRANT CREATE, WRITE TO Admin"#,
            findings: []),
        Case(
            testDescription: "content by time needs the index",
            schema: #"publishedAt TIMESTAMP QUERYABLE, GRANT READ TO "_world", GRANT CREATE, WRITE TO Admin"#,
            findings: [
                .sortWithoutIndex(type: "T", field: "___modTime"), .sortWithoutIndex(type: "T", field: "publishedAt"),
            ]),
        Case(
            testDescription: "what nobody else reads is sorted by nobody",
            schema: "publishedAt TIMESTAMP, GRANT READ, CREATE, WRITE TO Admin", findings: []),
        Case(
            testDescription: "a role that reads, and everybody fills",
            schema: #"GRANT CREATE TO "_icloud", GRANT READ TO Admin"#,
            findings: [.anyoneMayCreate(type: "T")]),
        Case(
            testDescription: "a drop box is there to be filled",
            schema: #"GRANT CREATE TO "_icloud", GRANT READ, WRITE TO "_creator", GRANT READ TO Admin"#, findings: []),
        Case(
            testDescription: "everybody edits everything",
            schema: #"GRANT READ, CREATE, WRITE TO "_icloud""#,
            findings: [.anyoneMayWrite(type: "T"), .roleWithoutGrants(role: "Admin")]),
        Case(
            testDescription: "who creates cannot read",
            schema: #"GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator""#,
            findings: [.creatorCannotRead(type: "T"), .roleWithoutGrants(role: "Admin")]),
        Case(
            testDescription: "who creates reads own records only",
            schema: #"GRANT CREATE TO "_icloud", GRANT READ, WRITE TO "_creator""#,
            findings: [.roleWithoutGrants(role: "Admin")]),
        Case(
            testDescription: "CREATE for the creator",
            schema: #"GRANT READ TO "_world", GRANT CREATE, WRITE TO "_creator""#,
            findings: [.createForCreator(type: "T"), .roleWithoutGrants(role: "Admin")]),
    ]

    @Test(arguments: cases) func findings(_ scenario: Case) throws {
        let schema = try Schema(file: Array("\(Self.base)\(scenario.schema));".utf8)[...])
        #expect(Lint(schema, held: ["Admin"]).findings.map(\.kind) == scenario.findings)
    }

    @Test("A role without holders is found, until it has one") func holders() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(
            "CREATE ROLE Admin; RECORD TYPE T (\(Self.sorted)GRANT READ TO \"_world\", GRANT WRITE TO Admin);"
        )
        #expect(try cloud.admin.lint(Cloud.development).map(\.kind) == [.roleWithoutHolders(role: "Admin")])
        _ = try cloud.admin.createAccount(email: "mary@example.org")
        _ = try await cloud.admin.assignRole("Admin", to: "mary@example.org", in: Cloud.container, [.development])
        #expect(try cloud.admin.lint(Cloud.development).isEmpty)
    }

    @Test("Advice names a person by EMAIL, and a key by KEY-ID where only keys exist")
    func holderWords() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(
            "CREATE ROLE Admin; RECORD TYPE T (\(Self.sorted)GRANT READ TO \"_world\", GRANT WRITE TO Admin);"
        )
        func remedy() async throws -> String? {
            let inputs = ["container": [Cloud.container]]
            let answer = try await ScriptedCall(cloud.fixture).run("lint", of: UseCaseGroup(.lint), inputs)
            guard case .table(_, let rows)? = answer.parts.first else { return nil }
            return rows.first?.last
        }
        let assign = "press role assign \(Cloud.container) Admin"
        #expect(try await remedy() == "\(assign) EMAIL")
        let key = try await cloud.admin.generateServerKey(in: Cloud.development) { _ in }
        #expect(try await remedy() == "\(assign) KEY-ID")
        _ = try await cloud.person("mary@example.org")
        #expect(try await remedy() == "\(assign) EMAIL-OR-KEY-ID")
        try await cloud.admin.revoke(.key, key, in: Cloud.development)
        #expect(try await remedy() == "\(assign) EMAIL")
    }

    @Test("A new container has no findings") func newContainer() throws {
        #expect(Lint(.ofNewContainer, held: []).findings.isEmpty)
    }
}
