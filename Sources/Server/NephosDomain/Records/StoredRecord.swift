public import CloudKitWire
public import NephosStorage

/// The zone of an answer, as named by its zone ID.
public struct ZoneIdentity: Sendable, Equatable {
    public var name: Name
    /// nil in the public database.
    public var owner: UserID?

    public init(name: Name, owner: UserID?) {
        self.name = name
        self.owner = owner
    }

    public var isDefault: Bool { name == defaultZoneName }
}

/// A record of an answer.
public struct StoredRecord: Sendable, Equatable {
    /// The stored row, without fields that have been removed from the schema since.
    public private(set) var row: RecordRow
    /// The name of its type.
    public let type: Name

    public init(row: RecordRow, type: RecordType) {
        self.row = row
        if row.fieldsEpoch < type.row.epoch { self.row.fields = row.liveFields(of: type) }
        self.type = type.row.name
    }

    /// A record as this request has just written it, with no fields removed since.
    init(saved row: RecordRow, type: Name) {
        self.row = row
        self.type = type
    }
}

/// The stored record that prevents a save.
public struct ServerRecord: Sendable, Equatable {
    public var record: StoredRecord
    public var zone: ZoneIdentity
}

extension RequestContext {
    package func identity(_ zone: Name) -> ZoneIdentity {
        ZoneIdentity(name: zone, owner: scope == .public ? nil : caller.user)
    }

    /// The zone as references between its records see it.
    package func references(in zone: Name) -> ReferenceZone {
        ReferenceZone(
            zoneName: zone, ownerRecordName: identity(zone).owner?.name ?? "", isPublic: scope == .public)
    }

    /// A stored record as it appears in answers; nil if its type was removed, which hides it.
    func stored(_ row: RecordRow) -> StoredRecord? {
        catalog.type(row.type).map { StoredRecord(row: row, type: $0) }
    }
}
