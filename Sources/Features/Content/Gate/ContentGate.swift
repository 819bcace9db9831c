import CloudKitWire
import NephosDomain
import NephosStorage

/// Shows content from its start to its end, to its audience. Users who may write a record always see it.
struct ContentGate: VisibilityRule {
    private var parts: [(role: ContentType.Role, part: WritableKeyPath<RecordHours, RecordField?>)] {
        [(.until, \.end), (.every, \.every), (.access, \.access)]
    }

    func hours(of type: RecordType, in catalog: Catalog) throws(SectionFailure) -> RecordHours? {
        guard let content = try catalog.content().types[type.row.name] else { return nil }
        // If a field is missing, the record is shown to nobody else.
        guard let start = content.field(.publishedAt, of: type) else { return .never }
        var hours = RecordHours(start: start)
        for (role, part) in parts where content.fields[role] != nil {
            guard let field = content.field(role, of: type) else { return .never }
            hours[keyPath: part] = field
        }
        return hours
    }
}

extension ContentType {
    /// The field of a role; nil if the type has no suitable one.
    func field(_ role: Role, of type: RecordType) -> RecordField? {
        guard let name = fields[role], let field = type.fields[name], role.kinds.contains(field.kind),
            !field.isEncrypted
        else { return nil }
        return .field(name, field.kind, epoch: field.epoch)
    }
}
