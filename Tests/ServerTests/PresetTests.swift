import NephosTesting
import Testing

extension ServerTests {
    /// The effects of presets on each kind of caller: docs/roles.md, "Presets" and P9.
    @Suite struct PresetTests {
        let container: TestContainer
        let ada: CloudKitClient
        let grace: CloudKitClient

        init() throws {
            container = try freshContainer()
            ada = try container.person("ada@example.org")
            grace = try container.person("grace@example.org", name: "Grace Hopper")
            try container.importSchema(
                ["Item", "Other"].map { TestContainer.recordType($0, [#""___recordID" REFERENCE QUERYABLE"#]) }
                    .joined())
        }

        private func preset(_ arguments: String...) throws {
            let result = try container.cloud.server.command.run(["role", "preset", container.id, "Item"] + arguments)
            try #require(result.status == 0, "\(result)")
        }

        /// The code of an operation on a public record, or `ok`.
        private func change(_ client: CloudKitClient, _ kind: String, _ name: String) throws -> String {
            let body: JSON = ["operations": [operation(kind, name, type: "Item")]]
            let answer = try client.post("records/modify", .public, body).json
            return (answer["serverErrorCode"].string ?? answer["records"][0]["serverErrorCode"].string) ?? "ok"
        }

        /// Whether the record exists for the client, consistently by lookup and by query.
        private func sees(_ client: CloudKitClient, _ name: String) throws -> Bool {
            let isFound = try client.lookUp(name, zone: nil, in: .public)["serverErrorCode"].isAbsent
            #expect(try list(client)?.contains(name) ?? false == isFound, "\(name)")
            return isFound
        }

        /// Names of the records that a query for all of a type finds; nil where it is rejected.
        private func list(_ client: CloudKitClient, type: String = "Item") throws -> [String]? {
            let answer = try client.post("records/query", .public, ["query": ["recordType": .string(type)]])
            guard answer.status == 200 else {
                try expectRefused(answer, "ACCESS_DENIED")
                return nil
            }
            return try answer.json["records"].elements.compactMap { $0["recordName"].string }
        }

        @Test("The world's right to read is removed from one type, and signed-in people still see it (S0-19)")
        func onlyTheSignedInSeeIt() throws {
            let (key, app) = (container.client(.key(try container.key())), container.app)
            #expect(try change(ada, "create", "A") == "ok")
            for client in [app, grace, key, ada] { #expect(try sees(client, "A")) }
            try preset("signed-in")
            expectItem(try app.lookUp("A", zone: nil, in: .public), refusedWith: "ACCESS_DENIED", name: "A")
            #expect(try list(app) == nil)
            #expect(try list(app, type: "Other") == [], "of other types the world reads what it read")
            for client in [grace, key, ada] { #expect(try sees(client, "A")) }
        }

        @Test("Reading for everybody and editing for the author only is one choice (S0-22)")
        func allReadTheAuthorEdits() throws {
            try preset("signed-in")
            try preset("author-edits")
            #expect(try change(ada, "create", "A") == "ok" && change(grace, "create", "B") == "ok")
            for client in [container.app, grace, ada] { #expect(try sees(client, "A") && sees(client, "B")) }
            for kind in ["forceUpdate", "forceReplace", "forceDelete"] {
                #expect(try change(grace, kind, "A") == "ACCESS_DENIED")
            }
            #expect(try change(ada, "forceUpdate", "A") == "ok" && change(ada, "forceDelete", "A") == "ok")
        }

        @Test("In a drop box signed-in people add records and see their own, and a role reads all (S0-65)")
        func dropBox() throws {
            try preset("drop-box", "--role", "Clerk")
            let clerk = try container.person("clerk@example.org")
            try container.cloud.server.command("role", "assign", container.id, "Clerk", "clerk@example.org")
            #expect(try change(ada, "create", "A") == "ok" && change(grace, "create", "B") == "ok")
            // The creator reads and changes their own record, although the world may not.
            #expect(try list(ada) == ["A"] && sees(ada, "A") && change(ada, "forceUpdate", "A") == "ok")
            // Another user neither sees nor changes it.
            #expect(try list(grace) == ["B"] && !sees(grace, "A"))
            for kind in ["forceUpdate", "forceReplace", "forceDelete"] {
                #expect(try change(grace, kind, "A") == "ACCESS_DENIED")
            }
            // An anonymous caller sees nothing, and cannot create anything.
            #expect(try list(container.app) == nil && !sees(container.app, "A"))
            #expect(try change(container.app, "create", "C") == "AUTHENTICATION_REQUIRED")
            // Holders of the role read everything, and cannot change any of it.
            #expect(try list(clerk) == ["A", "B"] && sees(clerk, "A") && sees(clerk, "B"))
            #expect(try change(clerk, "forceUpdate", "A") == "ACCESS_DENIED")
            #expect(try change(ada, "forceDelete", "A") == "ok" && list(clerk) == ["B"])
            #expect(
                try container.cloud.server.command("lint", container.id).isEmpty, "a drop box is there to be filled")
        }
    }
}
