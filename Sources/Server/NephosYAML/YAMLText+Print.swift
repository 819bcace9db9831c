import CloudKitWire
import Yams

extension YAMLText {
    /// A file with these members in this order, with values in JSON.
    package static func print(_ members: [(name: String, value: ArraySlice<UInt8>)]) throws -> String {
        var pairs: [(Node, Node)] = []
        for (name, value) in members {
            var json = try JSONReader(value)
            pairs.append((.word(name), try json.readNode()))
        }
        return try serialize(node: Node(pairs), indent: 2, width: -1, allowUnicode: true)
    }
}

extension Node {
    /// A scalar that every YAML parser reads as a string.
    fileprivate static func word(_ text: String) -> Node {
        Node(text, Tag(.str), PlainScalar.isDoubtful(text) ? .doubleQuoted : .any)
    }
}

extension JSONReader {
    /// Reads the next value as a part of a file.
    fileprivate mutating func readNode() throws(WireError) -> Node {
        switch try kind {
        case .string: return .word(String(decoding: try readString(), as: UTF8.self))
        case .bool: return Node(try readBool() ? "true" : "false", Tag(.bool))
        case .number: return Node(String(decoding: try skipValue(), as: UTF8.self), Tag(.float))
        case .null:
            _ = try readNull()
            return Node("null", Tag(.null))
        case .array:
            var nodes: [Node] = []
            try readArray { json, _ throws(WireError) in nodes.append(try json.readNode()) }
            return Node(nodes, Tag(.seq), nodes.allSatisfy { $0.scalar != nil } ? .flow : .block)
        case .object:
            var pairs: [(Node, Node)] = []
            try readObject { json, key throws(WireError) in
                pairs.append((.word(key.name.text), try json.readNode()))
            }
            return Node(pairs, Tag(.map), pairs.isEmpty ? .flow : .block)
        }
    }
}
