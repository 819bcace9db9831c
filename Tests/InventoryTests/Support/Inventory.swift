/// Apple's names, each with a use that compiles only if the library has the name, with its full type.
///
/// `scripts/inventory` parses these calls as the compiler does: a call's first argument is the name, its second the use.
struct Inventory {
    enum State: String {
        case now
        /// It compiles, and fails with an error that explains this.
        case notYet = "not yet"
    }

    struct Symbol: Equatable {
        let topic: String
        let name: String
        let state: State

        var line: String { "\(topic) | \(name) | \(state.rawValue)" }
    }

    private(set) var symbols: [Symbol] = []
    /// Constants with another value than Apple's.
    private(set) var wrong: [String] = []
    private var topic = ""
    private var state = State.now

    /// The topic of the following calls.
    mutating func topic(_ name: String, _ state: State = .now) { (topic, self.state) = (name, state) }

    private mutating func add(_ name: String) { symbols.append(Symbol(topic: topic, name: name, state: state)) }

    /// A class, struct, enum or protocol. The type it is cast to states its superclass and conformances.
    mutating func type(_ name: String, _ type: Any.Type) { add(name) }

    /// Another name of a type.
    mutating func alias<T>(_ name: String, _ alias: T.Type, _ type: T.Type) { add(name) }

    /// A property, or a subscript, that can be read.
    mutating func get<Root, Value>(_ name: String, _ path: KeyPath<Root, Value>, _ type: Value.Type) { add(name) }

    /// A property, or a subscript, that can be set as well.
    mutating func set<Root, Value>(_ name: String, _ path: WritableKeyPath<Root, Value>, _ type: Value.Type) {
        add(name)
    }

    /// A function or an initializer. The type it is cast to is its type; the compiler accepts no other.
    mutating func function(_ name: String, _ function: Any) { add(name) }

    /// A constant with the same value on all platforms.
    mutating func constant<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
        add(name)
        if value != expected { wrong.append("\(name) is \(value), not \(expected)") }
    }

    /// A case, or an option, with the same raw value on all platforms.
    mutating func raw<Value: RawRepresentable>(_ name: String, _ value: Value, _ expected: Value.RawValue)
    where Value.RawValue: Equatable {
        add(name)
        if value.rawValue != expected { wrong.append("\(name) is \(value.rawValue), not \(expected)") }
    }
}

/// The types of blocks of operations and functions.
typealias Handler<Value> = @Sendable (Value?, (any Error)?) -> Void
typealias ResultHandler<Value> = @Sendable (Result<Value, any Error>) -> Void
typealias ItemResults<ID: Hashable, Value> = [ID: Result<Value, any Error>]
/// The types of blocks that operations call for each item, and at their end.
typealias ItemBlock<ID, Value> = (ID, Result<Value, any Error>) -> Void
typealias ResultBlock<Value> = (Result<Value, any Error>) -> Void
typealias OldBlock<Value> = (Value?, (any Error)?) -> Void
