public import NephosStorage

/// What one person may see of a zone of somebody else: the live shares that they are in.
public struct Reach: Sendable, Hashable {
    /// A share that somebody is in.
    public struct Membership: Sendable, Hashable {
        public var share: ShareNumber
        /// The number of the root; 0 for a share of the zone.
        public var root: RecordNumber
        public var permission: ParticipantRow.Permission
        /// Whether they manage who participates.
        public var role: ParticipantRow.Role
        /// The sequence of the owner's database since which they are in it.
        public var since: Sequence
        /// For a visit, the sequence of their own database when it began; 0 for a participant.
        public var accepted: Sequence
        /// Departures up to here were purged.
        public var purged: Sequence
    }

    /// By number.
    public let memberships: [Membership]
    /// Whether they see the whole zone.
    public let isOfZone: Bool

    /// - Parameters:
    ///   - participants: Rows of the person.
    ///   - visits: Of the person's own database.
    ///   - shares: All that these rows name.
    init(_ zone: ZoneRow, participants: [ParticipantRow], visits: [SharedZoneRow], shares: [ShareRow]) {
        var memberships: [Membership] = []
        for share in shares where share.zone == zone.number && share.state == .live {
            if let row = participants.first(where: { $0.share == share.number && $0.status == .accepted }) {
                memberships.append(
                    Membership(
                        share: share.number, root: share.root, permission: row.permission, role: row.role,
                        since: row.since, accepted: 0, purged: share.purgedSequence))
            } else if let permission = share.publicPermission.ofVisitors,
                let visit = visits.first(where: { $0.isOf(share) })
            {
                memberships.append(
                    Membership(
                        share: share.number, root: share.root, permission: permission, role: .user,
                        since: visit.since, accepted: visit.accepted, purged: share.purgedSequence))
            }
        }
        memberships.sort { $0.share < $1.share }
        self.memberships = memberships
        if case .zone(let share) = zone.sharing {
            isOfZone = memberships.contains { $0.share == share }
        } else {
            isOfZone = false
        }
    }

    init(memberships: [Membership], isOfZone: Bool) {
        (self.memberships, self.isOfZone) = (memberships, isOfZone)
    }

    public var isEmpty: Bool { memberships.isEmpty }

    /// The visible shares; nil if the whole zone is visible.
    public var shares: [ShareNumber]? { isOfZone ? nil : memberships.map(\.share) }

    /// Whether a record is the root of one of the shares.
    func isRoot(_ record: RecordRow) -> Bool {
        record.flags.contains(.shareRoot)
            && memberships.contains { $0.root == record.number && $0.share == record.share }
    }
}

extension ShareRow.PublicPermission {
    /// What a visitor may do; nil if there are no visitors.
    var ofVisitors: ParticipantRow.Permission? {
        switch self {
        case .none: nil
        case .readOnly: .readOnly
        case .readWrite: .readWrite
        }
    }
}

extension SharedZoneRow {
    /// Whether it is a visit of a share that is still valid.
    fileprivate func isOf(_ share: ShareRow) -> Bool {
        kind == .visit && state == .live && zone == share.zone && self.share == share.number && epoch == share.epoch
    }
}
