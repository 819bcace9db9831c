import Synchronization

/// Whether somebody still waits for what is being read. Who waited says so from any thread once nobody does; what takes
/// long looks here, and ends with ``StorageError/abandoned``.
public final class Abandonment: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Creates one for an answer that somebody waits for.
    public init() {}

    /// Whether nobody waits any more. Once true it stays so.
    public var isAbandoned: Bool { flag.load(ordering: .relaxed) }

    /// Says that nobody waits any more. From any thread, and any number of times.
    public func abandon() { flag.store(true, ordering: .relaxed) }
}

extension Abandonment? {
    /// Ends what takes long once nobody waits for it; without one, somebody always waits.
    ///
    /// - Throws: ``StorageError/abandoned`` when nobody waits any more.
    @inline(__always)
    public func check() throws(StorageError) {
        if let self, self.isAbandoned { throw .abandoned }
    }
}
