import NephosPost
import NephosTesting
import ServerTesting
import Testing

/// How devices are told of changes, from outside: a server in this process, devices that ask it over HTTP, and the command
/// (docs/protocol.md, "Subscriptions"; docs/decisions/0006-events-become-deliveries.md). Servers that are killed or start
/// again are processes.
///
/// That somebody is *not* told is found out without waiting: behind the change a fence is changed that everybody is told
/// of, and what a device has not heard by then it never hears (``Party/told(of:)``).
@Suite(.delivery) enum DeliveryTests {}

/// Runs a server around all suites, and a party that suites of one test at a time share.
struct DeliveryTrait: SuiteTrait, TestScoping {
    @TaskLocal static var cloud: TestCloud?
    /// Most of these tests wait for what comes, and use no processor meanwhile.
    private static let threads = OwnThreads(count: 4)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) {
            let cloud = TestCloud(
                try ListeningServer(
                    environment: ["NEPHOS_PUSH_POLL_SECONDS": "1"],
                    post: PostOffice(webhookHosts: ["127.0.0.1"])))
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
