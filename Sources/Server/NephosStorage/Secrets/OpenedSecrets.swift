import Synchronization

/// A cache of opened secrets: a session's is read with each of its requests, and opening it costs more than everything else
/// that is done with it.
final class OpenedSecrets: Sendable {
    private struct Opened {
        let stored: [UInt8]
        let place: [UInt8]
        let bytes: [UInt8]
    }

    /// Keyed by the last bytes of the stored form, which are as good as random.
    private let known = Mutex<[UInt64: Opened]>([:])

    /// The maximum number of entries, some megabytes; then the cache is cleared.
    private static let most = 10_000

    /// - Parameters:
    ///   - place: What the secret was sealed for: it cannot be opened elsewhere.
    ///   - open: Opens a secret that is not cached.
    func bytes(_ stored: [UInt8], for place: [UInt8], _ open: () -> [UInt8]?) -> [UInt8]? {
        let end = stored.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        if let opened = known.withLock({ $0[end] }), opened.stored == stored, opened.place == place {
            return opened.bytes
        }
        guard let bytes = open() else { return nil }
        known.withLock { known in
            if known.count >= Self.most { known.removeAll(keepingCapacity: true) }
            known[end] = Opened(stored: stored, place: place, bytes: bytes)
        }
        return bytes
    }
}
