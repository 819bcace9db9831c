import Synchronization

/// Whether a caller still waits for the result of a read. Any thread may abandon it once nobody waits; reads that
/// take long check it, and end with ``StorageError/abandoned``.
public final class Abandonment: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Creates a value for a result that a caller waits for.
    public init() {}

    /// Whether nobody waits any more. Once true, it stays true.
    public var isAbandoned: Bool { flag.load(ordering: .relaxed) }

    /// Records that nobody waits any more. May be called from any thread, any number of times.
    public func abandon() { flag.store(true, ordering: .relaxed) }
}

extension Abandonment? {
    /// Ends an operation that takes long once nobody waits for its result. If this is nil, the operation always
    /// continues.
    ///
    /// - Throws: ``StorageError/abandoned`` if nobody waits any more.
    @inline(__always)
    public func check() throws(StorageError) {
        if let self, self.isAbandoned { throw .abandoned }
    }
}
