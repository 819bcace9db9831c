public import CloudKitWire

/// Parses conditions as JSON: `{"locale":["es"],"app":">=2.3 <3"}`. Several keys of one object must all hold.
public struct ConditionReader: Sendable {
    /// Maximum number of values in a list of a condition.
    public static let valuesMax = 1_000
    /// Maximum number of conditions in one document, at any depth.
    public static let conditionsMax = 2_000
    /// A recurrence counts as this many conditions, because its windows are precomputed.
    static let recurrenceWeight = 20
    /// Maximum depth of nested conditions.
    public static let depthMax = 16

    /// The salt of percentages that specify none.
    private let salt: String
    private var left = conditionsMax

    public init(salt: String) { self.salt = salt }

    /// - Throws: The problem and its position: an invalid version, a percentage of 101, an end that is not after its beginning. An
    ///   unknown key is not an error: it becomes ``Condition/newer(_:)``.
    public mutating func read(_ json: inout JSONReader) throws(WireError) -> Condition {
        try read(&json, depth: 1)
    }

    private mutating func read(_ json: inout JSONReader, depth: Int) throws(WireError) -> Condition {
        guard depth <= Self.depthMax else {
            throw WireError(
                "more than \(Self.depthMax) nested conditions", offset: json.offset, isLimit: true)
        }
        let start = json.offset
        var conditions: [Condition] = []
        var span: (from: Int64?, until: Int64?) = (nil, nil)
        var me = self
        try json.readObject { json, key throws(WireError) in
            let condition = try me.condition(key, &json, depth)
            if case .from(let time) = condition { span.from = time }
            if case .until(let time) = condition { span.until = time }
            conditions.append(condition)
        }
        self = me
        if let from = span.from, let until = span.until, until <= from {
            throw WireError("until must be after from", offset: start)
        }
        guard !conditions.isEmpty else { throw WireError("a condition needs a key", offset: start) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func condition(
        _ key: JSONKey, _ json: inout JSONReader, _ depth: Int
    ) throws(WireError) -> Condition {
        try take(1, json)
        switch key {
        case "all": return .all(try list(&json, depth))
        case "any": return .any(try list(&json, depth))
        case "not": return .not(try read(&json, depth: depth + 1))
        case "audience":
            let names = try json.readOneOrMore { json throws(WireError) in try json.readText() }
            try take(names.count - 1, json)
            return names.count == 1 ? .audience(names[0]) : .any(names.map { .audience($0) })
        case "locale":
            return .locale(
                try json.readOneOrMore { json throws(WireError) in
                    try json.readValue("a locale such as es or es-MX") { LanguageTag($0) }
                })
        case "platform": return .platform(try json.readWords { $0.lowercased() })
        case "device": return .device(try json.readWords { $0.lowercased() })
        case "country": return .country(try json.readWords { Subtags.region($0) })
        case "os": return .system(try json.readRange())
        case "app": return .app(try json.readRange())
        case "signedIn": return .signedIn(try json.readBool())
        case "role": return .role(try json.readWords { $0 })
        case "person": return .person(try json.readWords { $0 })
        case "fact": return try facts(&json, Condition.fact)
        case "claim": return try facts(&json, Condition.claim)
        case "percent": return try percent(&json)
        case "from": return .from(try json.readMoment())
        case "until": return .until(try json.readMoment())
        case "every":
            try take(Self.recurrenceWeight - 1, json)
            return .every(try Recurrence(&json))
        case "day":
            try take(Self.recurrenceWeight - 1, json)
            return .day(try LocalDays(&json))
        case "flag": return try flag(&json)
        default: return .newer(key.name.text)
        }
    }

    /// Counts this many conditions.
    private mutating func take(_ count: Int, _ json: JSONReader) throws(WireError) {
        guard left >= count else {
            throw WireError("more than \(Self.conditionsMax) conditions", offset: json.offset, isLimit: true)
        }
        left -= count
    }

    private mutating func list(_ json: inout JSONReader, _ depth: Int) throws(WireError) -> [Condition] {
        var conditions: [Condition] = []
        var me = self
        try json.readArray { json, _ throws(WireError) in conditions.append(try me.read(&json, depth: depth + 1)) }
        self = me
        return conditions
    }

    /// `"subscriber"` for true, or values by name: `{"plan":["pro","team"]}`.
    private func facts(
        _ json: inout JSONReader, _ make: (String, [Scalar]) -> Condition
    ) throws(WireError) -> Condition {
        guard try json.kind == .object else {
            let names = try json.readOneOrMore { json throws(WireError) in try json.readText() }
            let conditions = names.map { make($0, [.bool(true)]) }
            return conditions.count == 1 ? conditions[0] : .any(conditions)
        }
        let start = json.offset
        var conditions: [Condition] = []
        try json.readObject { json, key throws(WireError) in
            conditions.append(
                make(key.name.text, try json.readOneOrMore { json throws(WireError) in try Scalar(&json) }))
        }
        guard !conditions.isEmpty else { throw WireError("an object needs a name", offset: start) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    /// `12.5`, or with its own salt: `{"share":12.5,"salt":"spring"}`.
    private func percent(_ json: inout JSONReader) throws(WireError) -> Condition {
        guard try json.kind == .object else { return .percent(try json.readPercentage(), Bucket(salt: salt)) }
        let start = json.offset
        var share: Int?
        var salt = salt
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "share": share = try json.readPercentage()
            case "salt": salt = try json.readText()
            default: throw WireError("a percentage has the keys share and salt", offset: json.offset)
            }
        }
        guard let share else { throw WireError("a percentage needs share", offset: start) }
        return .percent(share, Bucket(salt: salt))
    }

    /// `"tipJar"` for the value true, or variants by flag: `{"tipJar":"on"}`.
    private func flag(_ json: inout JSONReader) throws(WireError) -> Condition {
        guard try json.kind == .object else { return .flag(try json.readText(), variants: []) }
        let start = json.offset
        var conditions: [Condition] = []
        try json.readObject { json, key throws(WireError) in
            conditions.append(.flag(key.name.text, variants: try json.readWords { $0 }))
        }
        guard !conditions.isEmpty else { throw WireError("an object needs a flag", offset: start) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }
}

extension JSONReader {
    fileprivate mutating func readWords(_ make: (String) -> String) throws(WireError) -> [String] {
        try readOneOrMore { json throws(WireError) in make(try json.readText()) }
    }

    fileprivate mutating func readRange() throws(WireError) -> VersionRange {
        try readValue("versions such as >=2.3 <3") { VersionRange($0) }
    }

    /// A percentage from 0 to 100, in thousandths of a percent.
    mutating func readPercentage() throws(WireError) -> Int {
        let start = offset
        let thousandths = try readDouble() * 1_000
        // A number written with three decimals is rarely exact as a double.
        let whole = thousandths.rounded()
        guard abs(thousandths - whole) < 1e-6, (0...Double(Bucket.count)).contains(whole) else {
            throw WireError("expected 0 to 100, with at most three decimals", offset: start)
        }
        return Int(whole)
    }
}
