/// What the schema says of a field.
public struct KnownField: Sendable, Hashable {
    public var type: FieldType
    public var isEncrypted: Bool

    public init(_ type: FieldType, isEncrypted: Bool = false) {
        self.type = type
        self.isEncrypted = isEncrypted
    }
}

/// A field that a save sets, with the type its value has. The schema may grow by it.
public struct PatchedField: Sendable, Hashable {
    public var name: Name
    /// `unknownList` for an empty list that nobody has typed yet; it fixes no type.
    public var type: FieldType
    public var isEncrypted: Bool
}

/// Why the fields of one record cannot be saved. On the wire: `BAD_REQUEST` for that record.
public struct FieldProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The field, where one is to blame.
    public let field: Name?
    /// What is wrong, in Apple's words where those are known.
    public let message: String
    /// ``WireError/isLimit``.
    public let isLimit: Bool

    public init(field: Name?, message: String, isLimit: Bool = false) {
        self.field = field
        self.message = message
        self.isLimit = isLimit
    }

    /// For people: the message, and the field where the message does not name it.
    public var reason: String {
        guard let field else { return message }
        let name = WireError.excerpt(field.bytes)
        return message.contains(name) ? message : "\(message) (field '\(name)')"
    }

    public var description: String { reason }
}
