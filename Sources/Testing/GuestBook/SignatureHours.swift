import CloudKitWire
import NephosDomain
import NephosStorage

/// Shows signatures from `opens` on, and no longer from `ends` on, if the schema has these fields as TIMESTAMP.
struct SignatureHours: VisibilityRule {
    func hours(of type: RecordType, in catalog: Catalog) -> RecordHours? {
        guard type.row.name == GuestBook.signature, let opens = type.time("opens") else { return nil }
        return RecordHours(start: opens, end: type.time("ends"))
    }
}

extension RecordType {
    fileprivate func time(_ name: Name) -> RecordField? {
        guard let field = fields[name], field.kind == .timestamp else { return nil }
        return .field(name, .timestamp, epoch: field.epoch)
    }
}
