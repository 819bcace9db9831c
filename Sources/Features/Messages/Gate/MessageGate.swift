import CloudKitWire
import NephosDomain
import NephosStorage

/// Shows a message from its start to its end. Users who may write it always see it.
struct MessageGate: VisibilityRule {
    func hours(of type: RecordType, in catalog: Catalog) throws(SectionFailure) -> RecordHours? {
        guard try catalog.messages()?.type == type.row.name else { return nil }
        // If a field is missing, the message is shown to nobody else.
        guard let start = type.moment(MessageField.publishedAt), let end = type.moment(MessageField.until) else {
            return .never
        }
        var hours = RecordHours(start: start)
        hours.end = end
        return hours
    }
}

extension RecordType {
    fileprivate func moment(_ name: Name) -> RecordField? {
        guard let field = fields[name], field.kind == .timestamp, !field.isEncrypted else { return nil }
        return .field(name, field.kind, epoch: field.epoch)
    }
}
