import Synchronization

/// What rules have worked out about the changes of a database while a decision is made: for the next question, by its class.
/// It is a saving, and nothing else: what is kept follows from the changes and from what was read.
final class RuleMemory: Sendable {
    /// A few, so that they are looked for one by one: it takes little to see of which class an object is.
    private let values = Mutex<[any AnyObject & Sendable]>([])

    func value<Value: AnyObject & Sendable>(_ work: () -> Value) -> Value {
        let known = values.withLock { $0 }
        for case let value as Value in known { return value }
        let value = work()
        values.withLock { $0.append(value) }
        return value
    }
}
