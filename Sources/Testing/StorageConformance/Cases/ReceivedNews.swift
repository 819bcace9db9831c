import NephosStorage
import Synchronization

/// Collects an engine's news from now on.
final class ReceivedNews: Sendable {
    private let received = Mutex<[StorageNews]>([])

    init(of engine: any StorageEngine) {
        engine.listen { [self] news in received.withLock { $0.append(news) } }
    }

    /// All news, once the expected ones are among them: they arrive asynchronously. After five seconds, returns what has arrived.
    func all(once isThere: ([StorageNews]) -> Bool) async throws -> [StorageNews] {
        for _ in 0..<500 where !received.withLock({ isThere($0) }) { try await Task.sleep(for: .milliseconds(10)) }
        return received.withLock { $0 }
    }
}
