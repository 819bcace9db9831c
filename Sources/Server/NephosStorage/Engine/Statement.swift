import Synchronization

/// The text of a statement, prepared once on each connection that uses it. Declare one as a constant: its number is
/// what connections know it by.
package struct Statement: Sendable {
    package let sql: String
    package let number: Int
    /// Words without parameters that are sent as they are: preparing `BEGIN` saves nothing.
    package let isPlain: Bool

    private static let count = Atomic<Int>(0)

    package init(_ sql: String, isPlain: Bool = false) {
        self.sql = sql
        self.isPlain = isPlain
        number = Self.count.add(1, ordering: .relaxed).newValue
    }

    /// The statement of a text that is put together where it is needed, out of parts of which there are few.
    package static func kept(_ sql: String) -> Statement { keptTexts.value(sql) { Statement(sql) } }

    private static let keptTexts = MadeOnce<String, Statement>()
}

/// What is made from descriptions or parts, each once in a process.
package final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
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
