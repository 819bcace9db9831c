public import CloudKitWire
public import NephosStorage

/// `records/accept`: a person joins shares whose addresses they have: those in which they are named, and public ones.
///
/// A named participant's row in the owner's database becomes accepted, and the share record says so. A visit of a public share is only
/// noted in the visitor's own database. Accepting again changes nothing.
public struct AcceptShares: Sendable {
    private let lookup: ShareLookup
    private let isCallers: @Sendable (String) -> Bool

    /// - Parameter isCallers: Whether an address that an owner has named is the caller's.
    public init(_ lookup: ShareLookup, isCallers: @escaping @Sendable (String) -> Bool) {
        (self.lookup, self.isCallers) = (lookup, isCallers)
    }

    /// The owners' databases, and the person's own.
    private var databases: [DatabaseNumber] {
        Set(lookup.databases + [lookup.session.privateDatabase]).sorted()
    }

    public var reading: ReadSet {
        var set = lookup.first
        set.databases = databases
        set.ask(pointers)
        return set
    }

    /// The zones of others that the person sees.
    private var pointers: Scan<SharedZoneRow> {
        SharedZoneRow.all(.pointer, in: lookup.session.privateDatabase, limit: lookup.context.limits.zonesMax + 1)
    }

    /// One for each item.
    public typealias Answer = [Result<ShareLookup.Result, Refusal>]

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Answer> {
        let candidates = lookup.candidates(reading, among: databases)
        let records = lookup.records(of: candidates)
        guard !records.records.isEmpty else {
            return .write(WriteSet(), candidates.map { _ in .failure(Self.stranger) })
        }
        guard reading.records.count >= records.records.count else { return .need(records) }
        return decide(candidates, reading)
    }

    private static let stranger = Refusal.accessDenied(
        "there is no share at this address that you may join: ask its owner to add you, and sign in as the person whom they named"
    )

    private func decide(_ candidates: [ShareLookup.Candidate?], _ reading: Reading) -> Decision<Answer> {
        let found = lookup.found(reading.records, of: candidates)
        var state = State(reading, databases, lookup, pointers)
        var answer: Answer = []
        for (place, candidate) in candidates.enumerated() {
            guard let candidate, let share = found[place].share else {
                answer.append(.failure(Self.stranger))
                continue
            }
            do throws(Refusal) {
                let (standing, record) = try accept(candidate, share, &state)
                guard
                    let result = lookup.result(place, candidate, standing, share: record, root: found[place].root)
                else { throw Self.stranger }
                answer.append(.success(result))
            } catch {
                answer.append(.failure(error))
            }
        }
        return .write(state.writes(), answer)
    }

    /// - Returns: How the person stands to the share now, and its record.
    private func accept(
        _ candidate: ShareLookup.Candidate, _ share: RecordRow, _ state: inout State
    ) throws(Refusal) -> (ShareLookup.Standing, RecordRow) {
        if let known = state.accepted[candidate.share.number], known.row.database == candidate.share.database {
            return (known.standing, known.record)
        }
        let standing: (ShareLookup.Standing, RecordRow)
        switch candidate.standing {
        case .owner, .visitor: standing = (candidate.standing, share)
        case .named(let row) where row.status == .accepted: standing = (candidate.standing, share)
        case .named(let row): standing = try join(candidate, share, row, &state)
        case .byAddress:
            guard
                ShareList(of: share.fields)?.participants.contains(where: {
                    $0.user == nil && isCallers($0.emailAddress)
                })
                    == true
            else { throw Self.stranger }
            standing = try join(candidate, share, nil, &state)
        case .mayVisit: standing = try (.visitor(visit(candidate, &state)), share)
        }
        state.accepted[candidate.share.number] = .init(
            row: candidate.share, standing: standing.0, record: standing.1)
        return standing
    }

    private func join(
        _ candidate: ShareLookup.Candidate, _ share: RecordRow, _ row: ParticipantRow?, _ state: inout State
    ) throws(Refusal) -> (ShareLookup.Standing, RecordRow) {
        guard candidate.share.state == .live else {
            throw .zoneBusy("this share is being prepared: try again in a moment", seconds: 1)
        }
        guard var list = ShareList(of: share.fields) else { throw .failed }
        let index =
            list.index(of: lookup.session.user)
            ?? list.participants.firstIndex { $0.user == nil && isCallers($0.emailAddress) }
        guard let index else { throw Self.stranger }
        try state.point(to: candidate)
        list.participants[index].user = lookup.session.user
        list.participants[index].hasAccepted = true
        var record = share
        record.fields = list.stored(in: record.fields)
        let sequence = state.advance(candidate.share.database)
        (record.sequence, record.tagSequence) = (sequence, sequence)
        record.modifiedAt = state.time(of: candidate.share.database)
        var joined =
            row
            ?? ParticipantRow(
                database: candidate.share.database, user: lookup.session.user, zone: candidate.share.zone,
                share: candidate.share.number, role: list.participants[index].role,
                permission: list.participants[index].permission, since: sequence)
        (joined.status, joined.since) = (.accepted, sequence)
        state.save(record, replacing: share, in: candidate.zone)
        state.set.put(joined, replacing: row)
        return (.named(joined), record)
    }

