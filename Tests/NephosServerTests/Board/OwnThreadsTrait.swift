import NephosTesting
import Testing

/// Runs a suite on threads that may block: its tests wait for output of the server's tasks, which need the threads that all share.
struct OwnThreadsTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThreads.ofTests) { try await body() }
    }
}

extension Trait where Self == OwnThreadsTrait {
    static var onOwnThreads: Self { Self() }
}
