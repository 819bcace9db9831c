import Synchronization

/// What rules have worked out about the changes of a database while a decision is made: for the next question, by its class.
/// It is a saving, and nothing else: what is kept follows from the changes and from what was read.
final class RuleMemory: Sendable {
    /// A few, so that they are looked for one by one: it takes little to see of which class an object is.
    private let values = Mutex<[any AnyObject & Sendable]>([])

    func value<Value: AnyObject & Sendable>(_ work: () -> Value) -> Value {
        let known = values.withLock { $0 }
        // A cast to a type that is not known when this is compiled takes a thousand instructions and more.
        for value in known where ObjectIdentifier(type(of: value)) == ObjectIdentifier(Value.self) {
            return unsafeDowncast(value, to: Value.self)
        }
        let value = work()
        values.withLock { $0.append(value) }
        return value
    }
}
