import Foundation

extension FlagValue {
    /// A Swift value as JSON; nil if it cannot be encoded.
    init?(encoding value: some Encodable) {
        switch value {
        case let value as Bool: self = .bool(value)
        case let value as String: self = .string(value)
        case let value as Int: self = .integer(Int64(value))
        case let value as Double: self = .double(value)
        default:
            guard let data = try? JSONEncoder().encode(value) else { return nil }
            self.init(json: String(decoding: data, as: UTF8.self))
        }
    }

    /// Decodes the value; nil if it is not of that type. A whole number is an integer in any notation; true is not a number.
    func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        if type == Bool.self { return boolValue as? Value }
        if type == String.self { return stringValue as? Value }
        if type == Int.self { return integerValue.flatMap { Int(exactly: $0) } as? Value }
        if type == Int64.self { return integerValue as? Value }
        if type == Double.self { return doubleValue as? Value }
        if type == FlagValue.self { return self as? Value }
        return try? JSONDecoder().decode(type, from: Data(jsonBytes))
    }

    /// The boolean, if it is one.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The text, if it is one.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The whole number, if it is one.
    public var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The number, if it is one.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}

extension FlagValue: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let double = try? value.decode(Double.self) {
            self = .double(double)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let list = try? value.decode([FlagValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: FlagValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .double(let double): try value.encode(double)
        case .string(let string): try value.encode(string)
        case .list(let list): try value.encode(list)
        case .object(let object): try value.encode(object)
        }
    }
}
