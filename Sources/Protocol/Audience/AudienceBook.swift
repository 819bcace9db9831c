public import CloudKitWire

/// The audiences of a container by name, as its settings say: `{"spanish":{"locale":["es"]}}`.
public struct AudienceBook: Sendable, Equatable {
    public static let empty = AudienceBook()
    /// Audiences of a container.
    public static let audiencesMax = 1_000
    /// Conditions that judging by one audience may take, with those of audiences that it names, as often as it names them.
    public static let stepsMax = 10_000

    private var conditions: [String: Condition] = [:]

    private init() {}

    /// - Throws: What is wrong: a condition that cannot be read, the name of an audience that is not there, audiences that name each other
    ///   in a circle.
    public init(_ json: inout JSONReader) throws(WireError) {
        var conditions: [String: Condition] = [:]
        try json.readObject { json, key throws(WireError) in
            guard conditions.count < Self.audiencesMax else {
                throw WireError("more than \(Self.audiencesMax) audiences", offset: json.offset, isLimit: true)
            }
            let name = key.name.text
            guard !name.isEmpty else { throw WireError("an audience without a name", offset: json.offset) }
            var reader = ConditionReader(salt: name)
            conditions[name] = try reader.read(&json)
        }
        self.conditions = conditions
        var steps: [String: Int] = [:]
        for name in conditions.keys.sorted() { _ = try self.steps(of: name, &steps, within: []) }
    }

    public subscript(name: String) -> Condition? { conditions[name] }

    public var names: [String] { conditions.keys.sorted() }

    /// How many conditions judging by an audience takes at most.
    private func steps(of name: String, _ known: inout [String: Int], within: [String]) throws(WireError) -> Int {
        if let steps = known[name] { return steps }
        guard !within.contains(name), within.count < ConditionReader.depthMax else {
            throw WireError("audiences name each other: \((within + [name]).joined(separator: ", "))", path: name)
        }
        guard let condition = conditions[name] else {
            throw WireError("there is no audience \(name)", path: within.last ?? "")
        }
        let steps = try steps(of: condition, &known, within: within + [name])
        guard steps <= Self.stepsMax else {
            throw WireError("it takes more than \(Self.stepsMax) conditions", path: name, isLimit: true)
        }
        known[name] = steps
        return steps
    }

    private func steps(
        of condition: Condition, _ known: inout [String: Int], within: [String]
    ) throws(WireError) -> Int {
        switch condition {
        case .all(let conditions), .any(let conditions):
            var steps = 1
            for condition in conditions { steps += try self.steps(of: condition, &known, within: within) }
            return steps
        case .not(let condition): return 1 + (try steps(of: condition, &known, within: within))
        case .audience(let name): return 1 + (try steps(of: name, &known, within: within))
        default: return 1
        }
    }

    /// The same with their recurrences worked out from a moment on.
    func prepared(at now: Int64) -> AudienceBook {
        var book = self
        book.conditions = conditions.mapValues { $0.prepared(at: now) }
        return book
    }
}

extension Condition {
    /// The same with its recurrences worked out from a moment on.
    func prepared(at now: Int64) -> Condition {
        switch self {
        case .all(let conditions): .all(conditions.map { $0.prepared(at: now) })
        case .any(let conditions): .any(conditions.map { $0.prepared(at: now) })
        case .not(let condition): .not(condition.prepared(at: now))
        case .every(let recurrence): .every(recurrence.prepared(at: now))
        default: self
        }
    }

    /// Calls `body` with this and all conditions inside it.
    func forEach(_ body: (Condition) -> Void) {
        body(self)
        switch self {
        case .all(let conditions), .any(let conditions): for condition in conditions { condition.forEach(body) }
        case .not(let condition): condition.forEach(body)
        default: return
        }
    }
}
