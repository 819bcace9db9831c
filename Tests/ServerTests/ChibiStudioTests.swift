import NephosRunner
import NephosTesting
import Testing

extension ServerTests {
    /// The scenario of an app with feature flags and published content, as described by its developer: everyone reads, and only an
    /// admin publishes. docs/roles.md; docs/protocol.md G1, SR1 to SR3, U4.
    @Suite("ChibiStudio: flags and content that only an admin writes") struct ChibiStudioTests {
        private static let types = ["AppFeatures", "PublishedChibi"]

        let container: TestContainer
        /// The user who becomes the admin.
        let ada: CloudKitClient
        /// Another user, with the same build of the app.
        let grace: CloudKitClient

        init() throws {
            container = try freshContainer()
            ada = try container.person("ada@example.org")
            grace = try container.person("grace@example.org", name: "Grace Hopper")
        }

        private func nephos(_ arguments: String...) throws -> CommandResult {
            try container.cloud.server.command.run(arguments)
        }

        /// The code of an operation in the public database, or `ok`.
        private func publish(
            _ client: CloudKitClient, _ name: String, as kind: String = "create", type: String = "PublishedChibi",
            fields: JSON = [:], more: JSON = [:]
        ) throws -> String {
            var operation = operation(kind, name, type: type, fields: fields)
            for member in more.members { operation["record"][member.name] = member.value }
            let item = try client.modify(operation, zone: nil, in: .public, with: more)
            return item["serverErrorCode"].string ?? "ok"
        }

        private func name(_ client: CloudKitClient) throws -> String {
            try #require(try client.answer("users/caller", in: .public)["userRecordName"].string)
        }

        /// The schema of development after the app's first saves, with the role `Admin` and the grants that readers need.
        private func declare(admin: String = "GRANT READ, CREATE, WRITE TO Admin") throws {
            let types = Self.types.map { type in
                """
                    RECORD TYPE \(type) (
                        "___recordID" REFERENCE QUERYABLE,
                        "___modTime" TIMESTAMP QUERYABLE SORTABLE,
                        publishedAt TIMESTAMP QUERYABLE SORTABLE,
                        chibi BYTES,
                        tipJar INT64 QUERYABLE,
                        GRANT WRITE TO "_creator",
                        GRANT CREATE TO "_icloud",
                        GRANT READ TO "_world",
                        \(admin)
                    );
                """
            }
            let folder = try TemporaryFolder(prefix: "nephos-chibi")
            let text = "DEFINE SCHEMA\n    CREATE ROLE Admin;\n\(types.joined(separator: "\n"))\n"
            try writeFile(folder.path + "/schema.ckdb", text.utf8)
            try container.cloud.server.command("schema", "import", container.id, folder.path + "/schema.ckdb")
        }

        private func protect() throws {
            for type in Self.types {
                try container.cloud.server.command("role", "preset", container.id, type, "admin-only")
            }
            try container.cloud.server.command("role", "assign", container.id, "Admin", "ada@example.org")
        }

        // G1
        @Test("A new type: _world can read, _icloud can create only, _creator can write (S0-8, S0-17, S0-20)")
        func exactDefault() throws {
            #expect(try publish(ada, "A") == "ok")
            let schema = try nephos("schema", "export", container.id).output
            #expect(
                schema.contains(
                    """
                            GRANT WRITE TO "_creator",
                            GRANT CREATE TO "_icloud",
                            GRANT READ TO "_world"
                        );

                        RECORD TYPE Users (
                    """), "\(schema)")
            for client in [container.app, grace, ada] {
                expectRecord(try client.lookUp("A", zone: nil, in: .public), name: "A", type: "PublishedChibi")
            }
            #expect(try publish(grace, "A", as: "forceUpdate") == "ACCESS_DENIED")
            #expect(try publish(grace, "A", as: "forceDelete") == "ACCESS_DENIED")
            #expect(try publish(grace, "B") == "ok")
            #expect(try publish(ada, "A", as: "forceUpdate") == "ok")
        }

        // docs/roles.md P3: the creator reads by the world's grant, and not without it.
        @Test("If the world cannot read, neither can the creator, and lint reports it")
        func creatorReadsThroughTheWorld() throws {
            let folder = try TemporaryFolder(prefix: "nephos-chibi")
            let text =
                #"DEFINE SCHEMA RECORD TYPE PublishedChibi (GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator");"#
            try writeFile(folder.path + "/schema.ckdb", text.utf8)
            try container.cloud.server.command("schema", "import", container.id, folder.path + "/schema.ckdb")
            #expect(try publish(ada, "A") == "ok")
            expectItem(try ada.lookUp("A", zone: nil, in: .public), refusedWith: "ACCESS_DENIED")
            #expect(try publish(ada, "A", as: "forceUpdate") == "ok")
            let lint = try nephos("lint", container.id)
            #expect(lint.status == 1)
            #expect(lint.output.contains("PublishedChibi  the creator of a record can change it but cannot read it"))
        }

