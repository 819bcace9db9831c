import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, U1 to U3.
    @Suite struct UserTests {
        let container: TestContainer
        let ada: CloudKitClient

        init() throws {
            container = try freshContainer()
            ada = try container.person("ada@example.org")
        }

        private func name(_ client: CloudKitClient) throws -> String {
            try #require(try client.answer("users/caller", in: .public)["userRecordName"].string)
        }

        @Test func theCallerIsAnsweredInBothShapes() throws {
            let identity = try expectSuccess(try ada.get("users/caller", .public))
            let name = try #require(identity["userRecordName"].string)
            #expect(name.wholeMatch(of: #/_[0-9a-f]{32}/#) != nil, "\(name)")
            #expect(identity["users"].elements.count == 1)
            #expect(identity["users"][0]["userRecordName"] == .string(name))
        }

        @Test func theOlderEndpointAnswersAUser() throws {
            let user = try expectSuccess(try ada.get("users/current", .public))
            #expect(user["userRecordName"] == .string(try name(ada)))
            try expectRefused(try container.app.get("users/current", .public), "AUTHENTICATION_REQUIRED")
        }

        @Test func aPersonIsTheSameInEverySessionAndAnotherInEveryContainer() throws {
            let token = try container.session("ada@example.org")
            let again = container.client(.person(apiToken: container.apiToken, webAuthToken: token))
            #expect(try name(again) == (try name(ada)))
            #expect(try name(freshContainer().person("ada@example.org")) != (try name(ada)))
            #expect(try name(container.person("grace@example.org")) != (try name(ada)))
        }

        @Test func aUserHasARecordOfTheirOwn() throws {
            let name = try name(ada)
            expectRecord(try ada.lookUp(name, zone: nil, in: .public), name: name, type: "Users", fields: [:])
            let saved = try ada.modify(
                operation("forceUpdate", name, type: "Users", fields: ["nick": ["value": "Countess"]]),
                zone: nil, in: .public)
            let fields: JSON = ["nick": ["value": "Countess", "type": "STRING"]]
            expectRecord(saved, name: name, type: "Users", fields: fields)
            expectRecord(try ada.lookUp(name, zone: nil, in: .public), name: name, type: "Users", fields: fields)
        }

        @Test func nobodyMakesDeletesOrPromotesUsers() throws {
            let grace = try name(container.person("grace@example.org"))
            let own = try name(ada)
            let made = try ada.modify(
                operation("create", "_0123456789abcdef0123456789abcdef", type: "Users"), zone: nil, in: .public)
            #expect(["ACCESS_DENIED", "BAD_REQUEST"].contains(made["serverErrorCode"].string), "\(made)")
            let named = try ada.modify(operation("create", "someone", type: "Users"), zone: nil, in: .public)
            #expect(["ACCESS_DENIED", "BAD_REQUEST"].contains(named["serverErrorCode"].string), "\(named)")
            for name in [own, grace] {
                let gone = try ada.modify(operation("forceDelete", name, type: "Users"), zone: nil, in: .public)
                #expect(["ACCESS_DENIED", "BAD_REQUEST"].contains(gone["serverErrorCode"].string), "\(gone)")
            }
            let roles: JSON = ["roles": ["value": [1], "type": "INT64_LIST"]]
            let promoted = try ada.modify(
                operation("forceUpdate", own, type: "Users", fields: roles), zone: nil, in: .public)
            #expect(["ACCESS_DENIED", "BAD_REQUEST"].contains(promoted["serverErrorCode"].string), "\(promoted)")
            expectItem(
                try ada.modify(
                    operation("forceUpdate", grace, type: "Users", fields: ["nick": ["value": "x"]]), zone: nil,
                    in: .public),
                refusedWith: "ACCESS_DENIED")
            expectRecord(try ada.lookUp(own, zone: nil, in: .public), name: own, type: "Users", fields: [:])
        }
    }

    /// docs/protocol.md, SR1, SR2 and A3.
    @Suite struct PublicDatabaseTests {
        let notes: Notes

        init() throws { notes = try Notes() }

        @Test("A published record is readable without an account, with an API token only (S0-10)")
        func anybodyReadsWhatAPersonPublished() throws {
            try notes.container.importSchema(
                TestContainer.recordType("Note", [#""___recordID" REFERENCE QUERYABLE"#, "t STRING"]))
            try notes.ada.create("A", fields: ["t": ["value": "x"]], zone: nil, in: .public)
            for client in [
                notes.container.app, try notes.grace(), notes.container.client(.key(try notes.container.key())),
            ] {
                expectRecord(
                    try client.lookUp("A", zone: nil, in: .public), name: "A",
                    fields: ["t": ["value": "x", "type": "STRING"]])
                let query: JSON = ["query": ["recordType": "Note"]]
                #expect(try client.answer("records/query", query, in: .public)["records"].elements.count == 1)
            }
        }

        @Test func writingNeedsAPerson() throws {
            let body: JSON = ["operations": [operation("create", "A")]]
            let refusal = try expectRefused(
                try notes.container.app.post("records/modify", .public, body), "AUTHENTICATION_REQUIRED")
            #expect(refusal["redirectURL"].string != nil)
        }

        @Test("A record can be restricted to changes by its creator (S0-21)")
        func onlyTheCreatorChangesARecord() throws {
            let tag = try notes.ada.create("A", fields: ["t": ["value": "x"]], zone: nil, in: .public)
            let grace = try notes.grace()
            for type in ["update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"] {
                let item = try grace.modify(
                    operation(type, "A", tag: type.hasPrefix("force") ? nil : tag), zone: nil, in: .public)
                expectItem(item, refusedWith: "ACCESS_DENIED", name: "A")
            }
            expectRecord(try notes.ada.modify(operation("update", "A", tag: tag), zone: nil, in: .public), name: "A")
            #expect(try notes.ada.modify(operation("delete", "A"), zone: nil, in: .public)["deleted"] == true)
        }

        @Test("A container has one public database, which is the same for everybody (S0-7)")
        func thePublicDatabaseIsOneForAll() throws {
            try notes.ada.create("A", zone: nil, in: .public)
            let item = try notes.grace().modify(operation("create", "A"), zone: nil, in: .public)
            expectItem(item, refusedWith: "EXISTS", name: "A")
            expectItem(try notes.ada.lookUp("A", zone: nil), refusedWith: "NOT_FOUND")
        }
    }
}
