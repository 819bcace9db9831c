import DeliveryTesting
import Foundation
import NephosTesting
import Testing

#if os(Linux)
    /// docs/content.md, "Who sees content, and when", on a server that is not always running.
    @Suite("Content while no server runs", .serialized) struct SQLiteContentTests {
        private static let hour: Int64 = 3_600_000

        @Test("A server that was down at a start time notifies once, and nobody who could read the content before")
        func slept() async throws {
            let library = try PreloadedLibrary("late-clock")
            let hook = try await WebhookStandIn.start()
            let names = try await withTaskExecutorPreference(OwnThreads.ofTests) {
                /// The environment of a server whose clock is this many hours ahead.
                func ahead(by hours: Int) -> [String: String] {
                    library.environment.merging(["LATE_CLOCK_SECONDS": "\(hours * 3_600)"]) { $1 }
                }
                var cloud = try ContentServers([ahead(by: 0)])
                let now = ContentServers.now
                try cloud.save([("seen", now - Self.hour, nil)])
                try cloud.servers[0].command(
                    "webhook", "create", ContentServers.container, "--url", hook.url, "--record-type", "Chibi",
                    "--on", "create")
                try cloud.save([
                    ("a", now + Self.hour, nil), ("b", now + Self.hour, now + 9 * Self.hour),
                    ("brief", now + Self.hour, now + 2 * Self.hour), ("later", now + 8 * Self.hour, nil),
                ])
                for hours in [4, 5, 6] {
                    try cloud.restart(ahead(by: hours))
                    let last = "last-\(hours)"
                    try cloud.save([(last, now, nil)])
                    let isOver = Deadline().waits { Set(hook.recordNames).isSuperset(of: ["a", "b", last]) }
                    #expect(isOver)
                }
                return hook.recordsDelivered
            }
            await hook.stop()
            #expect(names.sorted() == ["a", "b", "last-4", "last-5", "last-6"], "\(names)")
        }
    }
#endif
