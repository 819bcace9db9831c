import CloudKitWire
import NephosDomain
import NephosStorage

/// Shows a message from its time on until its end. Who may write it sees it all the time.
struct MessageGate: VisibilityRule {
    func hours(of type: RecordType, in catalog: Catalog) throws(SectionFailure) -> RecordHours? {
        guard try catalog.messages()?.type == type.row.name else { return nil }
        // Whatever cannot be told is shown to nobody else.
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
