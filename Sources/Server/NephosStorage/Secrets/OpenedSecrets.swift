import Synchronization

/// Secrets that were opened lately: a session's is read with each of its requests, and to open it costs more than all else that
/// is done with it.
final class OpenedSecrets: Sendable {
    private struct Opened {
        let stored: [UInt8]
        let place: [UInt8]
        let bytes: [UInt8]
    }

    /// By the end of what lies in the store, which is as good as random.
    private let known = Mutex<[UInt64: Opened]>([:])

    /// So many, and then it begins anew: some megabytes.
    private static let most = 10_000

    /// - Parameters:
    ///   - place: What it was sealed for: it opens nowhere else.
    ///   - open: Opens one that is not known.
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
