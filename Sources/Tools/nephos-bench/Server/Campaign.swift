import Foundation
import NephosTesting

/// The first minute of a campaign: what many devices that nobody has met wait for an item of content each, from the moment at which the
/// content appears.
struct Campaign {
    static let devices = 100_000, connections = 400, seconds = 60
    private static let items = 1_000

    let result: WrkResult
    /// The server's processor time for one request, in microseconds.
    let microseconds: Double
    /// Clients that the server has counted half a minute later, at most.
    let counted: Int

    init() throws {
        let server = try ServerProcess()
        let container = "iCloud.test.campaign"
        try server.command("container", "create", container)
        try server.command("account", "create", "ada@example.org")
        let folder = try TemporaryFolder(prefix: "nephos-campaign")
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
        let apiToken = try server.command("token", "create", container)
        let session = try server.command("session", "create", container, "ada@example.org")
        let client = CloudKitClient(
            port: server.port, container: container,
            credentials: .person(apiToken: apiToken, webAuthToken: session))
        let start = Int64(Date().timeIntervalSince1970 * 1_000) + 8_000
        for first in stride(from: 0, to: Self.items, by: 200) {
            let body = ContentRequests.records("Shown", first..<first + 200) { _ in start }
            let answer = try client.send("POST", client.path("records/modify", .public), body: Array(body.utf8))
            guard answer.status == 200 else { throw Wrk.Failure(description: "filling: \(answer.status)") }
        }
        let target = "/nephos/1/\(container)/development/content/Shown/pick?ckAPIToken=\(apiToken)"
        let device = CloudKitClient(port: server.port, container: container, credentials: .app(apiToken: apiToken))
        let hasBegun = try Deadline(seconds: 60).waits {
            try device.send("GET", target, body: nil).json["eligible"].int64 ?? 0 > 0
        }
        guard hasBegun else { throw Wrk.Failure(description: "the campaign did not begin") }
        let before = try server.usage.cpuNanoseconds
        // Less than all of the time, since answers take some.
        let pause = Self.seconds * 980 * Self.connections / Self.devices
        result = try Wrk().run(
            "campaign.lua", [target, "\(pause)"], port: server.port, connections: Self.connections,
            seconds: Self.seconds)
        guard result.requests >= Self.devices else {
            throw Wrk.Failure(description: "only \(result.requests) devices asked: this machine is too busy")
        }
        let answered = result.requests
        microseconds = Double(try server.usage.cpuNanoseconds - before) / 1e3 / Double(result.requests)
        var counted = 0
        _ = try Deadline(seconds: 30).waits {
            let shown = try server.command("clients", "show", container, "--output", "json")
            counted = try JSON(reading: Array(shown.utf8))["clients"].int64.map(Int.init) ?? 0
            return counted >= answered
        }
        self.counted = counted
    }
}
