import CloudKitWire
import NephosStorage

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
        guard let row = reading.zones[0], let membership = reach.membership(of: stub) else { throw .failed }
        let people = ParticipantRow.of(
            session.user, in: row.number, of: row.database, limit: ShareLookup.sharesOfZoneMax)
        let (pointers, visits) = (shared(.pointer), shared(.visit))
        var more = ReadSet()
        more.records = [RecordKey(zone: zone.key, name: stub.name)]
        zone.restrict(&more)
        for scan in [pointers, visits] where reading.rows(of: scan) == nil { more.ask(scan) }
        if reading.rows(of: people) == nil { more.ask(people) }
        guard !reading.records.isEmpty, more.scans.isEmpty else { return .need(more) }
        guard case .record(let record) = reading.records[0], var list = ShareList(of: record.fields) else {
            throw .failed
        }

        var heads = reading.databases.prefix(databases.count).compactMap(\.self)
        for place in heads.indices { heads[place].time = max(context.now, heads[place].time) }
        guard let owners = heads.firstIndex(where: { $0.database == row.database }),
            let own = heads.firstIndex(where: { $0.database == session.privateDatabase })
        else { throw .failed }
        var set = WriteSet()
        heads[own].sequence += 1
        if let participant = reading[people].first(where: { $0.share == membership.share && $0.status == .accepted }) {
            set.remove(participant)
            list.participants.removeAll { $0.user == session.user }
            heads[owners].sequence += 1
            var new = record
            new.fields = list.kept(in: new.fields)
            (new.sequence, new.tagSequence) = (heads[owners].sequence, heads[owners].sequence)
            new.modifiedAt = heads[owners].time
            var journal = RecordJournal(reading.catalog)
            journal.save(
                RecordWrite(old: RecordStub(record), new: new, references: nil),
                type: reading.catalog.type(record.type)?.row, replacing: record, .server, notifying: .updated,
                heads[owners], to: &set)
            var moved = row
            moved.changedSequence = heads[owners].sequence
            set.zones = [ZoneWrite(old: row, new: moved)]
            heads[owners].touchShares([membership.share], at: heads[owners].sequence)
            set.heads = [heads[owners]]
            journal.finish([heads[owners]], at: context.now, reading.found, to: &set)
            set.ask(for: AnnounceShares.job, at: context.now)
        }
        let visit = reading[visits].first { $0.zone == row.number && $0.share == membership.share && $0.state == .live }
        if let visit { set.put(ended(visit, heads[own]), replacing: visit) }
        let pointer = reading[pointers].first { $0.zone == row.number && $0.state == .live }
        let staysIn = reading[people].contains { $0.share != membership.share && $0.status == .accepted }
        if let pointer, !staysIn {
            var left = ended(pointer, heads[own])
            left.ownerSequence = heads[owners].sequence
            set.put(left, replacing: pointer)
        }
        set.heads.append(heads[own])
        set.heads.sort { $0.database < $1.database }
        return .write(set, ())
    }

    /// The owner's zones, as the person's database has them.
    private func shared(_ kind: SharedZoneRow.Kind) -> Scan<SharedZoneRow> {
        SharedZoneRow.of(owner, kind: kind, in: session.privateDatabase, limit: 2 * context.limits.zonesMax)
    }

    private func ended(_ row: SharedZoneRow, _ head: HeadRow) -> SharedZoneRow {
        var row = row
        (row.state, row.reason) = (.ended, .removed)
        (row.sequence, row.endedAt) = (head.sequence, head.time)
        return row
    }
}

extension Reach {
    /// The membership whose share record this is.
    fileprivate func membership(of record: RecordStub) -> Membership? {
        isOfZone ? memberships.first : memberships.first { $0.share == record.share }
    }
}
