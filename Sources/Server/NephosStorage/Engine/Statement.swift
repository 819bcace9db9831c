import Synchronization

/// The text of a statement, which is prepared once on each connection that uses it. Declare a statement as a constant:
/// connections identify it by its number.
package struct Statement: Sendable {
    package let sql: String
    package let number: Int
    /// Whether the text, which has no parameters, is sent unprepared: preparing `BEGIN`, for example, saves nothing.
    package let isPlain: Bool

    private static let count = Atomic<Int>(0)

    package init(_ sql: String, isPlain: Bool = false) {
        self.sql = sql
        self.isPlain = isPlain
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    /// Returns the cached statement for a text that is composed at run time. There must be few different texts, because
    /// they are cached as long as the process runs.
    package static func kept(_ sql: String) -> Statement { keptTexts.value(sql) { Statement(sql) } }

    private static let keptTexts = DerivedValueCache<String, Statement>()
}

/// A cache of values that are derived from their keys, each once per process.
package final class DerivedValueCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let known = Mutex<[Key: Value]>([:])

    package init() {}

    package func value(_ key: Key, make: () -> Value) -> Value {
        known.withLock { known in
            if let value = known[key] { return value }
            let value = make()
            known[key] = value
            return value
        }
    }
}
