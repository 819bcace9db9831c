public import CloudKitWire
public import NephosStorage

/// A person leaves a share: in the shared database, the deletion of a share record by itself. The share goes on without them, and their
/// records stay.
struct LeaveShare {
    private let context: RequestContext
    private let session: SessionRow
    private let zone: ZoneAddress
    private let reach: Reach
    private let owner: UserID
    private let stub: RecordStub

    /// nil unless a request is the deletion of one share record in a zone of somebody else.
    init?(_ stub: RecordStub?, in zone: ZoneAddress, _ context: RequestContext) {
        guard let stub, stub.flags.contains(.share), let reach = zone.reach, let owner = zone.owner,
            let session = context.caller.session
        else { return nil }
        (self.context, self.session, self.zone, self.reach) = (context, session, zone, reach)
        (self.owner, self.stub) = (owner, stub)
    }

    /// - Parameter databases: Of which the reading has the heads.
    func decide(_ reading: Reading, _ databases: [DatabaseNumber]) throws(Refusal) -> Decision<Void> {
        guard let row = reading.zones[0], let membership = reach.membership(of: stub.share) else { throw .failed }
        let people = ParticipantRow.of(
            session.user, in: row.number, of: row.database, limit: ShareLookup.sharesOfZoneMax)
        let (pointers, visits) = (shared(.pointer), shared(.visit))
        var more = ReadSet()
        more.records = [RecordKey(zone: zone.key, name: stub.name)]
        zone.restrict(&more)
        for scan in [pointers, visits] where reading.rows(of: scan) == nil { more.ask(scan) }
        let subscriptions = SubscriptionRow.anyShared(of: session.user, in: session.privateDatabase)
        if reading.rows(of: subscriptions) == nil { more.ask(subscriptions) }
        if reading.rows(of: people) == nil { more.ask(people) }
        guard !reading.records.isEmpty, more.scans.isEmpty else { return .need(more) }
        guard case .record(let record) = reading.records[0] else { throw .failed }

        var heads = reading.databases.prefix(databases.count).compactMap(\.self)
        for place in heads.indices { heads[place].time = max(context.now, heads[place].time) }
        guard let owners = heads.firstIndex(where: { $0.database == row.database }),
            let own = heads.firstIndex(where: { $0.database == session.privateDatabase })
        else { throw .failed }
        var set = WriteSet()
        if let participant = reading[people].first(where: { $0.share == membership.share && $0.status == .accepted }) {
            try set.leave(participant, record, in: row, &heads[owners], reading)
        }
        let visit = reading[visits].first { $0.zone == row.number && $0.share == membership.share && $0.state == .live }
        var shown = SharedZoneList(reading[pointers] + reading[visits])
        if let visit { shown.end(visit, because: .removed) }
        let pointer = reading[pointers].first { $0.zone == row.number && $0.state == .live }
        let staysIn = reading[people].contains { $0.share != membership.share && $0.status == .accepted }
        if let pointer, !staysIn {
            shown.end(pointer, because: .removed, ownerSequence: heads[owners].sequence)
        } else if let pointer {
            shown.change(pointer)
        }
        shown.write(&heads[own], to: &set)
        if heads[own].sequence > reading.databases[own]?.sequence ?? 0 {
            set.noteShared(heads[own], reading[subscriptions], author: context.author)
        }
        set.heads.append(heads[own])
        set.heads.sort { $0.database < $1.database }
        return .write(set, ())
    }

    /// The owner's zones, as the person's database has them.
    private func shared(_ kind: SharedZoneRow.Kind) -> Scan<SharedZoneRow> {
        SharedZoneRow.of(owner, kind: kind, in: session.privateDatabase, limit: 2 * context.limits.zonesMax)
    }
}

extension WriteSet {
    /// Takes a person out of a share, and out of its list.
    ///
    /// - Parameters:
    ///   - record: The share record.
    ///   - head: Of the owner's database, with its time. It is written.
    fileprivate mutating func leave(
        _ participant: ParticipantRow, _ record: RecordRow, in zone: ZoneRow, _ head: inout HeadRow, _ reading: Reading
    ) throws(Refusal) {
        guard var list = ShareList(of: record.fields) else { throw .failed }
        remove(participant)
        list.participants.removeAll { $0.user == participant.user }
        head.sequence += 1
        var new = record
        new.fields = list.kept(in: new.fields)
        (new.sequence, new.tagSequence) = (head.sequence, head.sequence)
        new.modifiedAt = head.time
        var journal = RecordJournal(reading.catalog)
        journal.save(
            RecordWrite(old: RecordStub(record), new: new, references: nil),
            type: reading.catalog.type(record.type)?.row, replacing: record, .server, notifying: .updated, head,
            to: &self)
        var moved = zone
        moved.changedSequence = head.sequence
        zones.append(ZoneWrite(old: zone, new: moved))
        head.touchShares([participant.share], at: head.sequence)
        heads.append(head)
        journal.finish([head], at: head.time, reading.found, to: &self)
        ask(for: AnnounceShares.job, at: head.time)
    }
}

/// Takes a person whose account is deleted out of one share of somebody else. Their records stay.
public struct LeaveShareForGood: Sendable {
    private let participant: ParticipantRow
    private let now: Milliseconds

    /// All shares in which a person is named, of all owners.
    public static func shares(of user: UserID, limit: Int) -> Scan<ParticipantRow> {
        ParticipantRow.everywhere(user, limit: limit)
    }

    public init(_ participant: ParticipantRow, now: Milliseconds) { (self.participant, self.now) = (participant, now) }

    private var row: Scan<ParticipantRow> {
        ParticipantRow.of(
            participant.user, share: participant.share, in: participant.zone, of: participant.database)
    }

    private var share: Scan<ShareRow> { ShareRow.keyed([participant.share], in: participant.database) }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [participant.database]
        set.zones = [.number(participant.database, participant.zone)]
        set.ask(row)
        set.ask(share)
        return set
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Void> {
        var set = WriteSet()
        guard var head = reading.databases[0], let row = reading[row].first else { return .write(set, ()) }
        guard let zone = reading.zones[0], zone.state == .live, let share = reading[share].first else {
            set.remove(row)
            return .write(set, ())
        }
        guard let found = reading.records.first else {
            var more = ReadSet()
            more.records = [RecordKey(zone: .number(zone.database, zone.number), name: share.name)]
            return .need(more)
        }
        head.time = max(now, head.time)
        // A list that cannot be read does not keep anybody.
        if case .record(let record) = found, record.flags.contains(.share), ShareList(of: record.fields) != nil {
            try set.leave(row, record, in: zone, &head, reading)
        } else {
            set.remove(row)
        }
        return .write(set, ())
    }
}