    private func visit(
        _ candidate: ShareLookup.Candidate, _ state: inout State
    ) throws(Refusal) -> SharedZoneRow {
        guard candidate.share.state == .live else {
            throw .zoneBusy("this share is being prepared: try again in a moment", seconds: 1)
        }
        guard let owner = candidate.head.owner else { throw .failed }
        let known = state.visits.first {
            $0.owner == owner && $0.zone == candidate.share.zone && $0.share == candidate.share.number
        }
        guard known != nil || state.visits.count < ShareLookup.sharesOfZoneMax else {
            throw .limitExceeded(
                "you can visit at most \(ShareLookup.sharesOfZoneMax) public shares: leave one of them first")
        }
        let own = lookup.session.privateDatabase
        let sequence = state.advance(own)
        let row = SharedZoneRow(
            database: own, kind: .visit, owner: owner, zone: candidate.share.zone, share: candidate.share.number,
            name: candidate.zone.name, ownerDatabase: candidate.share.database, sequence: sequence,
            ownerSequence: candidate.zone.changedSequence, since: candidate.zone.changedSequence, accepted: sequence,
            epoch: candidate.share.epoch)
        state.set.put(row, replacing: known)
        return row
    }

    /// What the request writes so far.
    private struct State {
        struct Accepted {
            var row: ShareRow
            var standing: ShareLookup.Standing
            var record: RecordRow
        }

        var set = WriteSet()
        var accepted: [ShareNumber: Accepted] = [:]
        let visits: [SharedZoneRow]
        private var heads: [HeadRow]
        private var moved: Set<DatabaseNumber> = []
        private var zones: [ZoneKey: (old: ZoneRow, new: ZoneRow)] = [:]
        private var pointers: [SharedZoneRow]
        private var pointed: Set<ZoneKey> = []
        private let lookup: ShareLookup
        private let reading: Reading
        private var journal: RecordJournal

        init(_ reading: Reading, _ databases: [DatabaseNumber], _ lookup: ShareLookup, _ pointers: Scan<SharedZoneRow>)
        {
            self.lookup = lookup
            self.reading = reading
            heads = reading.databases.prefix(databases.count).compactMap(\.self)
            for place in heads.indices { heads[place].time = max(lookup.context.now, heads[place].time) }
            self.pointers = reading[pointers]
            visits = reading[lookup.visits]
            journal = RecordJournal(reading.catalog)
        }

        private func place(of database: DatabaseNumber) -> Int { heads.firstIndex { $0.database == database } ?? 0 }

        func time(of database: DatabaseNumber) -> Milliseconds { heads[place(of: database)].time }

        mutating func advance(_ database: DatabaseNumber) -> Sequence {
            moved.insert(database)
            heads[place(of: database)].sequence += 1
            return heads[place(of: database)].sequence
        }

        mutating func save(_ record: RecordRow, replacing old: RecordRow, in zone: ZoneRow) {
            let key = ZoneKey.number(zone.database, zone.number)
            var now = zones[key]?.new ?? zone
            now.changedSequence = record.sequence
            zones[key] = (zone, now)
            journal.save(
                RecordWrite(old: RecordStub(old), new: record, references: nil),
                type: reading.catalog.type(record.type)?.row, replacing: old, .server, notifying: .updated,
                heads[place(of: zone.database)], to: &set)
        }

        /// Notes in the person's database that they see a zone.
        mutating func point(to candidate: ShareLookup.Candidate) throws(Refusal) {
            guard let owner = candidate.head.owner else { throw .failed }
            let key = ZoneKey.number(candidate.zone.database, candidate.zone.number)
            guard pointed.insert(key).inserted else { return }
            let old = pointers.first { $0.owner == owner && $0.zone == candidate.zone.number }
            let live = pointers.count { $0.state == .live }
            guard old?.state == .live || live < lookup.context.limits.zonesMax else {
                throw .limitExceeded(
                    "you can see at most \(lookup.context.limits.zonesMax) zones of others: leave a share first")
            }
            let own = lookup.session.privateDatabase
            let row = SharedZoneRow(
                database: own, owner: owner, zone: candidate.zone.number, name: candidate.zone.name,
                ownerDatabase: candidate.zone.database, sequence: advance(own),
                ownerSequence: heads[place(of: candidate.zone.database)].sequence)
            set.put(row, replacing: old)
            pointers.append(row)
        }

        mutating func writes() -> WriteSet {
            guard !moved.isEmpty else { return set }
            set.heads = heads.filter { moved.contains($0.database) }
            for zone in zones.values.sorted(by: { ($0.new.database, $0.new.number) < ($1.new.database, $1.new.number) })
            {
                set.zones.append(ZoneWrite(old: zone.old, new: zone.new))
            }
            journal.finish(heads, at: lookup.context.now, reading.found, to: &set)
            return set
        }
    }
}
