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
    /// How somebody sees a record of somebody else.
    public struct Member: Sendable, Equatable {
        /// Its change tag: that of its owner would show how much else has changed.
        public let tag: UInt64
        /// The share by which they see it; 0 if they may see it, and have not joined.
        public let share: ShareNumber
    }

    /// nil for the owner of the record.
    public private(set) var member: Member?

    /// Members about its share, as ``RecordDictionary/shareMembers``.
    public let shareMembers: [UInt8]?

    /// A record of a zone, as the caller sees it.
    init(row: RecordRow, type: RecordType, in zone: ZoneAddress, _ context: RequestContext) {
        if zone.reach == nil, !row.isOfSharing {
            self.init(row: row, type: type)
        } else {
            self.init(row: Self.live(row, type), type: type.row.name, in: zone, context)
        }
    }

    /// A record without anything that the server itself keeps in it.
    public init(row: RecordRow, type: RecordType) {
        self.row = row
        self.type = type.row.name
        (member, shareMembers) = (nil, nil)
        // From here on only the member is used, so that the argument was moved, and not copied.
        if self.row.fieldsEpoch < type.row.epoch { self.row.fields = self.row.liveFields(of: type) }
        if self.row.isOfSharing { self.row.fields = ReservedFields.removed(from: self.row.fields) }
    }

    /// A record as the owner of its zone sees it, with what they see of its share.
    ///
    /// - Parameter key: Signs the addresses of shares.
    public init(row: RecordRow, type: RecordType, ownedIn zone: ZoneIdentity, key: [UInt8]) {
        let reader = ShareMembers.Reader(user: zone.owner, owner: zone.owner)
        self.init(row: Self.live(row, type), type: type.row.name, ShareMembers(zone, reader, key: key))
    }

    /// - Parameter row: Without fields that have been removed from the schema.
    private init(row: RecordRow, type: Name, _ members: @autoclosure () -> ShareMembers) {
        self.row = row
        self.type = type
        member = nil
        shareMembers = row.isOfSharing ? members().of(row) : nil
        if row.isOfSharing { self.row.fields = ReservedFields.removed(from: row.fields) }
    }

    /// A record as this request has just written it, with no fields removed since.
    init(saved row: RecordRow, type: Name) {
        self.row = row
        self.type = type
        (member, shareMembers) = (nil, nil)
    }

    /// A record that is shared, as the caller sees it.
    ///
    /// - Parameter row: Without fields that have been removed from the schema.
    init(row: RecordRow, type: Name, in zone: ZoneAddress, _ context: RequestContext) {
        self.init(row: row, type: type, ShareMembers(zone, context))
        guard let reach = zone.reach else { return }
        // What is above is not shared.
        if reach.isRoot(row) { self.row.parent = nil }
        let membership = reach.membership(of: row.share)
        member = Member(
            tag: context.memberTags.tag(of: row.number, in: row.database, at: row.tagSequence),
            share: membership.map { $0.since > 0 ? $0.share : 0 } ?? 0)
    }

    private static func live(_ row: RecordRow, _ type: RecordType) -> RecordRow {
        guard row.fieldsEpoch < type.row.epoch else { return row }
        var row = row
        row.fields = row.liveFields(of: type)
        return row
    }
}

extension RecordRow {
    /// Whether it is a share record or a shared one.
    var isOfSharing: Bool { flags.rawValue & (Flags.share.rawValue | Flags.shareRoot.rawValue) != 0 }
}

/// The stored record that prevents a save.
public struct ServerRecord: Sendable, Equatable {
    public var record: StoredRecord
    public var zone: ZoneIdentity
    /// Of a share record that was read with it, the shared record; at most one. A list, because refusals stay small.
    public var root: [StoredRecord] = []
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
}
