import NephosTesting

/// A release server with the data for measurements: one user's private database.
struct BenchCloud {
    /// Records in zone Many, for look-ups.
    static let lookups = 10_000
    /// Records in zone Page, which are one full page of changes.
    static let page = 200

    let server: ServerProcess
    let container = "iCloud.test.bench"
    private let apiToken: String
    private let webAuthToken: String
    private let credentials: Credentials

    /// The tokens of the app and of the user.
    var tokens: (apiToken: String, webAuthToken: String) { (apiToken, webAuthToken) }

    /// - Parameters:
    ///   - arguments: Additional arguments of the server.
    ///   - program: The server's program; nil for the one of this checkout.
    init(arguments: [String] = [], environment: [String: String] = [:], program: String? = nil) throws {
        server = try ServerProcess(["--bench"] + arguments, environment: environment, executable: program)
        try server.command("container", "create", container)
        try server.command("account", "create", "ada@example.org")
        apiToken = try server.command("token", "create", container)
        webAuthToken = try server.command("session", "create", container, "ada@example.org")
        credentials = .person(apiToken: apiToken, webAuthToken: webAuthToken)
        for zone in ["Many", "Page", "New", "NewBatch"] { try makeZone(zone) }
        try fill("Page", BenchCloud.page)
    }

    private func makeZone(_ name: String) throws {
        _ = try post(
            "zones/modify",
            ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": .string(name)]]]]])
    }

    /// Saves records r0, r1, … in a zone.
    func fill(_ zone: String, _ count: Int) throws {
        for start in stride(from: 0, to: count, by: 200) {
            let names = (start..<min(start + 200, count)).map { "r\($0)" }
            let body = BenchRecord.modify(zone: zone, names: names)
            let response = try client.send("POST", client.path("records/modify", .private), body: body)
            guard response.status == 200 else { throw Wrk.Failure(description: "filling: \(response.status)") }
        }
    }

    /// A client of the user, with its own connection.
    var client: CloudKitClient {
        CloudKitClient(port: server.port, container: container, credentials: credentials)
    }

    /// A client of another user, whose account is created now.
    func newUser(_ email: String) throws -> CloudKitClient {
        try server.command("account", "create", email)
        let session = try server.command("session", "create", container, email)
        return CloudKitClient(
            port: server.port, container: container,
            credentials: .person(apiToken: apiToken, webAuthToken: session))
    }

    /// Path and query of an endpoint of the private database.
    func target(_ endpoint: String) -> String {
        client.path(endpoint, .private) + "?" + credentials.query.joined(separator: "&")
    }

    @discardableResult
    func post(_ endpoint: String, _ body: JSON) throws -> HTTPResponse {
        let response = try client.post(endpoint, .private, body)
        guard response.status == 200 else { throw Wrk.Failure(description: "\(endpoint): \(response.status)") }
        return response
    }

    /// A token at the end of zone Page's feed.
    func tokenAtEnd() throws -> JSON {
        try post("changes/zone", ["zones": [["zoneID": ["zoneName": "Page"]]]]).json["zones"][0]["syncToken"]
    }
}
