import NephosStorage
import NephosTesting
import Synchronization

/// Collects an engine's news from now on.
final class ReceivedNews: Sendable {
    private let received = Mutex<[StorageNews]>([])

    init(of engine: any StorageEngine) {
        engine.listen { [self] news in received.withLock { $0.append(news) } }
    }

    /// All news, once the expected ones are among them: they arrive asynchronously. If they do not, those that have arrived.
    func all(once isThere: ([StorageNews]) -> Bool) async throws -> [StorageNews] {
        _ = try await Deadline().awaits { received.withLock { isThere($0) } }
        return received.withLock { $0 }
    }
}
