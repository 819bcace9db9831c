import CloudKitWire
import NephosDomain
package import NephosStorage
import Yams

/// A file of settings, read: its sections as JSON, and where in the file everything stands.
package struct SettingsText {
    /// Documents by the names of their sections, in the order of the file.
    package private(set) var sections: [(name: String, document: Bytes)] = []
    /// Lines and columns of values, from 1, by their paths below a section: `audiences.spanish.all[0]`.
    private var places: [String: Place] = [:]

    package struct Place: Equatable, CustomStringConvertible {
        package let line: Int
        package let column: Int

        package var description: String { "line \(line), column \(column)" }
    }

    /// The only version there is.
    static let version = "1"
    /// Values inside each other.
    static let depthMax = 32

    /// - Throws: What is wrong, with line and column.
    package init(_ text: String) throws(SettingsFailure) {
        try SettingsGuard.check(text)
        do {
            let parser = try Parser(yaml: text)
            // Nodes know their anchors as long as the parser is there.
            try withExtendedLifetime(parser) { try read(parser.singleRoot()) }
        } catch let error as YamlError {
            throw SettingsFailure(error)
        } catch let error as SettingsFailure {
            throw error
        } catch {
            throw SettingsFailure("\(error)", at: nil)
        }
    }

    private mutating func read(_ root: Node?) throws(SettingsFailure) {
        guard let root else { throw SettingsFailure("it is empty: begin with version: 1", at: nil) }
        guard case .mapping(let mapping) = root else {
            throw SettingsFailure("it must be a list of sections, beginning with version: 1", at: Place(root))
        }
        var isVersioned = false
        var names: Set<String> = []
        for (key, value) in mapping {
            let name = try Self.name(key, after: &names)
            if name == "version" {
                guard case .scalar(let scalar) = value, scalar.string == Self.version else {
                    throw SettingsFailure("this server reads version 1 of settings", at: Place(value))
                }
                isVersioned = true
                continue
            }
            var json = JSONWriter()
            places[name] = Place(key)
            try write(value, to: &json, at: name, depth: 1)
            sections.append((name, json.bytes[...]))
        }
        guard isVersioned else { throw SettingsFailure("begin with version: 1", at: Place(line: 1, column: 1)) }
    }

    /// Where something stands; where its whole does, for what does not stand there.
    func place(of path: String) -> Place? {
        var path = path[...]
        while true {
            if let place = places[String(path)] { return place }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = path[..<end]
        }
    }

    /// - Parameter names: Those of the keys before it.
    private static func name(_ key: Node, after names: inout Set<String>) throws(SettingsFailure) -> String {
        guard key.anchor == nil, case .scalar(let scalar) = key else {
            throw SettingsFailure("a key must be a word", at: Place(key))
        }
        // To the parser keys of other types are other keys, such as 1 and "1".
        guard names.insert(scalar.string).inserted else {
            throw SettingsFailure("the key \(WireError.excerpt(scalar.string)) stands there twice", at: Place(key))
        }
        return scalar.string
    }

    private mutating func write(
        _ node: Node, to json: inout JSONWriter, at path: String, depth: Int
    ) throws(SettingsFailure) {
        guard node.anchor == nil else { throw SettingsFailure(SettingsGuard.anchors, at: Place(node)) }
        guard depth <= Self.depthMax else {
            throw SettingsFailure("more than \(Self.depthMax) values inside each other", at: Place(node))
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
        case .alias: throw SettingsFailure(SettingsGuard.anchors, at: Place(node))
        }
    }
}

/// Why a file is no file of settings.
package struct SettingsFailure: Error, Equatable, CustomStringConvertible {
    package let reason: String
    package let place: SettingsText.Place?

    init(_ reason: String, at place: SettingsText.Place?) { (self.reason, self.place) = (reason, place) }

    /// What the parser of YAML says.
    init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init("this is no YAML: \(problem)", at: SettingsText.Place(line: mark.line, column: mark.column))
        case .duplicatedKeysInMapping(let duplicates, let context):
            let mark = context.mark
            self.init(
                "the key \(duplicates.first ?? "") stands there twice",
                at: SettingsText.Place(line: mark.line, column: mark.column))
        default: self.init("this is no YAML: \(error)", at: nil)
        }
    }

    package var description: String { place.map { "\($0): \(reason)" } ?? reason }
}

extension SettingsText.Place {
    /// - Returns: nil where the parser does not know.
    fileprivate init?(_ node: Node) {
        guard let mark = node.mark else { return nil }
        self.init(line: mark.line, column: mark.column)
    }
}

extension JSONWriter {
    /// What a scalar means by YAML 1.2: `no` and `on` are words, as NO is Norway.
    fileprivate mutating func write(_ scalar: Node.Scalar) {
        switch PlainScalar(scalar.string, isQuoted: scalar.style != .plain && scalar.style != .any) {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let text): raw(Array(text.utf8)[...])
        case .string(let text): string(text)
        }
    }
}
