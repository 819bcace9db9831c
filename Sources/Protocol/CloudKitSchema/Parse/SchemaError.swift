/// A place in a schema file. Lines and columns count from 1, columns in characters (Unicode scalars; a tab is one).
public struct SchemaPlace: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public var description: String { "line \(line), column \(column)" }

    public static func < (left: SchemaPlace, right: SchemaPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// Why a schema is refused (docs/schema.md L24 to L27).
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where. nil only for what no file says, when schemas were compared that came from none.
    public let place: SchemaPlace?
    /// What is wrong, without the place: `Encountered " <IDENTIFIER> "TEXT ""`.
    public let message: String
    /// What could stand there instead, as the grammar has it; empty when the grammar is kept.
    public let expected: [String]
    /// One sentence that helps, where we can guess what was meant.
    public let hint: String?

    public init(_ message: String, at place: SchemaPlace?, expected: [String] = [], hint: String? = nil) {
        self.place = place
        self.message = message
        self.expected = expected
        self.hint = hint
    }

    public var line: Int { place?.line ?? 0 }
    public var column: Int { place?.column ?? 0 }

    /// All of it: the first line as Apple's tool words it, the alternatives, the hint.
    public var description: String {
        var lines = [place.map { "\(message) at \($0)." } ?? "\(message)."]
        if !expected.isEmpty {
            lines.append(expected.count == 1 ? "Was expecting:" : "Was expecting one of:")
            lines += expected.map { "    \($0) ..." }
        }
        if let hint { lines.append(hint) }
        return lines.joined(separator: "\n")
    }
}
