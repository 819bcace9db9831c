public import CloudKitWire

extension EvaluationContext {
    /// Maximum number of keys on the first level of a context.
    static let membersMax = 256
    static let targetingKeyBytesMax = 1_024

    /// Parses a context as apps send it: `{"targetingKey":"d1","locale":"es-MX","platform":"iOS","appVersion":"2.4"}`. Unknown keys
    /// are claims; objects and arrays are ignored. A property that cannot be read is not known (``report(_:_:)``).
    ///
    /// - Throws: An error for invalid JSON, and for a `targetingKey` that is empty, too long, or no string.
    public mutating func read(_ json: inout JSONReader) throws(WireError) {
        var members = 0
        var context = self
        try json.readObject { json, key throws(WireError) in
            members += 1
            guard members <= Self.membersMax else {
                throw WireError("more than \(Self.membersMax) keys", offset: json.offset, isLimit: true)
            }
            if try json.readNull() { return }
            switch key {
            case "targetingKey":
                let start = json.offset
                let text = try json.readText()
                guard !text.isEmpty else { throw WireError("it is empty", offset: start) }
                // Limited because it is hashed for each percentage.
                guard text.utf8.count <= Self.targetingKeyBytesMax else {
                    throw WireError("it has more than \(Self.targetingKeyBytesMax) bytes", offset: start, isLimit: true)
                }
                context.targetingKey = text
            case "locale": try context.report(.locale, &json)
            case "platform": try context.report(.platform, &json)
            case "osVersion": try context.report(.osVersion, &json)
            case "appVersion": try context.report(.appVersion, &json)
            case "device": try context.report(.device, &json)
            case "country": try context.report(.country, &json)
            case "timeZone":
                // A claim like any other, which also decides what day it is.
                guard let claim = try json.readScalar() else { return }
                context.claims["timeZone"] = claim
                context.report(.timeZone, claim.description)
            default: if let claim = try json.readScalar() { context.claims[key.name.text] = claim }
            }
        }
        self = context
    }

    /// Takes the next value, of which only a string can be read.
    private mutating func report(_ property: Property, _ json: inout JSONReader) throws(WireError) {
        switch try json.kind {
        case .string: report(property, try json.readText())
        case .number: unreadable[property] = "a number"
        case .bool: unreadable[property] = "true or false"
        case .array: unreadable[property] = "a list"
        case .object, .null: unreadable[property] = "an object"
        }
    }
}

extension JSONReader {
    /// Reads the next value; nil, without reading it, if it is an object or an array.
    fileprivate mutating func readScalar() throws(WireError) -> Scalar? {
        switch try kind {
        case .object, .array, .null: nil
        case .bool, .number, .string: try Scalar(&self)
        }
    }

    /// Reads a string and converts it with `make`.
    mutating func readValue<Value>(_ what: String, _ make: (String) -> Value?) throws(WireError) -> Value {
        let start = offset
        guard let value = make(try readText()) else { throw WireError("expected \(what)", offset: start) }
        return value
    }
}
