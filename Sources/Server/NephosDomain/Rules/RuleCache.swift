import Synchronization

/// A cache of what rules have computed from the changes of a database during a decision, by class. It only saves time: its values
/// follow from the changes and from what was read.
final class RuleCache: Sendable {
    /// Only a few, so a linear search is enough: checking the class of an object is cheap.
    private let values = Mutex<[any AnyObject & Sendable]>([])

    func value<Value: AnyObject & Sendable>(_ work: () -> Value) -> Value {
        let known = values.withLock { $0 }
        // A cast to a type that is not known at compile time takes a thousand instructions or more.
        for value in known where ObjectIdentifier(type(of: value)) == ObjectIdentifier(Value.self) {
            return unsafeDowncast(value, to: Value.self)
        }
        let value = work()
        values.withLock { $0.append(value) }
        return value
    }
}
