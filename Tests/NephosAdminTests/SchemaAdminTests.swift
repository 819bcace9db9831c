import CloudKitSchema
import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import Testing

/// docs/schema.md, "Commands"; docs/protocol.md G4 to G7.
@Suite("Import, deploy and presets") struct SchemaAdminTests {
    private static let item = """
        CREATE ROLE Admin; RECORD TYPE Item (a STRING, GRANT READ TO "_world", GRANT CREATE, WRITE TO Admin);
        """

    private func file(_ text: String) -> [UInt8] { Array("DEFINE SCHEMA \(text)".utf8) }

    @Test("An import replaces development, and its export is the same file") func importing() async throws {
        let cloud = try Cloud()
        let difference = try await cloud.admin.importSchema(file(Self.item), into: Cloud.development)
        #expect(difference.description.contains("+ role Admin"))
        let export = try cloud.admin.exportSchema(of: Cloud.development)
        #expect(try await cloud.admin.importSchema(export, into: Cloud.development).isEmpty)
        #expect(try cloud.admin.exportSchema(of: Cloud.development) == export)
        try await cloud.importSchema("")
        #expect(try cloud.admin.schema(of: Cloud.development) == .ofNewContainer)
        #expect(try cloud.check().isEmpty)
    }

    @Test("An invalid file changes nothing, and the error has its position") func wrong() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.item)
        let before = try cloud.admin.exportSchema(of: Cloud.development)
        for text in [
            "RECORD TYPE Item (a BOOL);", "RECORD TYPE Item (a INT64);",
            "RECORD TYPE Item (GRANT WRITE TO \"_world\");",
        ] {
            await #expect(throws: AdminError.self) { try await cloud.importSchema(text) }
            #expect(throws: AdminError.self) { try cloud.admin.previewImport(file(text), into: Cloud.development) }
        }
        #expect(try cloud.admin.exportSchema(of: Cloud.development) == before)
    }

    // docs/roles.md P2
    @Test("The world can be granted READ; CREATE and WRITE are rejected with the reason (S0-18)") func world()
        async throws
    {
        let cloud = try Cloud()
        for right in ["CREATE", "WRITE"] {
            let text = "RECORD TYPE Item (GRANT \(right) TO \"_world\");"
            do {
                try await cloud.importSchema(text)
                Issue.record("\(right) was granted")
            } catch let error as AdminError {
                #expect(error.description.contains("\(right) cannot be granted to \"_world\""), "\(error)")
                #expect(error.description.contains("Users who are not signed in can only read"), "\(error)")
            }
        }
        try await cloud.importSchema("RECORD TYPE Item (GRANT READ TO \"_world\");")
        #expect(try cloud.admin.schema(of: Cloud.development)[type: "Item"]?.grants == ["_world": .read])
    }

    @Test("Production accepts no import, and the error names the alternative") func production() async throws {
        let cloud = try Cloud()
        await #expect(throws: AdminError.notInProduction(container: AdminFixture.production.container)) {
            try await cloud.admin.importSchema(file(Self.item), into: AdminFixture.production)
        }
        #expect(throws: AdminError.notInProduction(container: AdminFixture.production.container)) {
            try cloud.admin.previewImport(file(Self.item), into: AdminFixture.production)
        }
    }

    @Test("A deploy adds, changes grants and indexes, and never removes types or fields") func deploying()
        async throws
    {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.item)
        #expect(try cloud.admin.previewDeploy(of: Cloud.container).schema.permissionChanges.count == 3)
        #expect(try cloud.admin.schema(of: AdminFixture.production) == .ofNewContainer, "a preview changes nothing")
        _ = try await cloud.admin.deploySchema(of: Cloud.container)
        #expect(
            try cloud.admin.exportSchema(of: AdminFixture.production)
                == cloud.admin.exportSchema(of: Cloud.development))
        // Development cannot lose what production has.
        await #expect(throws: AdminError.self) { try await cloud.importSchema("") }
        await #expect(throws: AdminError.self) {
            try await cloud.importSchema("RECORD TYPE Item (GRANT READ TO \"_world\");")
        }
        // Grants and indexes may be removed.
        try await cloud.importSchema("RECORD TYPE Item (a STRING QUERYABLE, b INT64, GRANT READ TO \"_icloud\");")
        let difference = try await cloud.admin.deploySchema(of: Cloud.container)
        #expect(difference.schema.changes.count == 2 && difference.schema.losses.isEmpty)
        let item = try #require(try cloud.admin.schema(of: AdminFixture.production)[type: "Item"])
        #expect(item.grants == ["_icloud": .read])
        #expect(try await cloud.admin.deploySchema(of: Cloud.container).isEmpty)
        #expect(try cloud.check().isEmpty)
    }

    // docs/protocol.md G2
    @Test("Production accepts saves of deployed types and fields only") func deployed() async throws {
        let cloud = try Cloud()
        let mary = try await cloud.person("mary@example.org", in: AdminFixture.production)
        #expect(try await mary.modify("create", "x", type: "Item") == "BAD_REQUEST")
        try await cloud.importSchema(
            "RECORD TYPE Item (a STRING, \(Cloud.grants));"
        )
        _ = try await cloud.admin.deploySchema(of: Cloud.container)
        #expect(try await mary.modify("create", "x", type: "Item", fields: #"{"a":{"value":"1"}}"#).contains("1"))
        #expect(try await mary.modify("forceUpdate", "x", fields: #"{"b":{"value":"1"}}"#) == "BAD_REQUEST")
        try await cloud.importSchema(
            "RECORD TYPE Item (a STRING, b STRING, \(Cloud.grants));"
        )
        _ = try await cloud.admin.deploySchema(of: Cloud.container)
        #expect(try await mary.modify("forceUpdate", "x", fields: #"{"b":{"value":"1"}}"#).contains("1"))
    }

    // docs/protocol.md G1
    @Test("A type that a save creates: READ to _world, CREATE to _icloud, WRITE to _creator (S0-8)") func justInTime()
        async throws
    {
        let cloud = try Cloud()
        let ada = try await cloud.person("ada@example.org")
        _ = try await ada.modify("create", "x", type: "Item", fields: #"{"a":{"value":"1"},"n":{"value":1}}"#)
        let item = try #require(try cloud.admin.schema(of: Cloud.development)[type: "Item"])
        #expect(item.grants == ["_world": .read, "_icloud": .create, "_creator": .write])
        #expect(item[field: "a"]?.options == [.queryable, .searchable, .sortable])
        #expect(item[field: "n"]?.options == [.queryable, .sortable])
        #expect(item.systemOptions.isEmpty)
        // An export of it can be imported again.
        let export = try cloud.admin.exportSchema(of: Cloud.development)
        #expect(try await cloud.admin.importSchema(export, into: Cloud.development).isEmpty)
    }

    // docs/schema.md L45
    @Test("In a listable container, types that a save creates can be listed; other types and production are unchanged")
    func listable() async throws {
        let cloud = try Cloud(isListable: true)
        let ada = try await cloud.person("ada@example.org")
        try await cloud.importSchema("RECORD TYPE Written (a STRING, \(Cloud.grants));")
        for type in ["Item", "Other"] {
            _ = try await ada.modify("create", type, type: type, fields: #"{"a":{"value":"1"}}"#)
        }
        func options(_ type: Name, _ tenant: Tenant = Cloud.development) throws -> [Schema.SystemField: Schema.Options]?
        {
            try cloud.admin.schema(of: tenant)[type: type]?.systemOptions
        }
        #expect(try options("Item") == [.recordID: .queryable] && options("Other") == [.recordID: .queryable])
        #expect(try options("Written") == [:] && options("Users") == [:])
        #expect(try ada.refusalOfListing("Item") == nil)
        #expect(try ada.refusalOfListing("Written") == "BAD_REQUEST")
        #expect(try cloud.admin.schema(of: Cloud.development)[type: "Item"]?[field: "a"]?.options.isEmpty == false)
        // It is an ordinary part of the schema: exported, deployed, and removed by an import.
        let export = try cloud.admin.exportSchema(of: Cloud.development)
        #expect(try await cloud.admin.importSchema(export, into: Cloud.development).isEmpty)
        _ = try await cloud.admin.deploySchema(of: Cloud.container)
        #expect(try options("Item", AdminFixture.production) == [.recordID: .queryable])
        try await cloud.importSchema(
            "RECORD TYPE Item (a STRING, \(Cloud.grants)); RECORD TYPE Other (a STRING, \(Cloud.grants)); "
                + "RECORD TYPE Written (a STRING, \(Cloud.grants));")
        #expect(try options("Item") == [:])
        #expect(try cloud.check().isEmpty)
        #expect(try Cloud().check().isEmpty)
    }

    // docs/roles.md, "Presets"
    @Test("Presets replace all grants of a type") func presets() async throws {
        let cloud = try Cloud()
        try await cloud.importSchema(Self.item)
        func grants(_ preset: GrantPreset) async throws -> [Name: Schema.Rights]? {
            _ = try await cloud.admin.apply(preset, to: "Item", in: Cloud.container)
            return try cloud.admin.schema(of: Cloud.development)[type: "Item"]?.grants
        }
        #expect(try await grants(.authorEdits) == ["_world": .read, "_icloud": .create, "_creator": .write])
        #expect(try await grants(.signedIn) == ["_icloud": [.read, .create], "_creator": .write])
        #expect(try await grants(.adminOnly(role: "Editor")) == ["_world": .read, "Editor": [.read, .create, .write]])
        #expect(
            try await grants(.dropBox(role: "Clerk")) == [
                "_icloud": .create, "_creator": [.read, .write], "Clerk": .read,
            ])
        #expect(try cloud.admin.schema(of: Cloud.development).roles == ["Admin", "Clerk", "Editor"])
        for role: Name in ["_world", "", "a\"b"] {
            for preset in [GrantPreset.adminOnly(role: role), .dropBox(role: role)] {
                await #expect(throws: AdminError.self) {
                    try await cloud.admin.apply(preset, to: "Item", in: Cloud.container)
                }
            }
        }
        await #expect(throws: AdminError.noType("None", Cloud.development)) {
            try await cloud.admin.apply(.signedIn, to: "None", in: Cloud.container)
        }
        await #expect(throws: AdminError.self) {
            try await cloud.admin.apply(.signedIn, to: "Users", in: Cloud.container)
        }
    }
}
