import NephosTesting
import Testing

/// The protocol, from outside: a real server, spoken to over HTTP and set up by the real command.
///
/// All suites share one server, which stops when the last test has ended. Each test has a container of its own, but for
/// the rows of tables, which share one for their suite. What is tested is what docs/protocol.md says; tests name its
/// rules.
@Suite(.server) enum ServerTests {}

/// Runs a server around a suite.
struct ServerTrait: SuiteTrait, TestScoping {
    @TaskLocal static var cloud: TestCloud?
    @TaskLocal static var shared = SharedNotes()

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        let cloud = try TestCloud()
        try await ServerTrait.$cloud.withValue(cloud) {
            try await ServerTrait.$shared.withValue(SharedNotes()) { try await body() }
        }
        let end = try cloud.server.stop()
        #expect(end == .exited(0), "the server did not finish well: \(cloud.server.logText.suffix(2_000))")
    }
}

extension Trait where Self == ServerTrait {
    static var server: Self { Self() }
}

/// A new container on the suite's server.
func freshContainer(environment: String = "development") throws -> TestContainer {
    try #require(ServerTrait.cloud).container(environment: environment)
}
