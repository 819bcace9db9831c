import CloudKitWire
public import NephosStorage

/// `records/accept`: a person joins shares whose addresses they have: those in which they are named, and public ones.
///
/// A named participant's row in the owner's database becomes accepted, and the share record says so. A visit of a public share is only
/// noted in the visitor's own database. Accepting again changes nothing.
public struct AcceptShares: Sendable {
    private let lookup: ShareLookup
    private let addresses: NamedAddresses

    /// - Parameter addresses: The caller's.
    public init(_ lookup: ShareLookup, as addresses: NamedAddresses) {
        (self.lookup, self.addresses) = (lookup, addresses)
    }

    /// The owners' databases, and the person's own.
    private var databases: [DatabaseNumber] {
        Set(lookup.databases + [lookup.session.privateDatabase]).sorted()
    }

    public var reading: ReadSet {
        var set = lookup.first
        set.databases = databases
        set.ask(live)
        set.ask(subscriptions)
        return set
    }

    private var subscriptions: Scan<SubscriptionRow> {
        SubscriptionRow.anyShared(of: lookup.session.user, in: lookup.session.privateDatabase)
    }

    /// The zones of others that the person sees.
    private var live: Scan<SharedZoneRow> {
        SharedZoneRow.live(.pointer, in: lookup.session.privateDatabase, limit: lookup.context.limits.zonesMax + 1)
    }

    /// The zones of the owners that the person sees, or saw.
    private func pointers(of candidates: [ShareLookup.Candidate?]) -> [Scan<SharedZoneRow>] {
        let owners = Set(candidates.compactMap { $0?.head.owner })
        return owners.sorted { ($0.high, $0.low) < ($1.high, $1.low) }.map {
            SharedZoneRow.of($0, kind: .pointer, in: lookup.session.privateDatabase, limit: 100_000)
        }
    }

    /// One for each item.
    public typealias Answer = [Result<ShareLookup.Result, Refusal>]

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Answer> {
        let candidates = lookup.candidates(reading, among: databases)
        let records = lookup.records(of: candidates)
        guard !records.records.isEmpty else {
            return .write(WriteSet(), candidates.map { _ in .failure(Self.stranger) })
        }
        guard reading.records.count >= records.records.count else {
            var more = records
            for scan in pointers(of: candidates) { more.ask(scan) }
            return .need(more)
        }
        return decide(candidates, reading)
    }

    private static let stranger = Refusal.accessDenied(
        "there is no share at this address that you may join: ask its owner to add you, and sign in as the person whom they named"
    )

