import Synchronization

/// Whether somebody still waits for what is being read. Who waited says so from any thread once nobody does; what takes
/// long looks here, and ends with ``StorageError/abandoned``.
public final class Abandonment: Sendable {
    private let flag = Atomic<Bool>(false)

    public init() {}

    public var isAbandoned: Bool { flag.load(ordering: .relaxed) }

    public func abandon() { flag.store(true, ordering: .relaxed) }
}

extension Abandonment? {
    /// - Throws: ``StorageError/abandoned`` when nobody waits any more.
    @inline(__always)
    public func check() throws(StorageError) {
        if let self, self.isAbandoned { throw .abandoned }
    }
}
