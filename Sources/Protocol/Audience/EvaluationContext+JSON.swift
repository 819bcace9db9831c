public import CloudKitWire

extension EvaluationContext {
    /// Maximum number of keys on the first level of a context.
    static let membersMax = 256
    static let targetingKeyBytesMax = 1_024

    /// Parses a context as apps send it: `{"targetingKey":"d1","locale":"es-MX","platform":"iOS","appVersion":"2.4"}`. Unknown keys
    /// are claims; objects and arrays are ignored.
    ///
    /// - Throws: An error if a value is not valid for its key: an empty `targetingKey`, the version `1..2`, the locale `xx_`.
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
            case "locale":
                context.locale = try json.readValue("a locale such as es or es-MX") { LanguageTag($0) }
            case "platform": context.setPlatform(try json.readText())
            case "osVersion":
                context.systemVersion = try json.readValue("a version such as 17.4") { Version($0) }
            case "appVersion":
                context.appVersion = try json.readValue("a version such as 2.4") { Version($0) }
            case "device": context.setDevice(try json.readText())
            case "country":
                context.setCountry(
                    try json.readValue("two letters such as MX") { text in
                        text.utf8.count == 2 && text.utf8.allSatisfy { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
                            ? text : nil
                    })
            default:
                switch try json.kind {
                case .object, .array, .null: return
                case .bool, .number, .string: context.claims[key.name.text] = try Scalar(&json)
                }
            }
        }
        self = context
    }
}

extension JSONReader {
    /// Reads a string and converts it with `make`.
    mutating func readValue<Value>(_ what: String, _ make: (String) -> Value?) throws(WireError) -> Value {
        let start = offset
        guard let value = make(try readText()) else { throw WireError("expected \(what)", offset: start) }
        return value
    }
}
