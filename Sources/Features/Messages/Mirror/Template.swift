import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The record type of twelve fields, read by apps that do not support messages: they show the record whose `isCurrent` is 1.
enum Template {
    /// The default name of the type.
    static let standardType: Name = "Communs"

    static let title: Name = "title", content: Name = "content", image: Name = "image"
    static let imageLabel: Name = "imageLabel", description: Name = "description"
    static let actionTitle: Name = "actionTitle", cancelTitle: Name = "cancelTitle", okayTitle: Name = "okayTitle"
    static let type: Name = "type", identifier: Name = "identifier", version: Name = "version"
    static let isCurrent: Name = "isCurrent"

    static let texts = [title, content, imageLabel, actionTitle, cancelTitle, okayTitle, description, type]
    static let numbers = [identifier, version, isCurrent]

    static let titles: [MessageKind.Role: Name] = [.action: actionTitle, .cancel: cancelTitle, .okay: okayTitle]

    static var fields: [(name: Name, kind: FieldType)] {
        texts.map { ($0, .string) } + [(image, .asset)] + numbers.map { ($0, .int64) }
    }

    /// The first field of the template that a type lacks, for people; nil if it has all.
    static func mismatch(_ name: Name, in schema: Schema) -> String? {
        guard let known = schema[type: name] else { return "there is no record type \(name)" }
        for (field, kind) in fields {
            guard let field = known[field: field] else { return "\(name) has no field \(field)" }
            guard field.type.kind == kind, !field.type.isEncrypted else {
                return "\(field.name) of \(name) must be \(kind.tag)"
            }
        }
        return nil
    }
}

extension Schema.RecordType {
    /// The template with a name: readable by the world, and writable by members of a role in addition to the server.
    static func template(_ name: Name, role: Name) -> Schema.RecordType {
        Schema.RecordType(
            name: name,
            fields: Template.fields.compactMap { field, kind in
                Schema.DataType(kind).map {
                    Schema.Field(name: field, type: $0, options: field == Template.isCurrent ? .queryable : [])
                }
            }, systemOptions: [.recordID: .queryable],
            grants: GrantPreset.adminOnly(role: role).grants)
    }
}
