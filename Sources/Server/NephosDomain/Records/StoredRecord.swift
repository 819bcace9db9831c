package import CloudKitWire
package import NephosStorage

/// The zone of an answer, as its zone ID names it.
package struct ZoneIdentity: Sendable, Equatable {
    package var name: Name
    /// nil in the public database.
    package var owner: UserID?

    package init(name: Name, owner: UserID?) {
        self.name = name
        self.owner = owner
    }

    package var isDefault: Bool { name == defaultZoneName }
}

/// A record of an answer.
package struct StoredRecord: Sendable, Equatable {
    /// As it is stored, without the fields that were removed from the schema since.
    package private(set) var row: RecordRow
    /// Name of its type.
    package let type: Name

    package init(row: RecordRow, type: RecordType) {
        self.row = row
        if row.fieldsEpoch < type.row.epoch { self.row.fields = row.liveFields(of: type) }
        self.type = type.row.name
    }

    /// A record as this request has just written it: nothing was removed since.
    init(saved row: RecordRow, type: Name) {
        self.row = row
        self.type = type
    }
}

/// The record that stands in the way of a save.
package struct ServerRecord: Sendable, Equatable {
    package var record: StoredRecord
    package var zone: ZoneIdentity
}

extension RequestContext {
    func identity(_ zone: Name) -> ZoneIdentity {
        ZoneIdentity(name: zone, owner: scope == .public ? nil : caller.user)
    }

    /// The zone as references between its records see it.
    func references(in zone: Name) -> ReferenceZone {
        ReferenceZone(
            zoneName: zone, ownerRecordName: identity(zone).owner?.name ?? "", isPublic: scope == .public)
    }

    /// A stored record as answers show it; nil when its type was removed, which hides it.
    func stored(_ row: RecordRow) -> StoredRecord? {
        catalog.type(row.type).map { StoredRecord(row: row, type: $0) }
    }
}
