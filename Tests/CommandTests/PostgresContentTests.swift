import DeliveryTesting
import Foundation
import NephosTesting
import Testing

/// docs/content.md on several servers of one database.
@Suite("Content on two servers") struct PostgresContentTests {
    /// The database's time, which is on this machine.
    private static var now: Int64 { ContentServers.now }

    #if os(Linux)
        @Test(
            "Servers whose clocks are off by 2.5 s show content at its time by the database's clock, and none before (S0-54)"
        )
        func clocks() throws {
            let library = try PreloadedLibrary("late-clock")
            let cloud = try ContentServers(
                ["-2.5", "2.5"].map { library.environment.merging(["LATE_CLOCK_SECONDS": $0]) { $1 } })
            // A busy machine may take longer than that to save it and to look at it; then it is shown for longer.
            for length in [1_500, 6_000, 24_000, 96_000] as [Int64] {
                if try Self.looks(at: "a\(length)", shownFor: length, in: cloud).allSatisfy({ $0 > 0 }) { return }
            }
            Issue.record("some server never showed it")
        }

        /// Looks at a record all the time, from its save until it has ended. - Returns: How often each server showed it.
        private static func looks(at name: String, shownFor length: Int64, in cloud: ContentServers) throws -> [Int] {
            let start = now + 1_500
            let end = start + length
            try cloud.save([(name, start, end)])
            var looks = [0, 0]
            while now < end + 1_000 {
                for server in 0..<2 {
                    let before = now
                    let isShown = try cloud.isShown(name, at: server)
                    let after = now
                    if isShown { looks[server] += 1 }
                    #expect(
                        !isShown || after >= start, "server \(server) showed it \(start - after) ms before its time")
                    // A second is far less than the difference of their clocks.
                    #expect(
                        !isShown || before < end + 1_000, "server \(server) showed it \(before - end) ms after its end")
                    #expect(
                        isShown || before < start + 1_000 || after >= end,
                        "server \(server) hid it \(before - start) ms after its time")
                }
            }
            return looks
        }
    #endif

    @Test("Scheduled content is announced once, although one of two servers is killed meanwhile")
    func edges() async throws {
        // `EDGES=10000` for this many in a minute.
        let count = ProcessInfo.processInfo.environment["EDGES"].flatMap(Int.init) ?? 300
        let isLong = count > 1_000
        let hook = try await WebhookStandIn.start()
        let names = try await withTaskExecutorPreference(OwnThreads.ofTests) {
            // So that the other server soon takes over the background work of the one that is killed.
            let brief = ["NEPHOS_JOB_LEASE_SECONDS": "5"]
            let cloud = try ContentServers([brief, brief])
            // An existing record, which causes no notification.
            try cloud.save([("there", Self.now - 60_000, nil)])
            try cloud.servers[0].command(
                "webhook", "create", ContentServers.container, "--url", hook.url, "--record-type", "Chibi", "--on",
                "create")
            let (start, length) = (Self.now + (isLong ? 60_000 : 2_000), Int64(isLong ? 60_000 : 4_000))
            try cloud.save((0..<count).map { ("r\($0)", start + Int64($0) * length / Int64(count), nil) })
            func names() -> [String] { hook.recordNames }
            _ = await hook.requests(atLeast: count / 3)
            try cloud.servers[0].kill()
            let patience = Deadline(seconds: Double((isLong ? 4 : 1) * Patience.seconds))
            let areAllThere = patience.waits { Set(names()).count >= count }
            #expect(areAllThere)
            // Nothing follows the last one except the next one.
            try cloud.save([("last", Self.now - 1, nil)], at: 1)
            let isOver = Deadline().waits { names().contains("last") }
            #expect(isOver)
            return names()
        }
        await hook.stop()
        #expect(Set(names) == Set((0..<count).map { "r\($0)" } + ["last"]))
        // A call that a killed server had made, and not recorded yet, is repeated as the same delivery.
        let deliveries = Set(hook.requests.compactMap { $0.header("nephos-delivery") })
        #expect(deliveries.count == count + 1, "\(hook.requests.count) calls")
    }
}
