import NephosStorage
import Synchronization

/// Connections for reading: one for each read under way, a few idle ones kept.
final class ReaderPool: Sendable {
    private struct Idle {
        var readers: [TenantReader] = []
        var isClosed = false
    }

    private let idle = Mutex(Idle())
    private let path: String
    private let limit: Int

    /// - Parameter limit: Idle connections to keep.
    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

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
        idle.withLock {
            $0.isClosed = true
            $0.readers = []
        }
    }

    private func take() throws(StorageError) -> TenantReader {
        let (reader, isClosed) = idle.withLock { ($0.readers.popLast(), $0.isClosed) }
        if let reader { return reader }
        if isClosed { throw .closed }
        return TenantReader(try Connection(path: path, access: .read, settings: Tuning.reader))
    }

    private func giveBack(_ reader: TenantReader) {
        idle.withLock { if !$0.isClosed, $0.readers.count < limit { $0.readers.append(reader) } }
    }
}
