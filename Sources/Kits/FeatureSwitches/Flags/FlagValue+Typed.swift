import Foundation

extension FlagValue {
    /// A value of a program as JSON says it; nil where it cannot be said.
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

    /// This as a value of a program; nil where it is no such value. A whole number is one however it is written; true is no number.
    func decoded<Value: Decodable>(as type: Value.Type) -> Value? {
        if type == Bool.self { return boolValue as? Value }
        if type == String.self { return stringValue as? Value }
        if type == Int.self { return integerValue.flatMap { Int(exactly: $0) } as? Value }
        if type == Int64.self { return integerValue as? Value }
        if type == Double.self { return doubleValue as? Value }
        if type == FlagValue.self { return self as? Value }
        return try? JSONDecoder().decode(type, from: Data(jsonBytes))
    }

    /// True or false, where it is that.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// Text, where it is that.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// A whole number, where it is that.
    public var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// A number, where it is that.
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
