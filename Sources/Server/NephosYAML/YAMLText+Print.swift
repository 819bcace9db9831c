import CloudKitWire
import Yams

extension YAMLText {
    /// A file with these members in this order, with values in JSON.
    package static func print(_ members: [(name: String, value: ArraySlice<UInt8>)]) throws -> String {
        var standIns = StandIns()
        let text = try print(members, &standIns)
        guard standIns.areExhausted else { return standIns.restored(text) }
        var none = StandIns(areUsed: false)
        return try print(members, &none)
    }

    private static func print(
        _ members: [(name: String, value: ArraySlice<UInt8>)], _ standIns: inout StandIns
    ) throws -> String {
        var pairs: [(Node, Node)] = []
        for (name, value) in members {
            var json = try JSONReader(value)
            pairs.append((.word(standIns.replaced(name)), try json.readNode(&standIns)))
        }
        return try serialize(node: Node(pairs), indent: 2, width: -1, allowUnicode: true)
    }
}

extension Node {
    /// A scalar that every YAML parser reads as a string.
    fileprivate static func word(_ text: String) -> Node {
        if isOfLines(text) { return Node(text, Tag(.str), .literal) }
        return Node(text, Tag(.str), PlainScalar.isDoubtful(text) ? .doubleQuoted : .any)
    }

    /// Whether people edit a text more easily as lines, and it is the same when it is read again: other breaks than line feeds become
    /// line feeds there.
    private static func isOfLines(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.contains("\n") && scalars.first?.properties.isWhitespace == false
            && !scalars.contains { ["\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0) }
    }
}

extension JSONReader {
    /// Reads the next value as a part of a file.
    fileprivate mutating func readNode(_ standIns: inout StandIns) throws(WireError) -> Node {
        switch try kind {
        case .string: return .word(standIns.replaced(String(decoding: try readString(), as: UTF8.self)))
        case .bool: return Node(try readBool() ? "true" : "false", Tag(.bool))
        case .number: return Node(String(decoding: try skipValue(), as: UTF8.self), Tag(.float))
        case .null:
            _ = try readNull()
            return Node("null", Tag(.null))
        case .array:
            var (nodes, own): ([Node], StandIns) = ([], standIns)
            try readArray { json, _ throws(WireError) in nodes.append(try json.readNode(&own)) }
            standIns = own
            return Node(nodes, Tag(.seq), nodes.allSatisfy { $0.scalar != nil } ? .flow : .block)
        case .object:
            var (pairs, own): ([(Node, Node)], StandIns) = ([], standIns)
            try readObject { json, key throws(WireError) in
                pairs.append((.word(own.replaced(key.name.text)), try json.readNode(&own)))
            }
            standIns = own
            return Node(pairs, Tag(.map), pairs.isEmpty ? .flow : .block)
        }
    }
}

/// Characters for private use that are printed in place of others, which the YAML library would print as numbers although every
/// reader shows them, such as emoji. Those that a text has itself get others, too, so that each stands for one.
private struct StandIns {
    private static let all: ClosedRange<UInt32> = 0xE000...0xF8FF

    private let areUsed: Bool
    private var standIns: [Unicode.Scalar: Unicode.Scalar] = [:]
    /// Whether there were not enough of them.
    private(set) var areExhausted = false

    init(areUsed: Bool = true) { self.areUsed = areUsed }

    mutating func replaced(_ text: String) -> String {
        guard areUsed, text.unicodeScalars.contains(where: { $0.value >= Self.all.lowerBound }) else { return text }
        var replaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { replaced.append(standIn(for: scalar)) }
        return String(replaced)
    }

    private mutating func standIn(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard scalar.value > 0xFFFF || Self.all.contains(scalar.value) else { return scalar }
        if let known = standIns[scalar] { return known }
        let next = Self.all.lowerBound + UInt32(standIns.count)
        guard Self.all.contains(next), let standIn = Unicode.Scalar(next) else {
            areExhausted = true
            return scalar
        }
        standIns[scalar] = standIn
        return standIn
    }

    func restored(_ text: String) -> String {
        guard !standIns.isEmpty else { return text }
        let originals = Dictionary(standIns.map { ($1, $0) }) { first, _ in first }
        var restored = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { restored.append(originals[scalar] ?? scalar) }
        return String(restored)
    }
}
