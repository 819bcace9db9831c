import NephosTesting
import Testing

/// How devices are told of changes, from outside: a real server, devices that ask it over HTTP, and the real command
/// (docs/protocol.md, "Subscriptions"; docs/decisions/0006-events-become-deliveries.md).
///
/// That somebody is *not* told is found out without waiting: behind the change a fence is changed that everybody is told
/// of, and what a device has not heard by then it never hears (``Party/told(of:)``).
///
/// One test after the other: they wait for answers on the few threads that tests have.
@Suite(.delivery, .serialized) enum DeliveryTests {}

/// Runs a server around all suites, and a party that suites of one test at a time share.
struct DeliveryTrait: SuiteTrait, TestScoping {
    @TaskLocal static var cloud: TestCloud?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        let cloud = try TestCloud(["--allow-webhook", "127.0.0.1"], environment: ["NEPHOS_PUSH_POLL_SECONDS": "1"])
        try await DeliveryTrait.$cloud.withValue(cloud) {
            try await SharedParties.$current.withValue(SharedParties()) { try await body() }
        }
        let end = try cloud.server.stop()
        #expect(end == .exited(0), "the server did not finish well: \(cloud.server.logText.suffix(2_000))")
        let check = try cloud.server.command.run(["check"])
        #expect(check.status == 0, "\(check)")
    }
}

extension Trait where Self == DeliveryTrait {
    static var delivery: Self { Self() }
}

/// A new party on the server of all suites.
func freshParty() throws -> Party { try Party(try #require(DeliveryTrait.cloud)) }
