public import CloudKitWire

/// A value of a fact or a claim: any JSON value other than an array or object.
public enum Scalar: Sendable, Hashable, CustomStringConvertible {
    case bool(Bool)
    case number(Double)
    case string(String)

    /// Reads the next value.
    public init(_ json: inout JSONReader) throws(WireError) {
        switch try json.kind {
        case .bool: self = .bool(try json.readBool())
        case .number: self = .number(try json.readDouble())
        case .string: self = .string(try json.readText())
        case .object, .array, .null: throw WireError("expected true, false, a number or a string", offset: json.offset)
        }
    }

    public func write(to json: inout JSONWriter) {
        switch self {
        case .bool(let value): json.bool(value)
        case .number(let value): json.double(value)
        case .string(let value): json.string(value)
        }
    }

    public var description: String {
        switch self {
        case .bool(let value): "\(value)"
        case .number(let value): Int64(exactly: value).map(String.init) ?? "\(value)"
        case .string(let value): value
        }
    }
}

extension JSONReader {
    /// Reads a string as text.
    mutating func readText() throws(WireError) -> String { String(decoding: try readString(), as: UTF8.self) }

    /// Reads one value, or a non-empty array of values.
    mutating func readOneOrMore<Value>(
        _ read: (inout JSONReader) throws(WireError) -> Value
    ) throws(WireError) -> [Value] {
        guard try kind == .array else { return [try read(&self)] }
        let start = offset
        var values: [Value] = []
        try readArray { json, _ throws(WireError) in
            guard values.count < ConditionReader.valuesMax else {
                throw WireError("more than \(ConditionReader.valuesMax) values", offset: json.offset, isLimit: true)
            }
            values.append(try read(&json))
        }
        guard !values.isEmpty else { throw WireError("an empty list would match nobody", offset: start) }
        return values
    }
}
