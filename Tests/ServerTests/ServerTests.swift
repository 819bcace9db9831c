import NephosTesting
import ServerTesting
import Testing

/// The protocol, from outside: a server inside this process, which receives requests and is configured by the command. Tests of
/// sockets, kills or the system's files are in ``SocketTests``.
///
/// All suites share one server, which stops when the last test has ended. Each test has its own container, except the rows of
/// tables, which share one per suite. The tests verify docs/protocol.md and name its rules.
@Suite(.server) enum ServerTests {}

/// The protocol over HTTP: a server in its own process, accessed through sockets.
@Suite(.serverProcess) enum SocketTests {}

/// Runs a server for a suite.
struct ServerTrait: SuiteTrait, TestScoping {
    @TaskLocal static var cloud: TestCloud?
    @TaskLocal static var shared = SharedNotes()

    let isProcess: Bool

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        let cloud = isProcess ? try TestCloud() : try TestCloud(inProcess: [:])
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            try await ServerTrait.$cloud.withValue(cloud) {
                try await ServerTrait.$shared.withValue(SharedNotes()) { try await body() }
            }
            try end(cloud)
        }
    }

    private func end(_ cloud: TestCloud) throws {
        let end = try cloud.server.stop()
        #expect(end == .exited(0), "the server did not finish well: \(cloud.server.logText.suffix(2_000))")
    }
}

extension Trait where Self == ServerTrait {
    static var server: Self { Self(isProcess: false) }
    static var serverProcess: Self { Self(isProcess: true) }
}

/// A new container on the suite's server.
func freshContainer(environment: String = "development") throws -> TestContainer {
    try #require(ServerTrait.cloud).container(environment: environment)
}
