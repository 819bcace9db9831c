import NephosStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Connections for reading: one for each read in progress, and a few idle ones. The most recently returned one is taken
/// first, so that those that only a burst needed stay at the bottom, and are closed after a while.
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
    ///   - limit: Maximum number of idle connections.
    ///   - keptFor: How long a connection may be idle. It is closed when another is returned after that; the last one is kept.
    init(path: String, limit: Int, keptFor: Duration = .seconds(10)) {
        self.path = path
        self.limit = limit
        self.keptFor = keptFor
    }

    var idleCount: Int { idle.withLock { $0.readers.count } }

    /// Provides `body` with a reader, inside one snapshot.
    func read<Answer>(_ body: (TenantReader) throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        let reader = try take()
        defer { giveBack(reader) }
        try reader.connection.beginReading()
        // A read has nothing to commit; a rollback cannot fail.
        defer { reader.connection.rollback() }
        return try body(reader)
    }

    /// Closes the idle connections; those in use are closed when they are returned.
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
    /// ``withLock(_:)`` for a body of a few instructions: it spins, and yields to other threads in between.
    ///
    /// A mutex that threads wait for is handed over by the system, to the thread that has waited longest, at every unlock. If
    /// each thread returns within microseconds, as with a pool, all of them would wait from the first collision on.
    fileprivate func withBriefLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        while true {
            for _ in 0..<20 { if let result = withLockIfAvailable(body) { return result } }
            sched_yield()
        }
    }
}
