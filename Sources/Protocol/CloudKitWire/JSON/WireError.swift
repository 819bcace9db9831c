/// Why a request could not be read. On the wire it is always `BAD_REQUEST` (docs/protocol.md, "JSON").
public struct WireError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, without the place.
    public let message: String
    /// Where in the document, like `operations[3].record.recordName`; empty at its root.
    public private(set) var path: String
    /// Index of the offending byte in the document, where it is known.
    public let offset: Int?
    /// Whether there is too much of something that is well written: less of it would do.
    public let isLimit: Bool

    public init(_ message: String, path: String = "", offset: Int? = nil, isLimit: Bool = false) {
        self.message = message
        self.path = path
        self.offset = offset
        self.isLimit = isLimit
    }

    /// The text for people: place, what is wrong, byte. Never holds more than 40 characters of a value of the input.
    public var reason: String {
        let place = path.isEmpty ? "" : "\(path): "
        let byte = offset.map { " (byte \($0))" } ?? ""
        return place + message + byte
    }

    public var description: String { reason }

    /// The same error, seen from the object that has it under `key`.
    func within(_ key: JSONKey) -> WireError {
        var error = self
        error.path = Self.joined(Self.excerpt(key.bytes), path)
        return error
    }

    /// The same error, seen from the array that has it at `index`.
    func within(index: Int) -> WireError {
        var error = self
        error.path = Self.joined("[\(index)]", path)
        return error
    }

    private static func joined(_ head: String, _ tail: String) -> String {
        tail.isEmpty || tail.hasPrefix("[") ? head + tail : "\(head).\(tail)"
    }

    /// As a key stands in ``path``.
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