        @Test("Lint reports a type that a role only partly protects, and one step restricts it to the role (S0-25)")
        func theRoleAloneProtectsNothing() throws {
            try declare()
            try container.cloud.server.command("role", "assign", container.id, "Admin", "ada@example.org")
            #expect(try publish(grace, "graffiti") == "ok")
            #expect(try publish(grace, "graffiti", as: "forceUpdate") == "ok")
            let lint = try nephos("lint", container.id)
            #expect(lint.status == 1)
            for type in Self.types {
                let remedy = "nephos role preset \(container.id) \(type) admin-only --role Admin"
                #expect(lint.output.contains("error     \(type)"), "\(lint.output)")
                #expect(lint.output.contains(remedy), "\(lint.output)")
                let step = remedy.split(separator: " ").dropFirst().map(String.init)
                #expect(try container.cloud.server.command.run(step).status == 0)
            }
            #expect(try nephos("lint", container.id).status == 0)
            for (kind, name) in [("create", "more"), ("forceUpdate", "graffiti"), ("forceDelete", "graffiti")] {
                #expect(try publish(grace, name, as: kind) == "ACCESS_DENIED")
                #expect(try publish(ada, name, as: kind) == "ok")
            }
        }

        @Test("After the preset only an admin publishes, and everybody reads the newest first")
        func onlyTheAdmin() throws {
            try declare()
            #expect(try publish(grace, "graffiti") == "ok")
            try protect()
            #expect(try nephos("lint", container.id).status == 0)
            let key = container.client(.key(try container.key()))
            for type in Self.types {
                for client in [grace, key] {
                    #expect(try publish(client, "x", type: type) == "ACCESS_DENIED")
                }
                #expect(try publish(ada, "\(type)1", type: type, fields: ["tipJar": ["value": 0]]) == "ok")
                // Records saved within one millisecond are equally new.
                let saved = WallClock.now()
                while WallClock.now() == saved {}
                #expect(try publish(ada, "\(type)2", type: type, fields: ["tipJar": ["value": 1]]) == "ok")
            }
            // Records that another user created before are no longer theirs to change, and the admin removes them.
            #expect(try publish(grace, "graffiti", as: "forceUpdate") == "ACCESS_DENIED")
            #expect(try publish(grace, "graffiti", as: "forceDelete") == "ACCESS_DENIED")
            #expect(try publish(ada, "graffiti", as: "forceDelete") == "ok")

            let newest: JSON = [
                "query": [
                    "recordType": "AppFeatures",
                    "sortBy": [["systemFieldName": "modifiedTimestamp", "ascending": false]],
                ], "resultsLimit": 1,
            ]
            for client in [container.app, grace, key, ada] {
                let records = try client.answer("records/query", newest, in: .public)["records"].elements
                #expect(records.map { $0["recordName"] } == ["AppFeatures2"])
                #expect(records.first?["fields"]["tipJar"]["value"] == 1)
            }
            let anonymous = try container.app.post(
                "records/modify", .public, ["operations": [operation("create", "y", type: "AppFeatures")]])
            try expectRefused(anonymous, "AUTHENTICATION_REQUIRED")
        }

