import NephosTesting
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests whose results do not depend on where the store is. Of the runs on both engines, only that on SQLite has them.
    static var onOneEngine: Self {
        .enabled(if: try TestEngine.chosen == .sqlite, "This does not depend on the storage engine.")
    }
}

/// Runs the tests of a suite that waits for processes on threads of their own: meanwhile those that all tests share are not blocked.
struct OwnThreadsTrait: SuiteTrait, TestScoping {
    private static let threads = OwnThreads(count: 2)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await body() }
    }
}

extension Trait where Self == OwnThreadsTrait {
    static var onOwnThreads: Self { Self() }
}
