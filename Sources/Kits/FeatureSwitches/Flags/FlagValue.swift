package import CloudKitWire

/// A JSON value.
public indirect enum FlagValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case list([FlagValue])
    case object([String: FlagValue])
}

extension FlagValue: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(arrayLiteral elements: FlagValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, FlagValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension FlagValue {
    /// Parses a JSON document; nil if it is not valid.
    public init?(json: String) {
        guard var reader = try? JSONReader(Array(json.utf8)[...], limits: JSONLimits(depth: 128)),
            let value = try? FlagValue(&reader),
            (try? reader.finish()) != nil
        else { return nil }
        self = value
    }

    /// The most values of a document. A value takes many times the two bytes of `1,`.
    private static let valuesMax = 1_000_000

    /// Reads the next value.
    package init(_ json: inout JSONReader) throws(WireError) {
        var count = 0
        try self.init(&json, counting: &count)
    }

    /// - Parameter count: The number of values of the document so far.
    init(_ json: inout JSONReader, counting count: inout Int) throws(WireError) {
        count += 1
        guard count <= Self.valuesMax else { throw WireError("more than \(Self.valuesMax) values", isLimit: true) }
        switch try json.kind {
        case .null:
            _ = try json.readNull()
            self = .null
        case .bool: self = .bool(try json.readBool())
        case .string: self = .string(String(decoding: try json.readString(), as: UTF8.self))
        case .number:
            // Whole numbers stay integers if they fit.
            var whole = json
            let isWhole = !(try whole.skipValue()).contains { ".eE".utf8.contains($0) }
            if isWhole, let value = try? json.readInt64() {
                self = .integer(value)
            } else {
                self = .double(try json.readDouble())
            }
        case .array:
            var list: [FlagValue] = []
            try json.readArray { json, _ throws(WireError) in list.append(try FlagValue(&json, counting: &count)) }
            self = .list(list)
        case .object:
            var object: [String: FlagValue] = [:]
            try json.readObject { json, key throws(WireError) in
                object[key.name.text] = try FlagValue(&json, counting: &count)
            }
            self = .object(object)
        }
    }

    /// Writes the value. Keys are sorted, so equal values have equal bytes.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value): json.int64(value)
        case .double(let value): json.double(value)
        case .string(let value): json.string(value)
        case .list(let values):
            json.beginArray()
            for value in values { value.write(to: &json) }
            json.endArray()
        case .object(let values):
            json.beginObject()
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                json.key(named: Name(key))
                value.write(to: &json)
            }
            json.endObject()
        }
    }

    /// The value as JSON.
    public var json: String { String(decoding: jsonBytes, as: UTF8.self) }

    var jsonBytes: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }
}
