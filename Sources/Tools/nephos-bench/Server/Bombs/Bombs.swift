import NephosTesting
import Synchronization

/// What the worst requests that the limits let through do to a server, and to those beside them (docs/limits.md).
struct Bombs {
    /// What one of them did.
    struct Damage {
        var cpuSeconds: Double
        /// Memory at the most, beyond what the server had before.
        var megabytes: Double
        /// What the limits allow of that.
        var megabytesMax: Double
        /// The longest that anybody waited for an answer that takes nothing, on any event loop.
        var stallMilliseconds: Double
        /// The same of `/healthz` and of a look-up, beside sixteen of them.
        var healthMilliseconds: Double
        var lookUpMilliseconds: Double
    }

    private static let crowd = 16
    private let server: ServerProcess
    private let credentials: Credentials
    private let container = "iCloud.test.bombs"

    init() throws {
        server = try ServerProcess(["--bench"])
        try server.command("container", "create", container)
        try server.command("account", "create", "ada@example.org")
        credentials = .person(
            apiToken: try server.command("token", "create", container),
            webAuthToken: try server.command("session", "create", container, "ada@example.org"))
        let first = #"{"operations":[{"operationType":"create","record":{"recordName":"one","recordType":"One"}}]}"#
        _ = try client.send("POST", client.path("records/modify", .private), body: Array(first.utf8))
    }

    private var client: CloudKitClient {
        CloudKitClient(port: server.port, container: container, credentials: credentials, timeout: 120)
    }

    func explode(_ worst: WorstRequest) throws -> Damage {
        let client = client
        for part in worst.preparation {
            let answer = try ask(part, client)
            guard answer == 200 else { throw Wrk.Failure(description: "\(worst.name): preparing: \(answer)") }
        }
        // A query whose index is missing waits for it: what is measured is the query.
        let isReady = try Deadline(seconds: 60).waits { try ask(worst.request, client) != 503 }
        guard isReady else { throw Wrk.Failure(description: "\(worst.name): no index within 60 s") }
        let (cpu, megabytes) = try alone(worst, client)
        let one: @Sendable () throws -> Void = { _ = try self.ask(worst.request, self.client) }
        let many: @Sendable () throws -> Void = { try inThreads(Self.crowd) { _ in try one() } }
        let lookUp = Array(#"{"records":[{"recordName":"one"}]}"#.utf8)
        return Damage(
            cpuSeconds: cpu, megabytes: megabytes,
            megabytesMax: 4 * Double(worst.request.body.count) / Double(1 << 20) + 64,
            stallMilliseconds: try longest(beside: one) { try $0.send("GET", "/bench/empty", body: nil) },
            healthMilliseconds: try longest(beside: many) { try $0.send("GET", "/healthz", body: nil) },
            lookUpMilliseconds: try longest(beside: many) {
                try $0.send("POST", $0.path("records/lookup", .private), body: lookUp)
            })
    }

    private func ask(_ part: WorstRequest.Part, _ client: CloudKitClient) throws -> Int {
        try client.send("POST", client.path(part.endpoint, .private), body: part.body).status
    }

    private func alone(_ worst: WorstRequest, _ client: CloudKitClient) throws -> (seconds: Double, megabytes: Double) {
        // From here on the most memory is counted anew.
        try writeFile("/proc/\(try server.process.id)/clear_refs", Array("5".utf8))
        let before = try server.usage
        _ = try ask(worst.request, client)
        let after = try server.usage
        return (
            Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1e9,
            Double(after.residentBytesMax - min(before.residentBytes, after.residentBytesMax)) / Double(1 << 20)
        )
    }

    /// Asks again and again on four connections, which the event loops share, while `body` runs.
    ///
    /// - Returns: The longest that one of them waited, in milliseconds.
    private func longest(
        beside body: @escaping @Sendable () throws -> Void,
        _ probe: @escaping @Sendable (CloudKitClient) throws -> HTTPResponse
    ) throws -> Double {
        let state = Mutex((isOver: false, longest: Duration.zero))
        try inThreads(5) { number in
            if number == 0 {
                defer { state.withLock { $0.isOver = true } }
                return try body()
            }
            let client = self.client
            // The connection is there before its first answer counts.
            _ = try probe(client)
            while !state.withLock({ $0.isOver }) {
                let start = ContinuousClock.now
                let answer = try probe(client)
                guard answer.status == 200 else { throw Wrk.Failure(description: "a probe: \(answer.status)") }
                let waited = ContinuousClock.now - start
                state.withLock { $0.longest = max($0.longest, waited) }
            }
        }
        return state.withLock { $0.longest / .milliseconds(1) }
    }
}

extension ServerBenchmark {
    static func printBombs() throws {
        var table = Table([
            "request", "bytes", "CPU", "aim", "memory", "aim", "longest stall", "aim", "/healthz beside 16", "look-up",
            "aim",
        ])
        let bombs = try Bombs()
        for worst in WorstRequest.all {
            let damage = try bombs.explode(worst)
            let slowest = max(damage.healthMilliseconds, damage.lookUpMilliseconds)
            table.add([
                worst.name, whole(Double(worst.request.body.count)), "\(decimal(damage.cpuSeconds)) s",
                verdict(damage.cpuSeconds <= 2, "≤ 2 s"), "\(whole(damage.megabytes)) MB",
                verdict(damage.megabytes <= damage.megabytesMax, "≤ \(whole(damage.megabytesMax)) MB"),
                "\(whole(damage.stallMilliseconds)) ms", verdict(damage.stallMilliseconds <= 20, "≤ 20 ms"),
                "\(whole(damage.healthMilliseconds)) ms", "\(whole(damage.lookUpMilliseconds)) ms",
                verdict(slowest <= 100, "≤ 100 ms"),
            ])
        }
        print("### The worst requests\n\n\(table.text)")
    }
}
