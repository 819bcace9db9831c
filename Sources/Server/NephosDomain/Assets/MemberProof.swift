public import CloudKitWire
public import NephosStorage

/// The share by which somebody got a link or a ticket for files of a zone of somebody else. The link is valid as long as they are in that
/// share, which is proved again whenever it is used (docs/decisions/0067).
public struct MemberProof: Sendable, Hashable {
    public var zone: ZoneNumber
    public var share: ShareNumber
    public var owner: UserID
    /// The person's private database, which has their visits.
    public var home: DatabaseNumber

    public init(zone: ZoneNumber, share: ShareNumber, owner: UserID, home: DatabaseNumber) {
        (self.zone, self.share, self.owner, self.home) = (zone, share, owner, home)
    }

    /// Adds what ``reach(of:in:_:)`` needs.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - database: The owner's.
    func ask(_ user: UserID, in database: DatabaseNumber, _ set: inout ReadSet) {
        set.zones.append(.number(database, zone))
        set.ask(participants(user, in: database))
        set.ask(visits)
        set.ask(shares(in: database))
    }

    /// What the person sees by the share at the moment; empty if they are not in it any more.
    func reach(of user: UserID, in database: DatabaseNumber, _ reading: Reading) -> Reach {
        guard let row = reading.zones.first(where: { $0?.number == zone && $0?.database == database }) ?? nil,
            row.state == .live
        else { return Reach(memberships: [], isOfZone: false) }
        return Reach(
            row, participants: reading[participants(user, in: database)], visits: reading[visits],
            shares: reading[shares(in: database)])
    }

    private func participants(_ user: UserID, in database: DatabaseNumber) -> Scan<ParticipantRow> {
        ParticipantRow.of(user, share: share, in: zone, of: database)
    }

    private var visits: Scan<SharedZoneRow> { SharedZoneRow.visit(of: owner, share: share, in: zone, of: home) }

    private func shares(in database: DatabaseNumber) -> Scan<ShareRow> { ShareRow.keyed([share], in: database) }
}

extension Reach {
    /// Whether a record is part of what is seen.
    func contains(_ mark: ShareNumber?) -> Bool { permission(of: mark) != nil }
}

extension RequestContext {
    /// What a link or ticket must prove for the caller.
    ///
    /// - Parameters:
    ///   - share: By which the caller sees the record or zone; 0 if they may see it, and have not joined.
    /// - Returns: nil if they get none.
    package func proof(of zone: ZoneNumber, of owner: UserID?, by share: ShareNumber) -> MemberProof? {
        guard share > 0, let owner, let session = caller.session else { return nil }
        return MemberProof(zone: zone, share: share, owner: owner, home: session.privateDatabase)
    }
}

extension TokenContent {
    mutating func append(_ proof: MemberProof) {
        for number in [proof.zone, proof.share, proof.home] { append(number) }
        append(proof.owner)
    }

    mutating func nextProof() throws(Refusal) -> MemberProof {
        let (zone, share, home) = (try next(), try next(), try next())
        return MemberProof(zone: zone, share: share, owner: try nextUser(), home: home)
    }
}
