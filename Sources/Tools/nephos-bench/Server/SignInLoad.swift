import Foundation
import NephosTesting
import Synchronization

/// Response times of look-ups while people sign in with passwords, whose hashing is deliberately slow.
struct SignInLoad {
    static let perMinute = 1_000, seconds = 30
    private static let people = 50
    /// Enough to fill the queue for password hashing, so that some are told to retry.
    private static let browsers = 100

    struct Attempts: Sendable {
        var answered = 0, throttled = 0, failed = 0
    }

    let without, with: WrkResult
    let attempts: Attempts

    init() throws {
        let cloud = try BenchCloud(arguments: ["--public-url", PeopleRequests.site, "--trusted-proxy", "127.0.0.1"])
        try cloud.fill("Many", BenchCloud.lookups)
        let folder = try TemporaryFolder(prefix: "nephos-sign-ins")
        let emails = (0..<Self.people).map { "person\($0)@example.org" }
        try PeopleRequests.fill(cloud.container, by: cloud.server, folder, emails: emails)
        let wrk = try Wrk()
        func lookUps() throws -> WrkResult {
            try wrk.run(
                "lookup.lua", [cloud.target("records/lookup"), "\(BenchCloud.lookups)"], port: cloud.server.port,
                connections: 8, seconds: Self.seconds)
        }
        without = try lookUps()
        let found = Mutex(Attempts())
        let next = Atomic(0)
        let start = ContinuousClock.now
        let (port, container, apiToken) = (cloud.server.port, cloud.container, cloud.tokens.apiToken)
        let done = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        Thread.detachNewThread {
            defer { done.signal() }
            do {
                try inThreads(Self.browsers) { browser in
                    let client = CloudKitClient(
                        port: port, container: container, credentials: .app(apiToken: apiToken), timeout: 120)
                    // In networks of their own, since one may have few passwords compared.
                    let first = try PeopleRequests.page(client, from: "192.0.2.\(browser)")
                    while true {
                        let number = next.add(1, ordering: .relaxed).oldValue
                        let at = start + .milliseconds(60_000 * number / Self.perMinute)
                        guard at < start + .seconds(Self.seconds) else { return }
                        Thread.sleep(forTimeInterval: max(0, (at - .now) / .seconds(1)))
                        var visitor = first.visitor
                        let answer = try PeopleRequests.signIn(
                            &visitor, first.page, first.target, email: "person\(number % Self.people)@example.org")
                        found.withLock { found in
                            switch answer.status {
                            case 200: found.answered += 1
                            case 429: found.throttled += 1
                            default: found.failed += 1
                            }
                        }
                    }
                }
            } catch { failure.withLock { $0 = error } }
        }
        with = try lookUps()
        done.wait()
        if let error = failure.withLock(\.self) { throw error }
        attempts = found.withLock(\.self)
    }
}
