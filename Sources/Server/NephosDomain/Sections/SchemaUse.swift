public import CloudKitSchema
public import CloudKitWire

/// A record type, or a field of one, that a document of a section uses (docs/decisions/0056): a change of the schema cannot remove
/// it.
public struct SchemaUse: Sendable, Equatable {
    public enum Part: Sendable, Equatable {
        /// The type alone.
        case type
        case field(Name)
        /// All fields of the type, which the document does not name.
        case everyField
    }

    public enum Audiences: Sendable, Equatable {
        /// The field names none.
        case none
        /// The record is for those whom the audience includes: fewer people see less.
        case include
        /// It is decided what somebody gets, who gets something in any case: fewer people get one thing, and more another.
        case decide
    }

    public let type: Name
    public let part: Part
    /// The place in the document, such as `Article.until`; empty for the whole.
    public let path: String
    /// Whether the document is valid only with a schema that has it. Otherwise it may be added later.
    public let isRequired: Bool
    /// What the audiences of the settings do that values of the field name.
    public let audiences: Audiences
    /// The kinds that a required field may have; nil for any. Encrypted fields are never suitable.
    private let kinds: Kinds?

    private struct Kinds: Sendable, Equatable {
        let all: [FieldType]
        /// For people: what needs which kinds.
        let need: String
    }

    private init(
        _ type: Name, _ part: Part, _ path: String, _ isRequired: Bool, _ audiences: Audiences, _ kinds: Kinds?
    ) {
        (self.type, self.part, self.path) = (type, part, path)
        (self.isRequired, self.audiences, self.kinds) = (isRequired, audiences, kinds)
    }

    /// - Parameter hasEveryField: Whether all fields of the type are used.
    public static func type(
        _ type: Name, at path: String, isRequired: Bool = true, hasEveryField: Bool = false
    ) -> SchemaUse {
        SchemaUse(type, hasEveryField ? .everyField : .type, path, isRequired, .none, nil)
    }

    /// - Parameters:
    ///   - kinds: The kinds that it may have; nil for any.
    ///   - purpose: What needs one of these kinds, for people; nil for the field itself.
    ///   - wanted: These kinds, for people; nil for their names.
    public static func field(
        _ field: Name, of type: Name, at path: String, kinds: [FieldType]? = nil, for purpose: String? = nil,
        wanting wanted: String? = nil, isRequired: Bool = true, audiences: Audiences = .none
    ) -> SchemaUse {
        let kinds = kinds.map { kinds in
            let names = wanted ?? kinds.map(\.tag).joined(separator: " or ")
            return Kinds(all: kinds, need: "\(purpose ?? field.text) needs \(names)")
        }
        return SchemaUse(type, .field(field), path, isRequired, audiences, kinds)
    }

    /// For people: `record type Article`, `field until of Article`.
    public var words: String { words(field) }

    private var field: Name? { if case .field(let name) = part { name } else { nil } }

    private func words(_ field: Name?) -> String { field.map { "field \($0) of \(type)" } ?? "record type \(type)" }

    /// What of it the first schema has and the second does not, for people; nil if nothing is removed.
    public func removed(from old: Schema, by new: Schema) -> String? {
        guard let known = old[type: type] else { return nil }
        guard let next = new[type: type] else { return words(nil) }
        switch part {
        case .type: return nil
        case .field(let name): return known[field: name] != nil && next[field: name] == nil ? words(name) : nil
        case .everyField: return known.fields.first { next[field: $0.name] == nil }.map { words($0.name) }
        }
    }

    /// What a schema lacks for the document to be valid, for people and without a period; nil if it has all.
    public func lack(in schema: Schema) -> String? {
        guard isRequired else { return nil }
        guard let known = schema[type: type] else { return "there is no record type \(type)" }
        guard let field else { return nil }
        guard let known = known[field: field] else { return "\(type) has no field \(field)" }
        guard !known.type.isEncrypted else { return "\(field) is encrypted, so the server cannot read it" }
        guard let kinds, !kinds.all.contains(known.type.kind) else { return nil }
        return "\(kinds.need), but \(field) is \(known.type.kind.tag)"
    }
}
