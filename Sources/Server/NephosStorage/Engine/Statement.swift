import Synchronization

/// The text of a statement, prepared once on each connection that uses it. Declare it as a constant: connections identify it by its number.
package struct Statement: Sendable {
    package let sql: String
    package let number: Int
    /// For text without parameters that is sent unprepared: preparing `BEGIN` saves nothing.
    package let isPlain: Bool

    private static let count = Atomic<Int>(0)

    package init(_ sql: String, isPlain: Bool = false) {
        self.sql = sql
        self.isPlain = isPlain
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    /// The cached statement for a text that is composed where it is used, from a small number of parts.
    package static func kept(_ sql: String) -> Statement { keptTexts.value(sql) { Statement(sql) } }

    private static let keptTexts = DerivedValueCache<String, Statement>()
}

/// A cache of values that are derived from descriptions or parts, each once per process.
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
