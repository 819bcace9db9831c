import NephosStorage
import Synchronization

/// What an engine tells those who listen, from now on.
final class HeardNews: Sendable {
    private let heard = Mutex<[StorageNews]>([])

    init(of engine: any StorageEngine) {
        engine.listen { [self] news in heard.withLock { $0.append(news) } }
    }

    /// All of it, once it has what is waited for: news come after the answer. At the latest after five seconds, with what there is.
    func all(once isThere: ([StorageNews]) -> Bool) async throws -> [StorageNews] {
        for _ in 0..<500 where !heard.withLock({ isThere($0) }) { try await Task.sleep(for: .milliseconds(10)) }
        return heard.withLock { $0 }
    }
}
