import Synchronization

/// Notifies listeners of news.
package final class NewsBroadcaster: Sendable {
    private let listeners = Mutex<[@Sendable (StorageNews) -> Void]>([])

    package init() {}

    package func add(_ listener: @escaping @Sendable (StorageNews) -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    package func notify(_ news: [StorageNews]) {
        guard !news.isEmpty else { return }
        let listeners = listeners.withLock { $0 }
        for listener in listeners { for item in news { listener(item) } }
    }
}
