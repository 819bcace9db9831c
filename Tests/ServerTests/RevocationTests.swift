import NephosTesting
import Testing

extension ServerTests {
    /// docs/protocol.md A7, K6, U12: a revoked credential is invalid from the next request on.
    @Suite struct RevocationTests {
        let container: TestContainer

        init() throws { container = try freshContainer() }

        private func nephos(_ arguments: String...) throws -> CommandResult {
            let result = try container.cloud.server.command.run(arguments)
            try #require(result.status == 0, "\(arguments): \(result)")
            return result
        }

        private func ids(_ kind: String) throws -> [String] { try container.ids(kind) }

        @Test("A7: a revoked session ends, and other sessions of the same person stay") func session() throws {
            let first = try container.person("ada@example.org")
            try expectSuccess(try first.get("users/caller", .public))
            let second = container.client(
                .person(apiToken: container.apiToken, webAuthToken: try container.session("ada@example.org")))
            let rotated = try #require(
                try first.get("users/caller", .public)["X-Apple-CloudKit-Web-Auth-Token"])
            // Newest first.
            let id = try #require(try ids("session").last)
            _ = try nephos("session", "revoke", container.id, id)
            for client in [first, container.client(.person(apiToken: container.apiToken, webAuthToken: rotated))] {
                try expectRefused(try client.get("users/caller", .public), "AUTHENTICATION_REQUIRED")
            }
            try expectSuccess(try second.get("users/caller", .public))
        }

        @Test("A7: all sessions of a person are revoked, in all containers or in one") func all() throws {
            let other = try freshContainer()
            let email = "\(container.id)@example.org"
            let clients = try [
                container.person(email), container.person(email), other.person(email),
                container.person("b@example.org"),
            ]
            for client in clients { try expectSuccess(try client.get("users/caller", .public)) }
            _ = try nephos("session", "revoke", "--all", email, other.id)
            try expectRefused(try clients[2].get("users/caller", .public), "AUTHENTICATION_REQUIRED")
            for client in [clients[0], clients[1]] { try expectSuccess(try client.get("users/caller", .public)) }
            let note = try nephos("session", "revoke", "--all", email).errors
            #expect(note.contains("\(container.id)/development: 2 sessions and 0 devices."), "\(note)")
            for client in clients.dropLast() {
                try expectRefused(try client.get("users/caller", .public), "AUTHENTICATION_REQUIRED")
            }
            try expectSuccess(try clients[3].get("users/caller", .public))
            // A user who signs in again has access.
            try expectSuccess(try container.person(email).get("users/caller", .public))
        }

