import NephosTesting
import ServerTesting
import Testing

/// The protocol, from outside: a server inside this process, asked request by request and set up by the command. What is
/// about sockets, kills or files of the system is in ``SocketTests``.
///
/// All suites share one server, which stops when the last test has ended. Each test has a container of its own, but for
/// the rows of tables, which share one for their suite. What is tested is what docs/protocol.md says; tests name its
/// rules.
@Suite(.server) enum ServerTests {}

/// The protocol over HTTP: a server that is a process, spoken to over sockets.
@Suite(.serverProcess) enum SocketTests {}

/// Runs a server around a suite.
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
