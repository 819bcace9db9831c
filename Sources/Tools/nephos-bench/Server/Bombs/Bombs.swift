import Foundation
import NephosTesting
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Measures how the worst requests within the limits affect a server and its other clients (docs/limits.md).
struct Bombs {
    /// The effect of one request.
    struct Damage {
        /// If work continues after the response: the processor time until the server was idle.
        var cpuSeconds: Double
        /// Peak memory beyond the initial use.
        var megabytes: Double
        /// The maximum that the limits allow.
        var megabytesMax: Double
        /// The longest wait for an empty response on any event loop.
        var stallMilliseconds: Double
        /// The same for `/healthz` and a look-up, while sixteen such requests run, or while the work continues.
        var healthMilliseconds: Double
        var lookUpMilliseconds: Double
    }

    private typealias Probe = @Sendable (CloudKitClient) throws -> HTTPResponse

    private static let crowd = 16
    /// Connections that send probes repeatedly; they are distributed across the event loops.
    private static let probes = 4
    private let server: ServerProcess
    private let apiToken: String
    private let container = "iCloud.test.bombs"

    init() throws {
        server = try ServerProcess(["--bench"], environment: ["NEPHOS_UPKEEP_SECONDS": "1"])
        try server.command("container", "create", container)
        apiToken = try server.command("token", "create", container)
    }

    /// A new user with one record.
    private func person(_ number: Int) throws -> Credentials {
        let email = "person\(number)@example.org"
        try server.command("account", "create", email)
        let credentials = Credentials.person(
            apiToken: apiToken, webAuthToken: try server.command("session", "create", container, email))
        let client = client(credentials)
        let first = #"{"operations":[{"operationType":"create","record":{"recordName":"one","recordType":"One"}}]}"#
        _ = try client.send("POST", client.path("records/modify", .private), body: Array(first.utf8))
        return credentials
    }

    /// A client with its own connection.
    private func client(_ credentials: Credentials) -> CloudKitClient {
        CloudKitClient(port: server.port, container: container, credentials: credentials, timeout: 120)
    }

    /// - Parameter number: The number of the user who sends the request; unique.
    func explode(_ worst: WorstRequest, by number: Int) throws -> Damage {
        let person = try person(number)
        let client = client(person)
        for part in worst.preparation {
            let answer = try ask(part, client)
            guard answer == 200 else { throw Wrk.Failure(description: "\(worst.name): preparing: \(answer)") }
        }
        try waitUntilQuiet()
        return worst.goesOn ? try watch(worst, person) : try repeated(worst, person)
    }

    private func ask(_ part: WorstRequest.Part, _ client: CloudKitClient) throws -> Int {
        try client.send("POST", client.path(part.endpoint, .private), body: part.body).status
    }

    // MARK: Requests

    private func repeated(_ worst: WorstRequest, _ person: Credentials) throws -> Damage {
        // A query without an index waits until it is built: only the query is to be measured.
        let isReady = try Deadline(seconds: 60).waits { try ask(worst.request, client(person)) != 503 }
        guard isReady else { throw Wrk.Failure(description: "\(worst.name): the index was not ready within 60 s") }
        let one: @Sendable () throws -> Void = { _ = try self.ask(worst.request, self.client(person)) }
        let many: @Sendable () throws -> Void = {
            try inThreads(Self.crowd) { _ in
                // They simulate clients on other machines, which take no processor time from the measured processes.
                _ = nice(19)
                try one()
            }
        }
        let (cpu, megabytes) = try usage(of: one)
        return Damage(
            cpuSeconds: cpu, megabytes: megabytes, megabytesMax: Self.megabytesMax(worst),
            stallMilliseconds: try longest(person, [Self.empty], beside: one)[0],
            healthMilliseconds: try longest(person, [Self.health], beside: many)[0],
            lookUpMilliseconds: try longest(person, [Self.lookUp], beside: many)[0])
    }

    /// Continuing work also processes what was sent before.
    private static func megabytesMax(_ worst: WorstRequest) -> Double {
        let before = worst.goesOn ? worst.preparation.map(\.body.count).max() ?? 0 : 0
        return 4 * Double(worst.request.body.count + before) / Double(1 << 20) + 64
    }

    // MARK: Work that continues after the response

