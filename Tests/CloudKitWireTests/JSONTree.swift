import CloudKitWire
import Foundation
import NephosTesting

/// A document as a tree, read and written through the public API: tests compare it with Foundation's.
indirect enum JSONTree: Equatable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(reading json: ArraySlice<UInt8>) throws(WireError) {
        var reader = try JSONReader(json)
        self = try JSONTree(&reader)
        try reader.finish()
    }

    private init(_ reader: inout JSONReader) throws(WireError) {
        switch try reader.kind {
        case .null:
            _ = try reader.readNull()
            self = .null
        case .bool: self = .bool(try reader.readBool())
        case .number:
            var probe = reader
            if let value = try? probe.readInt64() {
                self = .int(value)
                reader = probe
            } else {
                self = .double(try reader.readDouble())
            }
        case .string: self = .string(String(decoding: try reader.readString(), as: UTF8.self))
        case .array:
            var elements: [JSONTree] = []
            try reader.readArray { reader, _ throws(WireError) in elements.append(try JSONTree(&reader)) }
            self = .array(elements)
        case .object:
            var members: [String: JSONTree] = [:]
            try reader.readObject { reader, key throws(WireError) in
                members[key.name.text] = try JSONTree(&reader)
            }
            self = .object(members)
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .int(let value): writer.int64(value)
        case .double(let value): writer.double(value)
        case .string(let value): writer.string(value)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            // In an order that is the same in every process, so that seeds are reproducible.
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                writer.key(named: Name(key))
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    /// The first difference from Foundation's result; nil if there is none. Its numbers lose their type, so they are compared by
    /// value.
    func disagreement(with other: Any) -> String? {
        switch self {
        case .null: return other is NSNull ? nil : "null / \(other)"
        case .bool(let value): return (other as? Bool) == value ? nil : "\(value) / \(other)"
        case .int(let value):
            guard let number = other as? NSNumber else { return "\(value) / \(other)" }
            // It parses a whole number with an exponent like any other number with one.
            if String(cString: number.objCType) == "d" {
                return JSONTree.double(Double(value)).disagreement(with: other)
            }
            return number.int64Value == value ? nil : "\(value) / \(other)"
        case .double(let value):
            // Its numbers are converted through decimals of 38 digits and are a few bits off; JSONNumberTests shows against the
            // standard library that ours are exact.
            let isNear = (other as? NSNumber).map { abs($0.doubleValue - value) <= 1e-14 * abs(value) } ?? false
            return isNear ? nil : "\(value) / \(other)"
        case .string(let value):
            return (other as? String).map { Array($0.utf8) } == Array(value.utf8)
                ? nil : "\(value.debugDescription) / \(other)"
        case .array(let elements):
            guard let others = other as? [Any], others.count == elements.count else { return "array" }
            return zip(elements, others).lazy.compactMap { $0.disagreement(with: $1) }.first
        case .object(let members):
            guard let others = other as? [String: Any], others.count == members.count else { return "object" }
            return members.lazy.compactMap { key, value in
                guard let other = others[key] else { return "key \(key.debugDescription)" }
                return value.disagreement(with: other)
            }.first
        }
    }
}

extension JSONTree {
    static func random(using random: inout SeededGenerator, depth: Int = 4) -> JSONTree {
        switch Int.random(in: 0..<(depth == 0 ? 6 : 9), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .int([0, -1, 1 << 53 + 1, .max, .min].randomElement(using: &random) ?? 0)
        case 3: .int(.random(in: -100_000...100_000, using: &random))
        case 4: .double(randomDouble(using: &random))
        case 5: .string(randomString(using: &random))
        case 6, 7: .object(randomMembers(using: &random, depth: depth))
        default:
            .array((0..<Int.random(in: 0...5, using: &random)).map { _ in .random(using: &random, depth: depth - 1) })
        }
    }

    private static func randomMembers(using random: inout SeededGenerator, depth: Int) -> [String: JSONTree] {
        var members: [String: JSONTree] = [:]
        for _ in 0..<Int.random(in: 0...40, using: &random) / depth {
            // Foundation's dictionaries merge canonically equivalent keys; ours are compared by bytes. Use keys on which both
            // agree.
            members["k\(members.count)" + randomString(using: &random).filter(\.isASCII)] =
                .random(using: &random, depth: depth - 1)
        }
        return members
    }

    /// Not a whole number, so that it stays a double when it is read back.
    private static func randomDouble(using random: inout SeededGenerator) -> Double {
        while true {
            let value = Double(bitPattern: random.next())
            if value.isFinite, Int64(exactly: value) == nil { return value }
        }
    }

    static func randomString(using random: inout SeededGenerator) -> String {
        let pieces = [
            "a", "Z", "/", "\"", "\\", "\n", "\t", "\u{8}", "\u{1F}", "\u{0}", "é", "e\u{301}", "漢", "🌱", "\u{2028}",
        ]
        return (0..<Int.random(in: 0...24, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }
}
