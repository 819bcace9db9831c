import CloudKitWire

/// Why a record is not a valid flag.
public struct FlagFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The field of the record.
    public let field: String
    public let reason: String

    public var description: String { "\(field): \(reason)" }
}

extension Flag {
    /// - Throws: The problem and its field.
    public init(_ fields: FlagFields) throws(FlagFailure) {
        id = fields.id
        switch fields.state {
        case "on": isOn = true
        case "off", nil: isOn = false
        case let other?: throw FlagFailure("state", "expected on or off, not \(other.prefix(40))")
        }
        guard let kind = Kind(rawValue: fields.kind ?? Kind.boolean.rawValue) else {
            throw FlagFailure("kind", "expected \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.kind = kind
        let variants = try Self.read("variants", fields.variants) { json throws(WireError) in
            try Self.variants(&json, kind)
        }
        guard let variants, !variants.isEmpty else { throw FlagFailure("variants", "a flag needs a variant") }
        self.variants = variants
        func place(_ field: String, _ name: String?) throws(FlagFailure) -> Int {
            guard let name else { throw FlagFailure(field, "it is missing") }
            guard let place = variants.firstIndex(where: { $0.name == name }) else {
                throw FlagFailure(field, "there is no variant \(name.prefix(40))")
            }
            return place
        }
        offPlace = try place("offVariant", fields.offVariant)
        defaultPlace = try place("defaultVariant", fields.defaultVariant)
        let salt = fields.salt ?? fields.id
        rules =
            try Self.read("rules", fields.rules) { json throws(WireError) in
                try FlagRule.rules(&json, variants, salt: salt)
            } ?? []
        prerequisites =
            try Self.read("prerequisites", fields.prerequisites) { json throws(WireError) in
                try Prerequisite.prerequisites(&json)
            } ?? []
        schedule =
            try Self.read("schedule", fields.schedule) { json throws(WireError) in try Switch.schedule(&json) } ?? []
    }

    /// Parses the document in a field; nil if the field is empty.
    private static func read<Value>(
        _ field: String, _ text: String?, _ read: (inout JSONReader) throws(WireError) -> Value
    ) throws(FlagFailure) -> Value? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= documentBytesMax else {
            throw FlagFailure(field, "it has \(text.utf8.count) bytes, and can have at most \(documentBytesMax)")
        }
        do throws(WireError) {
            var json = try JSONReader(Array(text.utf8)[...], limits: JSONLimits(depth: 64))
            let value = try read(&json)
            try json.finish()
            return value
        } catch {
            throw FlagFailure(field, error.reason)
        }
    }

    private static func variants(_ json: inout JSONReader, _ kind: Kind) throws(WireError) -> [Variant] {
        var variants: [Variant] = []
        try json.readObject { json, key throws(WireError) in
            guard variants.count < variantsMax else {
                throw WireError("more than \(variantsMax) variants", offset: json.offset, isLimit: true)
            }
            let isRight: Bool =
                switch (kind, try json.kind) {
                case (.boolean, .bool), (.string, .string), (.number, .number), (.json, _): true
                default: false
                }
            guard isRight else { throw WireError("its value is not of kind \(kind.rawValue)", offset: json.offset) }
            // Clients must be able to parse the entire response: no number beyond a double, no duplicate key.
            var value = json
            try value.checkValue()
            variants.append(Variant(name: key.name.text, json: Array(try json.skipValue())))
        }
        return variants
    }
}

extension JSONReader {
    /// Reads the entire value, as a client does.
    fileprivate mutating func checkValue() throws(WireError) {
        switch try kind {
        case .object: try readObject { json, _ throws(WireError) in try json.checkValue() }
        case .array: try readArray { json, _ throws(WireError) in try json.checkValue() }
        case .number: _ = try readDouble()
        case .string, .bool, .null: _ = try skipValue()
        }
    }
}

extension FlagFailure {
    public init(_ field: String, _ reason: String) { (self.field, self.reason) = (field, reason) }
}

extension FlagRule {
    fileprivate static func rules(
        _ json: inout JSONReader, _ variants: [Flag.Variant], salt: String
    ) throws(WireError) -> [FlagRule] {
        var rules: [FlagRule] = []
        var reader = ConditionReader(salt: salt)
        try json.readArray { json, place throws(WireError) in
            guard place < Flag.rulesMax else {
                throw WireError("more than \(Flag.rulesMax) rules", offset: json.offset, isLimit: true)
            }
            let rule = try FlagRule(&json, place, &reader, variants, salt: salt)
            guard !rules.contains(where: { $0.id == rule.id }) else {
                throw WireError("two rules have the id \(rule.id.prefix(40))", offset: json.offset)
            }
            rules.append(rule)
        }
        return rules
    }

