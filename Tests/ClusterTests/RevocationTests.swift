import NephosTesting
import Testing

/// docs/protocol.md A7, K6, D19; docs/decisions/0016: credentials revoked by any process give no access on any server.
@Suite(.serialized) struct RevocationTests {
    private let fleet: Fleet
    /// The command, run while the servers are running.
    private let nephos: NephosCommand

    init() throws {
        fleet = try Fleet(2)
        nephos = fleet.servers[0].command
    }

    enum What: CaseIterable, Sendable { case session, token, key }

    /// An authorized caller, and the command that revokes the access.
    private func caller(_ what: What) throws -> (credentials: Credentials, revoke: [String]) {
        let email = "\(what)@example.org"
        if what == .key {
            let folder = try TemporaryFolder(prefix: "nephos-key")
            let id = try nephos("key", "create", fleet.container, "--generate", "\(folder.path)/key.pem")
            let pem = String(decoding: try readFile("\(folder.path)/key.pem"), as: UTF8.self)
            return (.key(try RequestSigner(keyID: id, pem: pem)), ["key", "revoke", fleet.container, id])
        }
        try nephos("account", "create", email)
        let credentials = Credentials.person(
            apiToken: try nephos("token", "create", fleet.container, "--name", "its own"),
            webAuthToken: try nephos("session", "create", fleet.container, email))
        let row = try nephos(what == .token ? "token" : "session", "list", fleet.container)
            .split(separator: "\n").first { $0.contains(what == .token ? "its own" : email) }
        let id = try #require(row?.split(separator: " ").first.map(String.init))
        return (credentials, [what == .token ? "token" : "session", "revoke", fleet.container, id])
    }

    /// The URL where the device of a client polls for its notifications.
    private func courier(of client: CloudKitClient) throws -> String {
        let path = "/device/1/\(fleet.container)/development/tokens/create"
        let body: JSON = ["apnsEnvironment": "development"]
        let answer = try client.send("POST", path, body: body.bytes).json
        let url = try #require(answer["webcourierURL"].string, "\(answer)")
        let start = try #require(url.firstRange(of: "/device/"))
        return String(url[start.lowerBound...])
    }

    @Test(
        "A credential that one server accepted is refused by another once it is revoked, and requests that wait there end",
        arguments: What.allCases)
    func revoked(what: What) throws {
        let (credentials, revoke) = try caller(what)
        let clients = (0..<2).map { fleet.client($0, credentials) }
        for client in clients { #expect(try client.get("zones/list", .public).status == 200) }
        let place = try courier(of: clients[0])
        // On the other server: one long poll and one stream.
        let port = fleet.servers[1].port
        let poll = try HTTPConnection(port: port)
        try poll.send(HTTPRequest("GET", place))
        let stream = try HTTPConnection(port: port)
        try stream.send(HTTPRequest("GET", place, headers: [HTTPHeader("Accept", "text/event-stream")]))
        var streamed: [UInt8] = []
        while streamed.firstRange(of: Array("event: ready".utf8)) == nil { streamed += try stream.socket.receive() }

        let result = try nephos.run(revoke)
        #expect(result.status == 0, "\(result)")
        for client in clients {
            let answer = try client.get("zones/list", .public)
            let refusal = try answer.json["serverErrorCode"].string ?? "none"
            #expect(["AUTHENTICATION_FAILED", "AUTHENTICATION_REQUIRED"].contains(refusal))
        }
        // Otherwise, a poll would get an empty response after 50 s, and a stream would continue for an hour.
        #expect(try poll.response().status == 401)
        while case let more = try stream.socket.receive(), !more.isEmpty { streamed += more }
        #expect(streamed.suffix(5) == Array("0\r\n\r\n".utf8), "the stream broke off")
        for server in fleet.servers {
            let again = try HTTPConnection(port: server.port).exchange(HTTPRequest("GET", place))
            #expect(again.status == 401)
        }
        let check = try nephos.run(["check"])
        #expect(check.status == 0, "\(check)")
    }
}
