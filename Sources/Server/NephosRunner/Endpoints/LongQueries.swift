import NephosStorage
import Synchronization

/// Queries that were given up on an event loop, so that they are not tried there again for a while. Some are forgotten, and some
/// short ones are taken for long: both only cost a little time.
final class LongQueries: Sendable {
    private static let slots = 1_024
    /// How many times a query is not tried before it is tried again. Indexes and records may have changed.
    private static let passes = 63

    private struct Slot {
        var hash = 0
        var passes = 0
    }

    /// Indexed by a part of the hash.
    private let slots = Mutex([Slot](repeating: Slot(), count: LongQueries.slots))

    /// Whether these queries should not be tried now.
    func pass(_ set: ReadSet) -> Bool {
        let (index, hash) = Self.place(of: set)
        return slots.withLock { slots in
            guard slots[index].hash == hash, slots[index].passes > 0 else { return false }
            slots[index].passes -= 1
            return true
        }
    }

    /// Notes that the queries were tried and given up.
    func add(_ set: ReadSet) {
        let (index, hash) = Self.place(of: set)
        slots.withLock { $0[index] = Slot(hash: hash, passes: Self.passes) }
    }

    /// The pages of a query share one slot.
    private static func place(of set: ReadSet) -> (index: Int, hash: Int) {
        var hasher = Hasher()
        for query in set.queries {
            hasher.combine(query.extent)
            hasher.combine(query.type)
            hasher.combine(query.conditions)
            hasher.combine(query.orders)
        }
        let hash = hasher.finalize()
        return (Int(UInt(bitPattern: hash) % UInt(slots)), hash)
    }
}
