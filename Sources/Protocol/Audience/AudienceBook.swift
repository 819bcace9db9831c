public import CloudKitWire

/// The audiences of a container by name, as in its settings: `{"spanish":{"locale":["es"]}}`.
public struct AudienceBook: Sendable, Equatable {
    public static let empty = AudienceBook()
    /// Maximum number of audiences of a container.
    public static let audiencesMax = 1_000
    /// Maximum number of conditions that evaluating one audience may take. Audiences that it names count each time they are named.
    public static let stepsMax = 10_000

    private var conditions: [Name: Condition] = [:]

    /// The maximum number of conditions that evaluating each audience takes.
    private var steps: [Name: Int] = [:]

    private init() {}

    /// - Throws: An error for a condition that cannot be parsed, the name of an audience that does not exist, or audiences that
    ///   refer to each other in a circle.
    public init(_ json: inout JSONReader) throws(WireError) {
        var conditions: [Name: Condition] = [:]
        try json.readObject { json, key throws(WireError) in
            guard conditions.count < Self.audiencesMax else {
                throw WireError("more than \(Self.audiencesMax) audiences", offset: json.offset, isLimit: true)
            }
            let name = key.name
            guard !name.bytes.isEmpty else { throw WireError("an audience needs a name", offset: json.offset) }
            var reader = ConditionReader(salt: name.text)
            conditions[name.owned] = try reader.read(&json)
        }
        self.conditions = conditions
        var steps: [Name: (count: Int, depth: Int)] = [:]
        for name in names { _ = try self.steps(of: name, &steps, within: []) }
        self.steps = steps.mapValues(\.count)
    }

    public subscript(name: String) -> Condition? { conditions[Name(name)] }

    public var names: [String] { conditions.keys.sorted().map(\.text) }

    /// The maximum number of conditions that evaluating an audience takes, and the length of the longest chain of audiences from
    /// it.
    private func steps(
        of name: String, _ known: inout [Name: (count: Int, depth: Int)], within: [String]
    ) throws(WireError) -> (count: Int, depth: Int) {
        if let steps = known[Name(name)] { return steps }
        guard !within.contains(name) else {
            throw WireError(
                "audiences refer to each other in a circle: \((within + [name]).joined(separator: ", "))", path: name)
        }
        guard let condition = self[name] else {
            throw WireError("there is no audience \(name)", path: within.last ?? "")
        }
        // The outermost audience of the chain is too deep and is reported first.
        guard within.count < ConditionReader.depthMax else { throw Self.tooDeep(within[0]) }
        var steps = try steps(of: condition, &known, within: within + [name])
        steps.depth += 1
        guard steps.depth <= ConditionReader.depthMax else { throw Self.tooDeep(name) }
        guard steps.count <= Self.stepsMax else {
            throw WireError(
                "it has more than \(Self.stepsMax) conditions, with those of its audiences", path: name, isLimit: true)
        }
        known[Name(name)] = steps
        return steps
    }

    private static func tooDeep(_ name: String) -> WireError {
        WireError(
            "more than \(ConditionReader.depthMax) audiences refer to each other in a row", path: name, isLimit: true)
    }

    private func steps(
        of condition: Condition, _ known: inout [Name: (count: Int, depth: Int)], within: [String]
    ) throws(WireError) -> (count: Int, depth: Int) {
        switch condition {
        case .all(let conditions), .any(let conditions):
            var all = (count: 1, depth: 0)
            for condition in conditions {
                let steps = try self.steps(of: condition, &known, within: within)
                all = (all.count + steps.count, max(all.depth, steps.depth))
            }
            return all
        case .not(let condition): return try plusOne(steps(of: condition, &known, within: within))
        case .audience(let name): return try plusOne(steps(of: name, &known, within: within))
        default: return (1, 0)
        }
    }

    private func plusOne(_ steps: (count: Int, depth: Int)) -> (count: Int, depth: Int) {
        (steps.count + 1, steps.depth)
    }

    /// The maximum number of conditions that evaluating this one takes, including audiences that it names.
    public func steps(of condition: Condition) -> Int {
        switch condition {
        case .all(let conditions), .any(let conditions): conditions.reduce(1) { $0 + steps(of: $1) }
        case .not(let condition): 1 + steps(of: condition)
        case .audience(let name): 1 + (steps[Name(name)] ?? 0)
        default: 1
        }
    }

    /// The same audiences with their recurrences precomputed from this time on.
    public func prepared(at now: Int64) -> AudienceBook {
        var book = self
        book.conditions = conditions.mapValues { $0.prepared(at: now) }
        return book
    }
}

extension Condition {
    /// The same condition with its recurrences precomputed from this time on.
    public func prepared(at now: Int64) -> Condition {
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