        // U4
        @Test("Nobody can promote themselves, and the admin's build can change nothing in other hands (S0-34, S0-63)")
        func noPromotion() throws {
            try declare()
            try protect()
            let own = try name(grace)
            let adas = try ada.lookUp(try name(ada), zone: nil, in: .public)
            let roles = adas["fields"]["roles"]["value"]
            #expect(roles.elements.count == 1, "\(adas)")
            let attempts: [JSON] = [
                ["roles": ["value": roles, "type": "INT64_LIST"]], ["roles": ["value": roles]], ["roles": .null],
                ["roles": ["value": [1, 2, 3]]], ["nick": ["value": "G"], "roles": ["value": roles]],
            ]
            for fields in attempts {
                for kind in ["update", "forceUpdate", "replace", "forceReplace", "create"] {
                    let tag = try #require(try grace.lookUp(own, zone: nil, in: .public)["recordChangeTag"].string)
                    let item = try grace.modify(
                        operation(kind, own, type: "Users", tag: kind.hasPrefix("force") ? nil : tag, fields: fields),
                        zone: nil, in: .public)
                    #expect(["BAD_REQUEST", "EXISTS"].contains(item["serverErrorCode"].string), "\(kind) \(fields)")
                }
            }
            // A body that names roles, and another user as the creator.
            for more: JSON in [
                ["roles": roles, "role": "Admin", "securityRoles": ["Admin"]],
                ["created": ["userRecordName": adas["recordName"], "timestamp": 1]],
                ["modified": ["userRecordName": adas["recordName"]]],
            ] {
                #expect(try publish(grace, "x", more: more) == "ACCESS_DENIED", "\(more)")
                #expect(try publish(grace, own, as: "forceUpdate", type: "Users", more: more) == "ok", "\(more)")
            }
            for field in ["___createdBy", "creatorUserRecordID", "createdUserRecordName"] {
                var fields: JSON = [:]
                fields[field] = ["value": adas["recordName"]]
                #expect(["ACCESS_DENIED", "BAD_REQUEST"].contains(try publish(grace, "x", fields: fields)), "\(field)")
            }
            // No other user may change the admin's record or replace it.
            let adaName = try #require(adas["recordName"].string)
            #expect(try publish(grace, adaName, as: "forceUpdate", type: "Users", fields: [:]) == "ACCESS_DENIED")
            #expect(
                ["BAD_REQUEST", "ACCESS_DENIED"].contains(try publish(grace, adaName, as: "forceDelete", type: "Users"))
            )
            // After all that, Grace has the same rights as before, and the functions of the admin's build work for Ada only.
            #expect(try grace.lookUp(own, zone: nil, in: .public)["fields"] == [:])
            for type in Self.types {
                #expect(try publish(grace, "Friday", type: type) == "ACCESS_DENIED")
                #expect(try publish(ada, "\(type)Friday", type: type) == "ok")
            }
            // Ada replaces her record, and remains the admin.
            #expect(try publish(ada, adaName, as: "forceReplace", type: "Users") == "ok")
            #expect(try publish(ada, "Saturday") == "ok")
        }

        // SR3
        @Test("Roles are deployed with the schema, and assigned once for both environments (S0-29, S0-31)")
        func production() throws {
            try declare()
            try protect()
            let deploy = try nephos("schema", "deploy", container.id, "--dry-run").output
            #expect(deploy.contains("Permissions:\n"), "\(deploy)")
            #expect(deploy.contains("+ grant READ, CREATE, WRITE to Admin on PublishedChibi"), "\(deploy)")
            try container.cloud.server.command("schema", "deploy", container.id)
            let there = try TestContainer(id: container.id, environment: "production", cloud: container.cloud)
            let ada = try there.person("ada@example.org")
            let grace = try there.person("grace@example.org", name: "Grace Hopper")
            #expect(try name(ada) != name(self.ada))
            #expect(try publish(ada, "A") == "ok")
            #expect(try publish(grace, "B") == "ACCESS_DENIED")
            expectRecord(try there.app.lookUp("A", zone: nil, in: .public), name: "A", type: "PublishedChibi")
            try container.cloud.server.command(
                "role", "revoke", container.id, "Admin", "ada@example.org", "--environment", "production")
            #expect(try publish(ada, "C") == "ACCESS_DENIED")
            #expect(try publish(self.ada, "C") == "ok", "development is another world")
            #expect(try nephos("check", container.id).status == 0)
        }

        // T1, T4
        @Test("Nobody can remove a whole data set: the default zone stays, and deleted records are restored (S0-9)")
        func nothingIsLost() throws {
            try declare()
            try protect()
            #expect(try publish(ada, "A", fields: ["tipJar": ["value": 1]]) == "ok")
            for client in [ada, grace, container.client(.key(try container.key()))] {
                let body: JSON = [
                    "operations": [
                        ["operationType": "delete", "zone": ["zoneID": ["zoneName": "_defaultZone"]]]
                    ]
                ]
                try expectRefused(try client.post("zones/modify", .public, body), "BAD_REQUEST")
            }
            #expect(try publish(ada, "A", as: "forceDelete") == "ok")
            expectItem(try ada.lookUp("A", zone: nil, in: .public), refusedWith: "NOT_FOUND")
            #expect(try nephos("trash", "list", container.id).output.contains(try name(ada)))
            try container.cloud.server.command("trash", "restore", container.id, "A")
            let back = try grace.lookUp("A", zone: nil, in: .public)
            expectRecord(back, name: "A", type: "PublishedChibi", fields: ["tipJar": ["value": 1, "type": "INT64"]])
            #expect(back["created"]["userRecordName"] == .string(try name(ada)))
        }
    }
}
