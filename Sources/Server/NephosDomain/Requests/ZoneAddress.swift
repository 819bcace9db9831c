public import CloudKitWire
public import NephosStorage

/// A zone named by a request: its location, and the right by which the caller accesses it. Resolved once for each zone of a
/// request. A class, because every operation of a request refers to it.
public final class ZoneAddress: Sendable, Hashable {
    /// The right by which a caller accesses a zone.
    public enum Right: Sendable, Hashable {
        /// Everybody may access the public database; grants determine what they see and do there.
        case everybody
        /// The zone is the caller's own.
        case owner
        /// The zone is of somebody else, who shares this much of it.
        case member(Reach)
    }

    public let database: DatabaseNumber
    public let zone: Name
    public let right: Right
    /// The owner of the zone; nil in the public database.
    public let owner: UserID?

    init(database: DatabaseNumber, zone: Name, right: Right, owner: UserID?) {
        self.database = database
        self.zone = zone
        self.right = right
        self.owner = owner
    }

    public static func == (left: ZoneAddress, right: ZoneAddress) -> Bool {
        left === right
            || left.database == right.database && left.zone == right.zone && left.right == right.right
                && left.owner == right.owner
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(zone) }

    var key: ZoneKey { .name(database, zone) }
    var isPublic: Bool { right == .everybody }
    /// What the caller sees of somebody else's zone; nil for other zones.
    var reach: Reach? { if case .member(let reach) = right { reach } else { nil } }

    /// Restricts a read to what the caller may see of the zone.
    func restrict(_ set: inout ReadSet) { if let shares = reach?.shares { set.within[key] = shares } }

    /// The current end of its feed; nil if it has none, or others than its owner ask.
    func feedEnd(of row: ZoneRow) -> ZoneToken? {
        guard right == .owner, !row.isDefault else { return nil }
        return ZoneToken(
            database: row.database, zone: row.number, sequence: row.changedSequence, base: row.changedSequence)
    }

    /// As it appears in answers.
    public var identity: ZoneIdentity { ZoneIdentity(name: zone, owner: owner) }

    /// The zone for references between its records.
    var references: ReferenceZone {
        ReferenceZone(zoneName: zone, ownerRecordName: owner?.name ?? "", isPublic: isPublic)
    }
}

extension RequestContext {
    /// The zone that a request names, after checking that it may be the caller's; the default zone if none is named.
    ///
    /// - Throws: ``Refusal/zoneNotFound(_:_:)`` for zones of other owners, and for custom zones in the public database;
    ///   ``Refusal/badRequest(_:)`` for names that are not valid for a zone; the refusals of ``home()``.
    package func address(_ zone: ZoneIDDictionary?) throws(Refusal) -> ZoneAddress {
        let database = try home()
        guard let zone else {
            guard scope != .shared else { throw .badRequest("the shared database needs a zoneID with its owner") }
            return address(defaultZoneName, in: database)
        }
        try NameRules.checkZone(zone.zoneName)
        switch scope {
        case .public:
            guard zone.zoneName == defaultZoneName else { throw .zoneNotFound(zone.zoneName, .useDefault) }
        case .private:
            if let owner = zone.ownerRecordName, !isCaller(owner) {
                throw .zoneNotFound(zone.zoneName, .omitOwner(owner))
            }
        case .shared:
            // Without an owner it would be a zone of the caller's own, which is never in the shared database.
            let owner = zone.ownerRecordName.flatMap { UserID($0) }
            guard let name = owner.map({ ForeignZoneName(owner: $0, zone: zone.zoneName) }),
                let found = foreign?.zone(name)
            else { throw .zoneNotFound(zone.zoneName, .nameOwner) }
            return ZoneAddress(
                database: found.database, zone: zone.zoneName, right: .member(found.reach), owner: name.owner)
        }
        return address(zone.zoneName, in: database)
    }

    /// A zone of the database that the path names.
    func address(_ zone: Name, in database: DatabaseNumber) -> ZoneAddress {
        ZoneAddress(
            database: database, zone: zone, right: scope == .public ? .everybody : .owner,
            owner: scope == .public ? nil : caller.user)
    }

    private func isCaller(_ owner: Name) -> Bool {
        if ZoneIDDictionary.isCallerAlias(owner) { return true }
        guard let user = caller.user else { return false }
        return owner == user.name
    }
}