    /// It can be done only once, so everything is measured at the same time; the processor time excludes that of the probes, as
    /// measured while idle.
    private func watch(_ worst: WorstRequest, _ person: Credentials) throws -> Damage {
        let all: [Probe] = [Self.empty, Self.health, Self.lookUp]
        let seconds = 8
        let idle = try usage { _ = try longest(person, all) { poll(nil, 0, Int32(seconds) * 1_000) } }
        let waits = Mutex<[Double]>([])
        let busy = try usage {
            let found = try longest(person, all) {
                let status = try self.ask(worst.request, self.client(person))
                guard status == 200 || status == 503 else {
                    throw Wrk.Failure(description: "\(worst.name): \(status)")
                }
                poll(nil, 0, Int32(seconds) * 1_000)
            }
            waits.withLock { $0 = found }
        }
        let waited = waits.withLock { $0 }
        return Damage(
            cpuSeconds: max(0, busy.seconds - idle.seconds), megabytes: busy.megabytes,
            megabytesMax: Self.megabytesMax(worst), stallMilliseconds: waited[0], healthMilliseconds: waited[1],
            lookUpMilliseconds: waited[2])
    }

    private func waitUntilQuiet() throws {
        var last = try server.usage.cpuNanoseconds
        let isQuiet = try Deadline(seconds: 120).waits {
            poll(nil, 0, 500)
            let now = try server.usage.cpuNanoseconds
            defer { last = now }
            return now - last < 25_000_000
        }
        guard isQuiet else { throw Wrk.Failure(description: "the server is still busy after 120 s") }
    }

    // MARK: Measuring

    private func usage(of body: () throws -> Void) throws -> (seconds: Double, megabytes: Double) {
        // Resets the peak memory.
        try writeFile("/proc/\(try server.process.id)/clear_refs", Array("5".utf8))
        let before = try server.usage
        try body()
        let after = try server.usage
        return (
            Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1e9,
            Double(after.residentBytesMax - min(before.residentBytes, after.residentBytesMax)) / Double(1 << 20)
        )
    }

    private static let empty: Probe = { try $0.send("GET", "/bench/empty", body: nil) }
    private static let health: Probe = { try $0.send("GET", "/healthz", body: nil) }
    private static let lookUp: Probe = {
        try $0.send(
            "POST", $0.path("records/lookup", .private), body: Array(#"{"records":[{"recordName":"one"}]}"#.utf8))
    }

    /// Sends probes repeatedly while `body` runs.
    ///
    /// - Returns: For each of `probes` the longest wait on one of its connections, in milliseconds.
    private func longest(
        _ person: Credentials, _ probes: [Probe], beside body: @escaping @Sendable () throws -> Void
    ) throws -> [Double] {
        let state = Mutex((isOver: false, longest: probes.map { _ in Duration.zero }))
        try inThreads(1 + max(Self.probes, probes.count)) { number in
            if number == 0 {
                defer { state.withLock { $0.isOver = true } }
                return try body()
            }
            let client = client(person)
            let kind = number % probes.count
            // The first response, which includes connecting, does not count.
            _ = try probes[kind](client)
            while !state.withLock({ $0.isOver }) {
                let start = ContinuousClock.now
                let answer = try probes[kind](client)
                guard answer.status == 200 else { throw Wrk.Failure(description: "a probe: \(answer.status)") }
                let waited = ContinuousClock.now - start
                state.withLock { $0.longest[kind] = max($0.longest[kind], waited) }
                // Leaves processor time for the server.
                poll(nil, 0, 1)
            }
        }
        return state.withLock { $0.longest.map { $0 / .milliseconds(1) } }
    }
}

extension ServerBenchmark {
    /// - Environment: `BOMB`, a part of the names of those to send; all if not set.
    static func printBombs() throws {
        let part = ProcessInfo.processInfo.environment["BOMB"] ?? ""
        let chosen = WorstRequest.all.filter { part.isEmpty || $0.name.contains(part) }
        var table = Table([
            "request", "bytes", "CPU", "aim", "memory", "aim", "longest stall", "aim", "/healthz during 16", "lookup",
            "aim",
        ])
        let bombs = try Bombs()
        for (number, worst) in chosen.enumerated() {
            let progress = "\(number + 1) of \(chosen.count): \(worst.name)\n"
            try FileHandle.standardError.write(contentsOf: Data(progress.utf8))
            let damage = try bombs.explode(worst, by: number)
            let slowest = max(damage.healthMilliseconds, damage.lookUpMilliseconds)
            table.add([
                worst.name, whole(Double(worst.request.body.count)), "\(decimal(damage.cpuSeconds)) s",
                worst.goesOn ? "" : verdict(damage.cpuSeconds <= 2, "≤ 2 s"), "\(whole(damage.megabytes)) MB",
                verdict(damage.megabytes <= damage.megabytesMax, "≤ \(whole(damage.megabytesMax)) MB"),
                "\(whole(damage.stallMilliseconds)) ms", verdict(damage.stallMilliseconds <= 20, "≤ 20 ms"),
                "\(whole(damage.healthMilliseconds)) ms", "\(whole(damage.lookUpMilliseconds)) ms",
                verdict(slowest <= 100, "≤ 100 ms"),
            ])
        }
        print("### The worst requests\n\n\(table.text)")
    }
}
