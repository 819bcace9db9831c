import CloudKitWire
import Yams

/// A YAML file that is a mapping: its members as JSON, and the positions of all values. Anchors, aliases and duplicate keys are refused.
package struct YAMLText {
    /// In the order of the file: each with the position of its value.
    package private(set) var members: [(name: String, value: ArraySlice<UInt8>, place: Place?)] = []
    /// Lines and columns of values, from 1, by path: `audiences.spanish.all[0]`.
    private var places: [String: Place] = [:]

    package struct Place: Equatable, CustomStringConvertible {
        package let line: Int
        package let column: Int

        package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

        package var description: String { "line \(line), column \(column)" }
    }

    /// The maximum nesting depth of values.
    static let depthMax = 32

    /// - Parameter beginning: How such a file begins, for people: `version: 1`.
    /// - Throws: Why it is not valid, with line and column.
    package init(_ text: String, beginning: String) throws(YAMLFailure) {
        try YAMLGuard.check(text)
        do {
            let parser = try Parser(yaml: text)
            // Nodes have their anchors only while the parser exists.
            try withExtendedLifetime(parser) { try read(parser.singleRoot(), beginning) }
        } catch let error as YamlError {
            throw YAMLFailure(error)
        } catch let error as YAMLFailure {
            throw error
        } catch {
            throw YAMLFailure("\(error)", at: nil)
        }
    }

    private mutating func read(_ root: Node?, _ beginning: String) throws(YAMLFailure) {
        guard let root else { throw YAMLFailure("it is empty: begin with \(beginning)", at: nil) }
        guard case .mapping(let mapping) = root else {
            throw YAMLFailure("it must be a list of names with values, beginning with \(beginning)", at: Place(root))
        }
        var names: Set<String> = []
        for (key, value) in mapping {
            let name = try Self.name(key, after: &names)
            var json = JSONWriter()
            places[name] = Place(key)
            try write(value, to: &json, at: name, depth: 1)
            members.append((name, json.bytes[...], Place(value)))
        }
    }

    /// The position of a value; for a missing one, that of the nearest enclosing value.
    package func place(of path: String) -> Place? {
        var path = path[...]
        while true {
            if let place = places[String(path)] { return place }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = path[..<end]
        }
    }

    /// - Parameter names: The previous keys.
    private static func name(_ key: Node, after names: inout Set<String>) throws(YAMLFailure) -> String {
        guard key.anchor == nil, case .scalar(let scalar) = key else {
            throw YAMLFailure("a key must be a word", at: Place(key))
        }
        // To the parser keys of different types, such as 1 and "1", are different.
        guard names.insert(scalar.string).inserted else {
            throw YAMLFailure("the key \(WireError.excerpt(scalar.string)) appears twice", at: Place(key))
        }
        return scalar.string
    }

    private mutating func write(
        _ node: Node, to json: inout JSONWriter, at path: String, depth: Int
    ) throws(YAMLFailure) {
        guard node.anchor == nil else { throw YAMLFailure(YAMLGuard.anchors, at: Place(node)) }
        guard depth <= Self.depthMax else {
            throw YAMLFailure("values are nested more than \(Self.depthMax) deep", at: Place(node))
        }
        switch node {
        case .scalar(let scalar): json.write(scalar)
        case .sequence(let sequence):
            json.beginArray()
            for (index, element) in sequence.enumerated() {
                let path = "\(path)[\(index)]"
                places[path] = Place(element)
                try write(element, to: &json, at: path, depth: depth + 1)
            }
            json.endArray()
        case .mapping(let mapping):
            json.beginObject()
            var names: Set<String> = []
            for (key, value) in mapping {
                let name = try Self.name(key, after: &names)
                let path = "\(path).\(WireError.excerpt(name))"
                places[path] = Place(key)
                json.key(named: Name(name))
                try write(value, to: &json, at: path, depth: depth + 1)
            }
            json.endObject()
        case .alias: throw YAMLFailure(YAMLGuard.anchors, at: Place(node))
        }
    }
}

/// Why a file is not valid.
package struct YAMLFailure: Error, Equatable, CustomStringConvertible {
    package let reason: String
    package let place: YAMLText.Place?

    package init(_ reason: String, at place: YAMLText.Place?) { (self.reason, self.place) = (reason, place) }

    /// From an error of the YAML parser.
    init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init("this is not valid YAML: \(problem)", at: YAMLText.Place(line: mark.line, column: mark.column))
        case .duplicatedKeysInMapping(let duplicates, let context):
            let mark = context.mark
            self.init(
                "the key \(duplicates.first ?? "") appears twice",
                at: YAMLText.Place(line: mark.line, column: mark.column))
        default: self.init("this is not valid YAML: \(error)", at: nil)
        }
    }

    package var description: String { place.map { "\($0): \(reason)" } ?? reason }
}

extension YAMLText.Place {
    /// - Returns: nil if the parser does not have the position.
    fileprivate init?(_ node: Node) {
        guard let mark = node.mark else { return nil }
        self.init(line: mark.line, column: mark.column)
    }
}

extension JSONWriter {
    /// The value of a scalar in YAML 1.2: `no` and `on` are words, so NO can be Norway.
    fileprivate mutating func write(_ scalar: Node.Scalar) {
        switch PlainScalar(scalar.string, isQuoted: scalar.style != .plain && scalar.style != .any) {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let text): raw(Array(text.utf8)[...])
        case .string(let text): string(text)
        }
    }
}
