import NephosTesting
import Testing

/// Has a suite run on threads that may wait: its tests wait for what tasks of the server write, which need those that all share.
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
