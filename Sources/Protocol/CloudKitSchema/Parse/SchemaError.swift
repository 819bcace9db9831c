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

/// Why a schema is rejected (docs/schema.md L24 to L27).
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place of the error; nil only if no file was read, when schemas from other sources are compared.
    public let place: SchemaPlace?
    /// The problem, without the place: `Encountered " <IDENTIFIER> "TEXT ""`.
    public let message: String
    /// The tokens that the grammar allows here; empty if the error is not syntactic.
    public let expected: [String]
    /// A helpful sentence, if the intention can be guessed.
    public let hint: String?

    public init(_ message: String, at place: SchemaPlace?, expected: [String] = [], hint: String? = nil) {
        self.place = place
        self.message = message
        self.expected = expected
        self.hint = hint
    }

    public var line: Int { place?.line ?? 0 }
    public var column: Int { place?.column ?? 0 }

    /// The entire message: the first line worded like Apple's tool, the alternatives, the hint.
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
