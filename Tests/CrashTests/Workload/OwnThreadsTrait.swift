import NephosTesting
import Testing

/// Runs suites on threads of their own, more than there are processors: each test waits for a process or for the disk most of the
/// time, and blocks its thread meanwhile.
struct OwnThreadsTrait: SuiteTrait, TestScoping {
    private static let threads = OwnThreads(count: 4)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await body() }
    }
}

extension Trait where Self == OwnThreadsTrait {
    static var onOwnThreads: Self { Self() }
}