    private func decide(_ candidates: [ShareLookup.Candidate?], _ reading: Reading) -> Decision<Answer> {
        let found = lookup.found(reading.records, of: candidates)
        let pointers = pointers(of: candidates).flatMap { reading[$0] }
        var state = State(reading, databases, lookup, pointers, live: reading[live].count)
        var answer: Answer = []
        for (place, candidate) in candidates.enumerated() {
            if let refusal = lookup.refusal(candidate, found[place], Self.stranger) {
                answer.append(.failure(refusal))
                continue
            }
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
        return .write(state.writes(notifying: reading[subscriptions]), answer)
    }

    /// - Returns: How the person stands to the share now, and its record.
    private func accept(
        _ candidate: ShareLookup.Candidate, _ share: RecordRow, _ state: inout State
    ) throws(Refusal) -> (ShareLookup.Standing, RecordRow) {
        let key = State.Key(database: candidate.share.database, share: candidate.share.number)
        if let known = state.accepted[key] { return (known.standing, known.record) }
        let standing: (ShareLookup.Standing, RecordRow)
        switch candidate.standing {
        case .owner, .visitor: standing = (candidate.standing, share)
        case .named(let row) where row.status == .accepted: standing = (candidate.standing, share)
        case .named(let row): standing = try join(candidate, share, row, &state)
        case .byAddress:
            guard let list = ShareList(of: share.fields), try addresses.index(in: list) != nil else {
                throw Self.stranger
            }
            standing = try join(candidate, share, nil, &state)
        case .mayVisit: standing = try (.visitor(visit(candidate, &state)), share)
        }
        state.accepted[key] = .init(standing: standing.0, record: standing.1)
        return standing
    }

    private func join(
        _ candidate: ShareLookup.Candidate, _ share: RecordRow, _ row: ParticipantRow?, _ state: inout State
    ) throws(Refusal) -> (ShareLookup.Standing, RecordRow) {
        guard candidate.share.state == .live else {
            throw .shareIsPreparing
        }
        guard var list = ShareList(of: share.fields) else { throw .failed }
        // `??` loses the type of the error.
        var index = list.index(of: lookup.session.user)
        if index == nil { index = try addresses.index(in: list) }
        guard let index else { throw Self.stranger }
        // Of somebody who was removed until the zone's other members were notified.
        let row = row ?? state.rows(of: candidate).first { $0.share == candidate.share.number }
        let accepted = state.rows(of: candidate).count { $0.status == .accepted }
        guard accepted < ShareLookup.sharesOfZoneMax else {
            throw .limitExceeded(
                "you can be in at most \(ShareLookup.sharesOfZoneMax) shares of one zone: leave one of them first")
        }
        try state.point(to: candidate)
        list.participants[index].user = lookup.session.user
        list.participants[index].hasAccepted = true
        addresses.removeOthers(from: &list)
        var record = share
        record.fields = list.kept(in: record.fields)
        let sequence = state.advance(candidate.share.database)
        (record.sequence, record.tagSequence) = (sequence, sequence)
        record.modifiedAt = state.time(of: candidate.share.database)
        var joined =
            row
            ?? ParticipantRow(
                database: candidate.share.database, user: lookup.session.user, zone: candidate.share.zone,
                share: candidate.share.number, since: sequence)
        (joined.role, joined.permission) = (list.participants[index].role, list.participants[index].permission)
        (joined.status, joined.reason, joined.since) = (.accepted, .none, sequence)
        state.save(record, replacing: share, in: candidate.zone)
        state.set.put(joined, replacing: row)
        return (.named(joined), record)
    }

    private func visit(
        _ candidate: ShareLookup.Candidate, _ state: inout State
    ) throws(Refusal) -> SharedZoneRow {
        guard candidate.share.state == .live else {
            throw .shareIsPreparing
        }
        guard let owner = candidate.head.owner else { throw .failed }
        let known = state.visits.first {
            $0.owner == owner && $0.zone == candidate.share.zone && $0.share == candidate.share.number
        }
        // Beyond the limit, the visit that is longest ago makes room.
        if known == nil { state.makeRoomForVisit() }
        let own = lookup.session.privateDatabase
        let sequence = state.advance(own)
        let row = SharedZoneRow(
            database: own, kind: .visit, owner: owner, zone: candidate.share.zone, share: candidate.share.number,
            name: candidate.zone.name, ownerDatabase: candidate.share.database, sequence: sequence,
            ownerSequence: candidate.zone.changedSequence, since: candidate.zone.changedSequence, accepted: sequence,
            epoch: candidate.share.epoch)
        state.set.put(row, replacing: known)
        state.visits.removeAll { $0 == known }
        state.visits.append(row)
        return row
    }

    /// What the request writes so far.
    private struct State {
        struct Key: Hashable {
            var database: DatabaseNumber
            var share: ShareNumber
        }

        struct Accepted {
            var standing: ShareLookup.Standing
            var record: RecordRow
        }

        var set = WriteSet()
        var accepted: [Key: Accepted] = [:]
        var visits: [SharedZoneRow]
        private var heads: [HeadRow]
        private var moved: Set<DatabaseNumber> = []
        private var zones: [ZoneKey: (old: ZoneRow, new: ZoneRow)] = [:]
        private let pointers: [SharedZoneRow]
        /// How many zones of others the person sees.
        private var live: Int
        private var pointed: Set<ZoneKey> = []
        private let lookup: ShareLookup
        private let reading: Reading
        private var journal: RecordJournal

        init(
            _ reading: Reading, _ databases: [DatabaseNumber], _ lookup: ShareLookup, _ pointers: [SharedZoneRow],
            live: Int
        ) {
            self.live = live
            self.lookup = lookup
            self.reading = reading
            heads = reading.databases.prefix(databases.count).compactMap(\.self)
            for place in heads.indices { heads[place].time = max(lookup.context.now, heads[place].time) }
            self.pointers = pointers
            visits = reading[lookup.visits]
            journal = RecordJournal(reading.catalog)
        }

        func rows(of candidate: ShareLookup.Candidate) -> [ParticipantRow] { lookup.rows(of: candidate, reading) }

        mutating func makeRoomForVisit() {
            guard visits.count >= ShareLookup.sharesOfZoneMax,
                let oldest = visits.min(by: { $0.sequence < $1.sequence }), reading[lookup.visits].contains(oldest)
            else { return }
            set.remove(oldest)
            visits.removeAll { $0 == oldest }
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
            if let share = record.share ?? zone.sharing.share {
                heads[place(of: zone.database)].touchShares([share], at: record.sequence)
                set.ask(for: AnnounceShares.job, at: lookup.context.now)
            }
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
            if old?.state != .live { live += 1 }
        }

        /// - Parameter subscriptions: By which the person's other devices learn of the new zones.
        mutating func writes(notifying subscriptions: [SubscriptionRow]) -> WriteSet {
            guard !moved.isEmpty else { return set }
            set.heads = heads.filter { moved.contains($0.database) }
            let own = lookup.session.privateDatabase
            if moved.contains(own) {
                set.noteShared(heads[place(of: own)], subscriptions, author: lookup.context.author)
            }
            for zone in zones.values.sorted(by: { ($0.new.database, $0.new.number) < ($1.new.database, $1.new.number) })
            {
                set.zones.append(ZoneWrite(old: zone.old, new: zone.new))
            }
            journal.finish(heads, at: lookup.context.now, reading.found, to: &set)
            return set
        }
    }
}
