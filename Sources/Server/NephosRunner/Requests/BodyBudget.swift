import Synchronization

/// Counts the bytes of request bodies and unsent responses held by all connections together, or by those of one client.
package final class BodyBudget: Sendable {
    /// The maximum number of bytes held.
    package let bytesMax: Int
    /// Counts the same bytes for all clients together; nil if this budget does.
    package let all: BodyBudget?
    private let held = Atomic<Int>(0)

    package init(bytesMax: Int, of all: BodyBudget? = nil) {
        self.bytesMax = bytesMax
        self.all = all
    }

    /// Bytes held now.
    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Whether more than half is used, so that nothing optional should be held.
    package var isTight: Bool { bytes > bytesMax / 2 || all?.isTight == true }

    /// Adds `bytes` if there is room for them; otherwise returns false and adds nothing.
    package func reserve(_ bytes: Int) -> Bool {
        if held.wrappingAdd(bytes, ordering: .relaxed).newValue <= bytesMax, all?.reserve(bytes) != false {
            return true
        }
        held.wrappingSubtract(bytes, ordering: .relaxed)
        return false
    }

    /// Adds `bytes` whether there is room or not.
    package func add(_ bytes: Int) {
        held.wrappingAdd(bytes, ordering: .relaxed)
        all?.add(bytes)
    }

    package func release(_ bytes: Int) {
        held.wrappingSubtract(bytes, ordering: .relaxed)
        all?.release(bytes)
    }
}
