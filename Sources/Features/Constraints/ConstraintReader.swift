import Audience
import CloudKitWire
import NephosStorage

/// Reads one constraint of the settings: `{"field":"title","rule":"length","max":80,"message":"Too long."}`.
struct ConstraintReader {
    static let textMax = 1_000
    static let valuesMax = 200
    static let fieldsMax = 8
    /// The maximum count of the rule `atMost`: a save reads as many claims.
    static let countMax = 100

    private var word: String?
    private var fields: [Name] = []
    private var message: String?
    private var values: [Scalar]?
    private var bounds: [String: (value: Double, text: String)] = [:]
    private var languages: [String] = []
    private var form: LocalizedForm?
    private var count: Int?
    private var start, end: Name?
    private var hasDrafts = false
    private var condition: [FieldCondition] = []
    /// Keys that only some rules have.
    private var special: Set<String> = []

    static func read(_ json: inout JSONReader, type: Name, place: String) throws(WireError) -> Constraint {
        let offset = json.offset
        var reader = ConstraintReader()
        try json.readObject { json, key throws(WireError) in try reader.read(key, &json) }
        return try reader.constraint(type, place, offset)
    }

    private mutating func read(_ key: JSONKey, _ json: inout JSONReader) throws(WireError) {
        switch key {
        case "rule": word = try text(&json)
        case "field": fields = [try name(&json)]
        case "message":
            message = try text(&json)
            if message?.isEmpty == true { throw WireError("message must not be empty", offset: json.offset) }
        case "fields", "group":
            special.insert(key.name.text)
            fields = try list(&json, max: Self.fieldsMax) { json throws(WireError) in try name(&json) }
        case "where": condition = try conditions(&json)
        case "values": values = try list(&json, max: Self.valuesMax) { json throws(WireError) in try Scalar(&json) }
        case "min", "max": bounds[key.name.text] = try bound(&json)
        case "languages":
            languages = try list(&json, max: Self.valuesMax) { json throws(WireError) in try language(&json) }
        case "form":
            let word = try text(&json)
            form = LocalizedForm(rawValue: word)
            if form == nil { throw WireError("form must be packed or json", offset: json.offset) }
        case "count": count = try number(&json, in: 1...Self.countMax)
        case "start": start = try name(&json)
        case "end": end = try name(&json)
        case "drafts": hasDrafts = try json.readBool()
        default:
            throw WireError(
                "a constraint can only have rule, field, fields, group, where, message, values, min, max, count, languages, form, start, end, drafts",
                offset: json.offset)
        }
        special.insert(key.name.text)
    }

    // MARK: Rules

    private static let keys: [String: Set<String>] = [
        "required": [], "notEmpty": [], "boolean": [], "exists": [], "oneOf": ["values"], "range": ["min", "max"],
        "length": ["min", "max"], "localized": ["languages", "form"], "unique": ["fields"],
        "atMost": ["count", "group"], "noOverlap": ["start", "end", "group", "drafts"],
    ]

    private func constraint(_ type: Name, _ place: String, _ offset: Int) throws(WireError) -> Constraint {
        let rules = Self.keys.keys.sorted().joined(separator: ", ")
        guard let word else { throw WireError("a constraint needs rule: \(rules)", offset: offset) }
        guard let keys = Self.keys[word] else { throw WireError("rule must be one of \(rules)", offset: offset) }
        let always: Set<String> = ["rule", "message", "where"]
        let isClaim = word == "atMost" || word == "noOverlap"
        let wrong = special.subtracting(always).subtracting(keys).subtracting(isClaim ? [] : ["field"])
        guard wrong.isEmpty else {
            throw WireError("rule \(word) does not take \(wrong.sorted().joined(separator: ", "))", offset: offset)
        }
        guard isClaim || !fields.isEmpty else { throw WireError("rule \(word) needs field", offset: offset) }
        guard !special.isSuperset(of: ["field", "fields"]) else {
            throw WireError("rule \(word) takes field or fields, not both", offset: offset)
        }
        guard Set(fields).count == fields.count else { throw WireError("a field is named twice", offset: offset) }
        let rule = try rule(word, offset)
        return Constraint(
            word: word, rule: rule, fields: fields, condition: condition.sorted { $0.field < $1.field },
            message: message, place: place, id: id(type, word))
    }

