import NephosPost
import NephosTesting
import ServerTesting
import Testing

/// Notification of devices, tested from outside: a server in this process, devices that poll it over HTTP, and the command
/// (docs/protocol.md, "Subscriptions"; docs/decisions/0006-events-become-deliveries.md). Servers that are killed or restarted are
/// processes.
///
/// The absence of a notification is detected without waiting: after the change a fence is changed that notifies everybody, and a
/// device that has not been notified by then never will be (``Party/told(of:)``).
@Suite(.delivery) enum DeliveryTests {}

/// Provides a server for all suites, and a party shared by suites that run one test at a time.
struct DeliveryTrait: SuiteTrait, TestScoping {
    @TaskLocal static var cloud: TestCloud?
    /// Most of these tests wait for notifications, without using a processor.
    private static let threads = OwnThreads(count: 4)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) {
            let cloud = TestCloud(
                try ListeningServer(
                    environment: ["NEPHOS_PUSH_POLL_SECONDS": "1"],
                    post: PostOffice(webhookHosts: ["127.0.0.1"], timeout: .seconds(2 * Patience.seconds))))
            try await DeliveryTrait.$cloud.withValue(cloud) {
                try await SharedParties.$current.withValue(SharedParties()) { try await body() }
            }
            let end = try cloud.server.stop()
            #expect(end == .exited(0), "the server did not finish well: \(cloud.server.logText.suffix(2_000))")
            let check = try cloud.server.command.run(["check"])
            #expect(check.status == 0, "\(check)")
        }
    }
}

extension Trait where Self == DeliveryTrait {
    static var delivery: Self { Self() }
}

/// A new party on the server of all suites.
func freshParty() throws -> Party { try Party(try #require(DeliveryTrait.cloud)) }
