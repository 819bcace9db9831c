import NephosStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Connections for reading: one for each read under way, a few idle ones kept. The one that was given back last is taken
/// first, so that those which only a burst needed lie at the bottom, and go when they have lain there for a while.
final class ReaderPool: Sendable {
    private struct Idle {
        var readers: [(reader: TenantReader, since: ContinuousClock.Instant)] = []
        var isClosed = false
    }

    private let idle = Mutex(Idle())
    private let path: String
    private let limit: Int
    private let keptFor: Duration

    /// - Parameters:
    ///   - limit: Idle connections to keep.
    ///   - keptFor: How long one may lie idle. It goes when another is given back after that; the last one stays.
    init(path: String, limit: Int, keptFor: Duration = .seconds(10)) {
        self.path = path
        self.limit = limit
        self.keptFor = keptFor
    }

    var idleCount: Int { idle.withLock { $0.readers.count } }

    /// Lends a reader to `body`, inside one snapshot.
    func read<Answer>(_ body: (TenantReader) throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        let reader = try take()
        defer { giveBack(reader) }
        try reader.connection.beginReading()
        // A read has nothing to commit; ending it this way cannot fail either.
        defer { reader.connection.rollback() }
        return try body(reader)
    }

    /// Closes the idle connections; those lent out close when they come back.
    func close() {
        let readers = idle.withBriefLock { idle in
            idle.isClosed = true
            defer { idle.readers = [] }
            return idle.readers
        }
        // Closed outside of the lock.
        _ = consume readers
    }

    private func take() throws(StorageError) -> TenantReader {
        let (reader, isClosed) = idle.withBriefLock { ($0.readers.popLast()?.reader, $0.isClosed) }
        if let reader { return reader }
        if isClosed { throw .closed }
        return TenantReader(try Connection(path: path, access: .read, settings: Tuning.reader))
    }

    private func giveBack(_ reader: TenantReader) {
        let now = ContinuousClock.now
        let outlived = idle.withBriefLock { idle -> TenantReader? in
            if !idle.isClosed, idle.readers.count < limit { idle.readers.append((reader, now)) }
            guard let oldest = idle.readers.first, now - oldest.since > keptFor else { return nil }
            return idle.readers.removeFirst().reader
        }
        // Closed outside of the lock.
        _ = consume outlived
    }
}

extension Mutex where Value: ~Copyable {
    /// ``withLock(_:)`` for a body of a few instructions: it tries again and again, and lets others go on in between.
    ///
    /// A mutex that somebody waits for is handed over by the system, to who has waited longest, at every unlock. Where each
    /// thread comes back within microseconds, as to a pool, they would all wait from the first collision on.
    fileprivate func withBriefLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        while true {
            for _ in 0..<20 { if let result = withLockIfAvailable(body) { return result } }
            sched_yield()
        }
    }
}