    private func rule(_ word: String, _ offset: Int) throws(WireError) -> Constraint.Rule {
        func needs(_ what: String) -> WireError { WireError("rule \(word) needs \(what)", offset: offset) }
        switch word {
        case "required": return .required
        case "notEmpty": return .notEmpty
        case "boolean": return .boolean
        case "exists": return .exists
        case "unique": return .atMost(1)
        case "oneOf":
            guard let values, !values.isEmpty else { throw needs("values, such as values: [small, large]") }
            return .oneOf(values)
        case "range":
            let (min, max) = (bounds["min"], bounds["max"])
            guard min != nil || max != nil else { throw needs("min or max") }
            if let min, let max, min.value > max.value {
                throw WireError("min must not be greater than max", offset: offset)
            }
            let texts = [min.map { "at least \($0.text)" }, max.map { "at most \($0.text)" }].compactMap(\.self)
            return .range(
                ValueRange(min: min?.value, max: max?.value, description: texts.joined(separator: " and ")))
        case "length":
            guard bounds["min"] != nil || bounds["max"] != nil else { throw needs("min or max") }
            let lengths = [bounds["min"]?.value ?? 0, bounds["max"]?.value ?? Double(Int32.max)].map {
                Int(exactly: $0)
            }
            guard let min = lengths[0], let max = lengths[1], min >= 0, min <= max else {
                throw WireError(
                    "min and max must be whole numbers, 0 or more, and min not greater than max", offset: offset)
            }
            return .length(min...max)
        case "localized":
            guard !languages.isEmpty else { throw needs("languages, such as languages: [en, es]") }
            return .localized(languages, form ?? .packed)
        case "atMost":
            guard let count else { throw needs("count, such as count: 1") }
            return .atMost(count)
        default:
            guard let start, let end else { throw needs("start and end") }
            guard start != end else { throw WireError("start and end must be different fields", offset: offset) }
            return .noOverlap(start: start, end: end, hasDrafts: hasDrafts)
        }
    }

    /// A hash of its meaning, which does not include its message and place.
    private func id(_ type: Name, _ word: String) -> Int64 {
        var json = JSONWriter()
        json.beginArray()
        for text in [type.text, word] { json.string(text) }
        json.beginArray()
        for field in fields { json.string(field.text) }
        json.endArray()
        json.beginArray()
        for condition in condition.sorted(by: { $0.field < $1.field }) {
            json.string(condition.field.text)
            condition.value.write(to: &json)
        }
        json.endArray()
        for value in values ?? [] { value.write(to: &json) }
        for (name, bound) in bounds.sorted(by: { $0.key < $1.key }) {
            json.string(name)
            json.double(bound.value)
        }
        for text in languages + [form?.rawValue ?? "", start?.text ?? "", end?.text ?? ""] { json.string(text) }
        json.int64(Int64(count ?? 0))
        if hasDrafts { json.string("drafts") }
        json.endArray()
        return Int64(bitPattern: json.bytes.withUnsafeBytes { xxHash64($0) })
    }

    // MARK: Parts

    private func text(_ json: inout JSONReader) throws(WireError) -> String {
        let text = String(decoding: try json.readString(), as: UTF8.self)
        guard text.utf8.count <= Self.textMax else {
            throw WireError("a text can have at most \(Self.textMax) bytes", offset: json.offset, isLimit: true)
        }
        return text
    }

    private func name(_ json: inout JSONReader) throws(WireError) -> Name {
        let name = try json.readName().owned
        guard !name.bytes.isEmpty, name.bytes.count <= 255 else {
            throw WireError("expected the name of a field", offset: json.offset)
        }
        return name
    }

    private func language(_ json: inout JSONReader) throws(WireError) -> String {
        let text = try text(&json)
        guard LanguageTag(text) != nil else {
            throw WireError("\(text.debugDescription) is not a valid language", offset: json.offset)
        }
        return text
    }

    private func number(_ json: inout JSONReader, in range: ClosedRange<Int>) throws(WireError) -> Int {
        guard let number = Int(exactly: try json.readInt64()), range.contains(number) else {
            throw WireError("expected \(range.lowerBound) to \(range.upperBound)", offset: json.offset)
        }
        return number
    }

    /// A number or a time.
    private func bound(_ json: inout JSONReader) throws(WireError) -> (value: Double, text: String) {
        switch try Scalar(&json) {
        case .number(let value): return (value, Scalar.number(value).description)
        case .string(let text):
            guard let moment = Moment.milliseconds(text) else {
                throw WireError("expected a number or a time, such as 2027-03-07T08:00:00Z", offset: json.offset)
            }
            return (Double(moment), text)
        case .bool: throw WireError("expected a number or a time", offset: json.offset)
        }
    }

    private func list<Value>(
        _ json: inout JSONReader, max: Int, _ read: (inout JSONReader) throws(WireError) -> Value
    ) throws(WireError) -> [Value] {
        var values: [Value] = []
        try json.readArray { json, _ throws(WireError) in
            guard values.count < max else {
                throw WireError("more than \(max) values", offset: json.offset, isLimit: true)
            }
            values.append(try read(&json))
        }
        return values
    }

    private func conditions(_ json: inout JSONReader) throws(WireError) -> [FieldCondition] {
        var conditions: [FieldCondition] = []
        try json.readObject { json, key throws(WireError) in
            guard conditions.count < Self.fieldsMax else {
                throw WireError("more than \(Self.fieldsMax) fields", offset: json.offset, isLimit: true)
            }
            conditions.append(FieldCondition(field: key.name.owned, value: try Scalar(&json)))
        }
        return conditions
    }
}
