/// Why a request could not be parsed. On the wire it is always `BAD_REQUEST` (docs/protocol.md, "JSON").
public struct WireError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem, without the place.
    public let message: String
    /// The place in the document, such as `operations[3].record.recordName`; empty at its root.
    public private(set) var path: String
    /// Offset of the offending byte in the document, if known.
    public let offset: Int?
    /// Whether a limit was exceeded by otherwise valid input.
    public let isLimit: Bool

    public init(_ message: String, path: String = "", offset: Int? = nil, isLimit: Bool = false) {
        self.message = message
        self.path = path
        self.offset = offset
        self.isLimit = isLimit
    }

    /// The message about a document that was cut off.
    static let endsTooEarly = "the JSON document ends too early: a value, a quote or a bracket is missing at its end"

    /// The text for people: place, problem, byte offset. Never contains more than 40 characters of an input value.
    public var reason: String {
        let place = path.isEmpty ? "" : "\(path): "
        let byte = offset.map { " (byte \($0))" } ?? ""
        return place + message + byte
    }

    public var description: String { reason }

    /// The same error, relative to the object that contains it under `key`.
    func within(_ key: JSONKey) -> WireError {
        var error = self
        error.path = Self.joined(Self.excerpt(key.bytes), path)
        return error
    }

    /// The same error, relative to the array that contains it at `index`.
    func within(index: Int) -> WireError {
        var error = self
        error.path = Self.joined("[\(index)]", path)
        return error
    }

    private static func joined(_ head: String, _ tail: String) -> String {
        tail.isEmpty || tail.hasPrefix("[") ? head + tail : "\(head).\(tail)"
    }

    /// A key as written in ``path``.
    package static func excerpt(_ key: String) -> String { excerpt(Array(key.utf8)[...]) }

    /// The beginning of a text of the input: at most 40 characters, control characters as `?`.
    static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(160), as: UTF8.self).unicodeScalars
        var text = String.UnicodeScalarView()
        for scalar in scalars.prefix(40) {
            text.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return String(text)
    }
}
