import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md, A1 to A6.
    @Suite struct AuthenticationTests {
        let container: TestContainer

        init() throws { container = try freshContainer() }

        // A3, A5
        @Test func anAppWithoutAPersonIsSentToSignInAndAPersonIsAnswered() throws {
            let refusal = try expectRefused(
                try container.app.get("users/caller", .public), "AUTHENTICATION_REQUIRED")
            #expect(refusal["redirectURL"].string?.hasPrefix("http") == true, "\(refusal)")
            let ada = try container.person("ada@example.org")
            let response = try ada.get("users/caller", .public)
            try expectSuccess(response)
            #expect(response["X-Apple-CloudKit-Web-Auth-Token"]?.isEmpty == false)
            #expect(response["Access-Control-Expose-Headers"]?.contains("X-Apple-CloudKit-Web-Auth-Token") == true)
        }

        // A4
        @Test func theOlderNameOfTheSessionWorksAsWell() throws {
            let token = try container.signIn("ada@example.org")
            let new = container.client(.person(apiToken: container.apiToken, webAuthToken: token))
            let old = container.client(.session(apiToken: container.apiToken, session: token))
            let identities = try [new, old].map { try expectSuccess(try $0.get("users/caller", .public)) }
            #expect(identities[0]["userRecordName"] == identities[1]["userRecordName"])
            #expect(identities[0]["userRecordName"].string != nil)
        }

        // A5
        @Test func everyTokenOfALiveSessionStaysValid() throws {
            var tokens = [try container.signIn("ada@example.org")]
            for _ in 0..<3 {
                let newest = try #require(tokens.last)
                let client = container.client(.person(apiToken: container.apiToken, webAuthToken: newest))
                let response = try client.get("users/caller", .public)
                tokens.append(try #require(response["X-Apple-CloudKit-Web-Auth-Token"]))
            }
            #expect(Set(tokens).count == tokens.count, "a token was not rotated")
            for token in tokens {
                let client = container.client(.person(apiToken: container.apiToken, webAuthToken: token))
                try expectSuccess(try client.get("users/caller", .public))
            }
        }

        // A5
        @Test func errorsOfASignedInPersonCarryTheNextTokenToo() throws {
            let ada = try container.person("ada@example.org")
            let response = try ada.post("records/lookup", .private, ["zoneID": ["zoneName": "Nowhere"], "records": []])
            #expect(response.status != 200)
            #expect(response["X-Apple-CloudKit-Web-Auth-Token"]?.isEmpty == false)
            #expect(try container.app.get("zones/list", .public)["X-Apple-CloudKit-Web-Auth-Token"] == nil)
        }

        // A1
        @Test func nobodyLearnsWhichContainersExist() throws {
            let key = try freshContainer().key()
            let all: [Credentials] = [
                .none, .app(apiToken: "bad"), .app(apiToken: String(repeating: "0", count: 64)),
                .person(apiToken: "bad", webAuthToken: "bad"), .key(key),
            ]
            for credentials in all {
                let answers = try [container.id, "iCloud.nobody"].map { id in
                    let client = CloudKitClient(
                        port: container.cloud.server.port, container: id, credentials: credentials)
                    client.environment = container.environment
                    let paths = ["records/query", "users/caller"]
                    return try paths.map {
                        try expectRefused(try client.post($0, .public, [:]), "AUTHENTICATION_FAILED")
                    }
                    .map { $0["reason"].string }
                }
                #expect(answers[0] == answers[1], "\(credentials)")
            }
            let paths = [
                "POST /asset/1/ID/development/upload", "POST /asset/1/ID/development/upload?t=bad",
                "GET /asset/1/ID/development/a.png", "GET /asset/1/ID/development/a.png?t=bad",
                "GET /device/1/ID/development/aps", "GET /device/1/ID/development/aps?tok=bad",
            ]
            for path in paths {
                let answers = try [container.id, "iCloud.nobody"].map { id in
                    let parts = path.replacing("ID", with: id).split(separator: " ").map(String.init)
                    let connection = try HTTPConnection(port: container.cloud.server.port)
                    let answer = try connection.exchange(HTTPRequest(parts[0], parts[1]))
                    #expect(answer.status == 401, "\(path)")
                    return try JSON(reading: answer.body)["reason"].string
                }
                #expect(answers[0] == answers[1] && answers[0] != nil, "\(path)")
            }
        }

        // A1
        @Test func withoutCredentialsNothingIsAnswered() throws {
            for database in [Database.public, .private] {
                let response = try container.client(.none).get("zones/list", database)
                try expectRefused(response, "AUTHENTICATION_FAILED")
            }
            let web = try container.signIn("ada@example.org")
            let client = container.client(.none)
            client.query = ["ckWebAuthToken=\(web)"]
            try expectRefused(try client.get("zones/list"), "AUTHENTICATION_FAILED")
        }

        // A1, A2
        @Test func anAPITokenIsGoodForItsContainerAndEnvironmentOnly() throws {
            let other = try freshContainer()
            for token in ["", "0", String(repeating: "a", count: 64), other.apiToken] {
                let response = try container.client(.app(apiToken: token)).get("zones/list", .public)
                try expectRefused(response, "AUTHENTICATION_FAILED")
            }
            let production = container.client(.app(apiToken: container.apiToken))
            production.environment = "production"
            try expectRefused(try production.get("zones/list", .public), "AUTHENTICATION_FAILED")
        }

        // A3
        @Test func aWebTokenThatIsWrongAsksForSigningInAgain() throws {
            let token = try container.signIn("ada@example.org")
            let other = try freshContainer().signIn("ada@example.org")
            var altered = Array(token)
            altered[altered.count / 2] = altered[altered.count / 2] == "A" ? "B" : "A"
            for wrong in ["", "x", String(altered), String(token.dropLast()), token + "A", other, "%00"] {
                let client = container.client(.person(apiToken: container.apiToken, webAuthToken: wrong))
                let refusal = try expectRefused(try client.get("zones/list"), "AUTHENTICATION_REQUIRED")
                #expect(refusal["redirectURL"].string != nil)
            }
        }

        // A3
        @Test func thePrivateDatabaseNeedsAPerson() throws {
            let requests: [(String, JSON)] = [
                ("zones/list", [:]), ("zones/lookup", ["zones": []]), ("zones/modify", ["operations": []]),
                ("zones/changes", [:]), ("changes/database", [:]), ("changes/zone", ["zones": []]),
                ("records/lookup", ["records": []]), ("records/modify", ["operations": []]),
                ("records/query", ["query": ["recordType": "Note"]]),
                ("records/changes", ["zoneID": ["zoneName": "Notes"]]),
            ]
            for (path, body) in requests {
                try expectRefused(try container.app.post(path, .private, body), "AUTHENTICATION_REQUIRED")
            }
        }

        // A2, U2
        @Test func aTokenWorksInTheEnvironmentItWasMadeFor() throws {
            let production = try TestContainer(
                id: container.id, environment: "production", cloud: container.cloud)
            let developer = try container.person("ada@example.org")
            let user = try production.person("ada@example.org")
            let names = try [developer, user].map {
                try expectSuccess(try $0.get("users/caller", .public))["userRecordName"].string
            }
            #expect(names[0] != names[1], "a person is somebody else in each environment")
        }
    }
}
