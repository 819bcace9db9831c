import Foundation
import NephosTesting

/// The first minute of a campaign: many devices unknown to the server request something from the same moment on.
struct Campaign {
    /// What the devices request.
    enum Kind: String, CaseIterable {
        /// An item of content each, identifying themselves.
        case content
        /// A message, which each requests and reports as shown.
        case message
    }

    static let devices = 100_000, connections = 400, seconds = 60
    private static let items = 1_000
    private static let container = "iCloud.test.campaign"

    let result: WrkResult
    /// The server's processor time per request, in microseconds.
    let microseconds: Double
    /// The number of devices that the server has counted after at most half a minute.
    let counted: Int

    init(_ kind: Kind) throws {
        let server = try ServerProcess()
        try server.command("container", "create", Self.container)
        let folder = try TemporaryFolder(prefix: "nephos-campaign")
        let apiToken = try server.command("token", "create", Self.container)
        switch kind {
        case .content: try Self.fillContent(server, folder, apiToken)
        case .message: try MessageRequests.fill(Self.container, by: server, folder)
        }
        let target = Self.target(kind, apiToken)
        let device = CloudKitClient(port: server.port, container: Self.container, credentials: .app(apiToken: apiToken))
        let hasBegun = try Deadline(seconds: 60).waits {
            let answer = try device.send("GET", target, body: nil).json
            return answer["eligible"].int64 ?? 0 > 0 || answer["message"]["id"].string != nil
        }
        guard hasBegun else { throw Wrk.Failure(description: "the campaign did not begin") }
        let before = try server.usage.cpuNanoseconds
        let (script, targets, each) =
            switch kind {
            case .content: ("campaign.lua", [target], 1)
            case .message: ("messages.lua", [target, Self.root + "messages/seen?ckAPIToken=\(apiToken)"], 2)
            }
        // Slightly less than the available time, because responses take some.
        let pause = Self.seconds * 980 * Self.connections / Self.devices / each
        let result = try Wrk().run(
            script, targets + ["\(pause)"], port: server.port, connections: Self.connections, seconds: Self.seconds)
        guard result.requests >= Self.devices * each else {
            throw Wrk.Failure(description: "only \(result.requests) requests arrived: this machine is too busy")
        }
        microseconds = Double(try server.usage.cpuNanoseconds - before) / 1e3 / Double(result.requests)
        var counted = 0
        _ = try Deadline(seconds: 30).waits {
            counted = try Self.count(kind, server)
            return counted >= result.requests / each
        }
        (self.result, self.counted) = (result, counted)
    }

    private static let root = "/nephos/1/\(container)/development/"

    private static func target(_ kind: Kind, _ apiToken: String) -> String {
        root + (kind == .content ? "content/Shown/pick" : "messages/current") + "?ckAPIToken=\(apiToken)"
    }

    private static func fillContent(_ server: ServerProcess, _ folder: TemporaryFolder, _ apiToken: String) throws {
        try server.command("account", "create", "ada@example.org")
        let type = TestContainer.recordType(
            "Shown", ["title STRING", "kind STRING", "rank INT64", "day TIMESTAMP"])
        try writeFile(folder.path + "/schema", "DEFINE SCHEMA\n\(type)".utf8)
        let settings = """
            version: 1
            content:
              Shown: {publishedAt: day, weight: rank, collection: kind}
            clients: {report: true}

            """
        try writeFile(folder.path + "/settings", settings.utf8)
        try server.command("schema", "import", container, folder.path + "/schema")
        try server.command("settings", "import", container, folder.path + "/settings")
        let session = try server.command("session", "create", container, "ada@example.org")
        let client = CloudKitClient(
            port: server.port, container: container,
            credentials: .person(apiToken: apiToken, webAuthToken: session))
        let start = Int64(Date().timeIntervalSince1970 * 1_000) + 8_000
        for first in stride(from: 0, to: items, by: 200) {
            let body = ContentRequests.records("Shown", first..<first + 200) { _ in start }
            let answer = try client.send("POST", client.path("records/modify", .public), body: Array(body.utf8))
            guard answer.status == 200 else { throw Wrk.Failure(description: "filling: \(answer.status)") }
        }
    }

    /// The number of clients that have identified themselves, or devices that were shown the message.
    private static func count(_ kind: Kind, _ server: ServerProcess) throws -> Int {
        switch kind {
        case .content:
            let shown = try server.command("clients", "show", container, "--output", "json")
            return try JSON(reading: Array(shown.utf8))["clients"].int64.map(Int.init) ?? 0
        case .message:
            let stats = try server.command("message", "stats", container, "campaign")
            return stats.firstMatch(of: /campaign +([0-9]+)/).flatMap { Int($0.1) } ?? 0
        }
    }
}
