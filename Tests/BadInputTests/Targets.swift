import NephosTesting
import ServerTesting
import Synchronization
import Testing

/// The servers that rows are sent to: a process for rows about transport, tickets and credentials, whose log has a line for each
/// request; and one in this process for rows about bodies. Each is created for the first row that needs it.
final class Targets: Sendable {
    enum Place: Hashable { case inside, process }

    @TaskLocal static var current = Targets()
    @TaskLocal static var place = Place.process

    private let made = Mutex<[Place: Target]>([:])

    /// The target of the row's suite. - Throws: An error if the server did not start.
    func target() throws -> Target {
        try made.withLock { made in
            if let target = made[Self.place] { return target }
            let server: any TestServer =
                switch Self.place {
                case .inside: try InProcessServer()
                case .process: try ServerProcess(environment: ["NEPHOS_LOG_LEVEL": "trace"])
                }
            let target = try Target(server)
            made[Self.place] = target
            return target
        }
    }

    /// Stops them. - Returns: The logs of those that did not end cleanly.
    func end() throws -> [String] {
        let targets = made.withLock { made in
            defer { made = [:] }
            return made.values.map(\.server)
        }
        return try targets.filter { try $0.stop() != .exited(0) }.map { String($0.logText.suffix(2_000)) }
    }
}

/// Provides the servers for a suite's rows, and threads that may block on the one in this process.
struct TargetsTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        let targets = Targets()
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            try await Targets.$current.withValue(targets) { try await body() }
            #expect(try targets.end() == [], "a server did not finish well")
        }
    }
}

/// Sends a suite's rows to the server in this process.
struct InsideTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await Targets.$place.withValue(.inside) { try await body() }
    }
}

extension Trait where Self == TargetsTrait {
    static var targets: Self { Self() }
}

extension Trait where Self == InsideTrait {
    static var inside: Self { Self() }
}
