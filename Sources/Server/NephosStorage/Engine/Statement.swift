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
}
