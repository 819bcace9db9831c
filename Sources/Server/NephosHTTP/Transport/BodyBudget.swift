import Synchronization

/// Counts the bytes of request bodies and unsent answers that all connections hold together.
package final class BodyBudget: Sendable {
    /// ``HTTPLimits/bufferedBytesMax``.
    package let bytesMax: Int
    private let held = Atomic<Int>(0)

    package init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Bytes held now.
    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Counts `bytes` in if there is room for them, else answers false and counts nothing.
    func reserve(_ bytes: Int) -> Bool {
        if held.wrappingAdd(bytes, ordering: .relaxed).newValue <= bytesMax { return true }
        release(bytes)
        return false
    }

    /// Counts `bytes` in whether there is room or not.
    func add(_ bytes: Int) {
        held.wrappingAdd(bytes, ordering: .relaxed)
    }

    func release(_ bytes: Int) {
        held.wrappingSubtract(bytes, ordering: .relaxed)
    }
}
