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
    /// Its change tag as others than its owner see it; nil for that of the owner.
    public let memberTag: UInt64?

    /// A record of a zone, as the caller sees it.
    init(row: RecordRow, type: RecordType, in zone: ZoneAddress, _ context: RequestContext) {
        guard let reach = zone.reach else {
            self.init(row: row, type: type)
            return
        }
        var row = row
        // What is above is not shared.
        if reach.isRoot(row) { row.parent = nil }
        self.init(row: row, type: type, memberTag: SealedToken.memberTag(of: row, key: context.signingKey))
    }

    public init(row: RecordRow, type: RecordType) { self.init(row: row, type: type, memberTag: nil) }

    private init(row: RecordRow, type: RecordType, memberTag: UInt64?) {
        self.memberTag = memberTag
        self.row = row
        if row.fieldsEpoch < type.row.epoch { self.row.fields = row.liveFields(of: type) }
        self.type = type.row.name
    }

    /// A record as this request has just written it, with no fields removed since.
    init(saved row: RecordRow, type: Name) {
        self.row = row
        self.type = type
        memberTag = nil
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