        @Test("A7: a revoked API token is rejected even with a session, which works with another token") func token()
            throws
        {
            let web = try container.signIn("ada@example.org")
            let ada = container.client(.person(apiToken: container.apiToken, webAuthToken: web))
            for client in [ada, container.app] { try expectSuccess(try client.get("zones/list", .public)) }
            _ = try nephos("token", "revoke", container.id, try #require(try ids("token").first))
            for client in [ada, container.app] {
                try expectRefused(try client.get("zones/list", .public), "AUTHENTICATION_FAILED")
            }
            let next = try TestContainer(id: container.id, cloud: container.cloud)
            let again = next.client(.person(apiToken: next.apiToken, webAuthToken: web))
            try expectSuccess(try again.get("zones/list", .public))
        }

        @Test("K6: a revoked server-to-server key is rejected") func key() throws {
            let server = container.client(.key(try container.key()))
            try expectSuccess(try server.get("zones/list", .public))
            _ = try nephos("key", "revoke", container.id, try #require(try ids("key").first))
            try expectRefused(try server.get("zones/list", .public), "AUTHENTICATION_FAILED")
        }

        @Test(
            "docs/trends.md: a revoked token that reads trends ends with its streams; another one continues, and is notified of saves"
        )
        func trends() throws {
            let tokens = try (0..<2).map { _ in
                String(try nephos("trends", "token", "create", container.id).output.dropLast())
            }
            func ask(_ token: String, _ name: String) throws -> HTTPConnection {
                let client = container.app
                client.close()
                let connection = try client.open()
                let target = "/nephos/1/\(container.id)/development/trends/\(name)"
                try connection.send(
                    HTTPRequest("GET", target, headers: [HTTPHeader("Authorization", "Bearer \(token)")]))
                return connection
            }
            for token in tokens { #expect(try ask(token, "series").response().status == 200) }
            let streams = try tokens.map { try ask($0, "stream") }
            for stream in streams { #expect(try stream.head().status == 200) }
            let id = try #require(tokens[0].split(separator: "-").dropFirst().first)
            _ = try nephos("trends", "token", "revoke", container.id, String(id))
            while try streams[0].chunk() != nil {}
            #expect(try ask(tokens[0], "series").response().status == 401)
            #expect(try ask(tokens[1], "series").response().status == 200)
            try container.person("ada@example.org").modify(operation("create", "A"), zone: nil)
            var text = ""
            // One because the client has seen none, and one for the save.
            while text.split(separator: "event: counted").count < 3, let chunk = try streams[1].chunk() {
                text += String(decoding: chunk, as: UTF8.self)
            }
            #expect(text.split(separator: "event: counted").count == 3, "\(text)")
        }

        // MARK: Files

        @Test(
            "U12: a revocation ends upload and download URLs that were created with it", arguments: Revocation.allCases)
        func urls(what: Revocation) throws {
            let ada = try container.person("ada@example.org")
            let file = try ada.upload(Array("hello".utf8))
            try ada.modify(operation("create", "A", fields: ["picture": ["value": file]]), zone: nil)
            let upload = try ada.uploadURL()
            let field = try ada.lookUp("A", zone: nil)["fields"]["picture"]
            #expect(try ada.download(field).status == 200)
            try what.happen(in: container)
            try expectRefused(try ada.load("POST", upload, [], [1]), "AUTHENTICATION_FAILED")
            try expectRefused(try ada.download(field), "AUTHENTICATION_FAILED")
        }
    }
}

extension SocketTests {
    /// docs/protocol.md U12: requests that are running when their credential is revoked.
    @Suite struct RevocationTests {
        let container: TestContainer

        init() throws { container = try freshContainer() }

        @Test("U12: a revocation ends an upload that began before", arguments: Revocation.allCases) func endOfUpload(
            what: Revocation
        )
            throws
        {
            let ada = try container.person("ada@example.org")
            let body = content(600_000)
            let connection = try HTTPConnection(port: ada.port)
            let length = HTTPHeader("Content-Length", "\(body.count)")
            let target = try CloudKitClient.target(of: try ada.uploadURL())
            try connection.send(HTTPRequest("POST", target, headers: [length, HTTPHeader("Expect", "100-continue")]))
            // Its ticket was checked.
            #expect(String(decoding: try connection.socket.receive(), as: UTF8.self).hasPrefix("HTTP/1.1 100"))
            try connection.socket.send(Array(body[..<400_000]))
            try what.happen(in: container)
            try connection.socket.send(Array(body[400_000...]))
            try expectRefused(try connection.response(), "AUTHENTICATION_FAILED")
        }

        @Test("U12: a revocation ends a download that began before", arguments: Revocation.allCases)
        func endOfDownload(what: Revocation) throws {
            let ada = try container.person("ada@example.org")
            // More than the buffers of a connection whose client does not read.
            let file = try ada.upload([UInt8](repeating: 7, count: 40 << 20))
            try ada.modify(operation("create", "A", fields: ["picture": ["value": file]]), zone: nil)
            let url = try #require(try ada.lookUp("A", zone: nil)["fields"]["picture"]["value"]["downloadURL"].string)
            let connection = try HTTPConnection(port: ada.port)
            try connection.send(HTTPRequest("GET", try CloudKitClient.target(of: url.replacing("${f}", with: "f"))))
            var bytes = try connection.socket.receive()
            #expect(String(decoding: bytes.prefix(15), as: UTF8.self) == "HTTP/1.1 200 OK")
            try what.happen(in: container)
            while case let more = try connection.socket.receive(), !more.isEmpty { bytes += more }
            #expect(bytes.count < 40 << 20, "it came to its end")
        }
    }
}

/// A way to revoke Ada's access.
enum Revocation: CaseIterable, Sendable {
    case session, token

    func happen(in container: TestContainer) throws {
        switch self {
        case .session:
            try container.cloud.server.command("session", "revoke", "--all", "ada@example.org", container.id)
        case .token:
            try container.cloud.server.command(
                "token", "revoke", container.id, try #require(try container.ids("token").first))
        }
    }
}

extension TestContainer {
    /// Ids in the first column of a list, from the first row on.
    fileprivate func ids(_ kind: String) throws -> [String] {
        let list = try cloud.server.command(kind, "list", id)
        return list.split(separator: "\n").dropFirst().map { String($0.split(separator: " ")[0]) }
    }
}
