import NephosStorage
import Synchronization

/// Collects an engine's news from now on.
final class HeardNews: Sendable {
    private let heard = Mutex<[StorageNews]>([])

    init(of engine: any StorageEngine) {
        engine.listen { [self] news in heard.withLock { $0.append(news) } }
    }

    /// All news, once the expected ones are among them: they arrive asynchronously. After five seconds, returns what has arrived.
    func all(once isThere: ([StorageNews]) -> Bool) async throws -> [StorageNews] {
        for _ in 0..<500 where !heard.withLock({ isThere($0) }) { try await Task.sleep(for: .milliseconds(10)) }
        return heard.withLock { $0 }
    }
}
