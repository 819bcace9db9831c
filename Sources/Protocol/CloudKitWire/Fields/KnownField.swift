/// The schema's entry for a field.
public struct KnownField: Sendable, Hashable {
    public var type: FieldType
    public var isEncrypted: Bool

    public init(_ type: FieldType, isEncrypted: Bool = false) {
        self.type = type
        self.isEncrypted = isEncrypted
    }
}

/// A field that a save sets, with the type of its value. The schema may gain it.
public struct PatchedField: Sendable, Hashable {
    public var name: Name
    /// `unknownList` for an empty list without a known type; it does not determine the type of the field.
    public var type: FieldType
    public var isEncrypted: Bool
}

/// Why the fields of one record cannot be saved. On the wire: `BAD_REQUEST` for that record.
public struct FieldProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The field that caused the problem, if there is a single one.
    public let field: Name?
    /// The problem, in Apple's words if these are known.
    public let message: String
    /// ``WireError/isLimit``.
    public let isLimit: Bool

    public init(field: Name?, message: String, isLimit: Bool = false) {
        self.field = field
        self.message = message
        self.isLimit = isLimit
    }

    /// For people: the message, with the field if the message does not name it.
    public var reason: String {
        guard let field else { return message }
        let name = WireError.excerpt(field.bytes)
        let isNamed = message.contains("field \(name) ") || message.contains("'\(name)'")
        return isNamed ? message : "\(message) (field '\(name)')"
    }

    public var description: String { reason }
}