    private init(
        _ json: inout JSONReader, _ place: Int, _ reader: inout ConditionReader, _ variants: [Flag.Variant],
        salt: String
    ) throws(WireError) {
        let start = json.offset
        var (id, when, serving): (String?, Condition?, Serving?) = (nil, nil, nil)
        var newer: [Condition] = []
        var conditions = reader
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "id": id = try json.readText()
            case "when": when = try conditions.read(&json)
            case "serve": serving = try Serving(&json, variants, salt: salt)
            // With an unknown key of a newer version the rule may match fewer users than the known keys do.
            default: newer.append(.newer(key.name.text))
            }
        }
        reader = conditions
        guard let serving else { throw WireError("a rule needs serve", offset: start) }
        self.id = id ?? "\(place + 1)"
        self.when = newer.isEmpty ? when : .all(newer + (when.map { [$0] } ?? []))
        self.serving = serving
    }
}

extension FlagRule.Serving {
    /// `{"variant":"on"}`, `"on"`, or `{"split":{"on":25000,"off":75000}}`.
    fileprivate init(_ json: inout JSONReader, _ variants: [Flag.Variant], salt: String) throws(WireError) {
        func place(_ name: String, _ json: JSONReader) throws(WireError) -> Int {
            guard let place = variants.firstIndex(where: { $0.name == name }) else {
                throw WireError("there is no variant \(name.prefix(40))", offset: json.offset)
            }
            return place
        }
        if try json.kind == .string {
            let before = json
            self = .variant(try place(try json.readText(), before))
            return
        }
        let start = json.offset
        var serving: FlagRule.Serving?
        var ownSalt = salt
        var parts: [(below: Int, place: Int)]?
        try json.readObject { json, key throws(WireError) in
            let before = json
            switch key {
            case "variant": serving = .variant(try place(try json.readText(), before))
            case "salt": ownSalt = try json.readText()
            case "split":
                var (all, below): ([(below: Int, place: Int)], Int64) = ([], 0)
                try json.readObject { json, key throws(WireError) in
                    let place = try place(key.name.text, json)
                    let (at, share) = (json.offset, try json.readInt64())
                    guard (0...Int64(Bucket.count)).contains(share) else {
                        throw WireError("a share must be 0 to \(Bucket.count)", offset: at)
                    }
                    below += share
                    all.append((Int(below), place))
                }
                guard below == Bucket.count else {
                    throw WireError("the shares add up to \(below) instead of \(Bucket.count)", offset: before.offset)
                }
                parts = all
            default: throw WireError("serve has the keys variant, or split and salt", offset: json.offset)
            }
        }
        if let parts { serving = serving == nil ? .split(parts, Bucket(salt: ownSalt)) : nil }
        guard let serving else { throw WireError("serve needs either variant or split", offset: start) }
        self = serving
    }
}

extension Flag.Prerequisite {
    /// `["tipJar"]`, or `[{"flag":"tipJar","variants":["on"]}]`.
    fileprivate static func prerequisites(_ json: inout JSONReader) throws(WireError) -> [Self] {
        var all: [Self] = []
        try json.readArray { json, place throws(WireError) in
            guard place < ConditionReader.depthMax else {
                throw WireError(
                    "more than \(ConditionReader.depthMax) prerequisites", offset: json.offset, isLimit: true)
            }
            guard try json.kind == .object else {
                all.append(Self(flag: try json.readText(), variants: []))
                return
            }
            let start = json.offset
            var (flag, variants): (String?, [String]) = (nil, [])
            try json.readObject { json, key throws(WireError) in
                switch key {
                case "flag": flag = try json.readText()
                case "variants", "variant":
                    variants = try json.readOneOrMore { json throws(WireError) in try json.readText() }
                default: throw WireError("a prerequisite has the keys flag and variants", offset: json.offset)
                }
            }
            guard let flag else { throw WireError("a prerequisite needs a flag", offset: start) }
            all.append(Self(flag: flag, variants: variants))
        }
        return all
    }
}

extension Flag.Switch {
    /// `[{"at":"2027-03-07 00:00 America/Los_Angeles","state":"on"}]`
    fileprivate static func schedule(_ json: inout JSONReader) throws(WireError) -> [Self] {
        var all: [Self] = []
        try json.readArray { json, place throws(WireError) in
            guard place < Flag.scheduleMax else {
                throw WireError("more than \(Flag.scheduleMax) switches", offset: json.offset, isLimit: true)
            }
            let start = json.offset
            var (at, state): (Int64?, Bool?) = (nil, nil)
            try json.readObject { json, key throws(WireError) in
                switch key {
                case "at": at = try json.readMoment()
                case "state":
                    state = try json.readValue("on or off") { $0 == "on" ? true : $0 == "off" ? false : nil }
                default: throw WireError("a switch has the keys at and state", offset: json.offset)
                }
            }
            guard let at, let state else { throw WireError("a switch needs at and state", offset: start) }
            all.append(Self(at: at, isOn: state))
        }
        return all.sorted { $0.at < $1.at }
    }
}
