import Synchronization

/// What rules have worked out about the changes of a database while a decision is made: for the next question, by the types of the values.
/// It is a saving, and nothing else: what is kept follows from the changes and from what was read.
final class RuleMemory: Sendable {
    /// A few, so that they are looked for one by one.
    private let values = Mutex<[(type: ObjectIdentifier, value: any Sendable)]>([])

    func value<Value: Sendable>(_ work: () -> Value) -> Value {
        let type = ObjectIdentifier(Value.self)
        let known = values.withLock { values in values.first { $0.type == type }?.value }
        if let known = known as? Value { return known }
        let value = work()
        values.withLock { $0.append((type, value)) }
        return value
    }
}
