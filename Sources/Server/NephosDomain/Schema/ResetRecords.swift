public import NephosStorage

/// Empties a private database: each of its zones is deleted and created again under its name, so that change tokens expire and
/// the old records are swept like those of any deleted zone.
public struct ResetZones: Sendable {
    private let database: DatabaseNumber
    private let isLeft: Bool
    private let now: Milliseconds

    /// - Parameter isLeft: Its owner does not return: no zone is created again except the default zone, which every database has.
    public init(_ database: DatabaseNumber, isLeft: Bool = false, now: Milliseconds) {
        self.database = database
        self.isLeft = isLeft
        self.now = now
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        set.zoneLists = [database]
        return set
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Void> {
        guard var head = reading.databases[0] else { return .write(WriteSet(), ()) }
        head.time = max(head.time, now)
        var set = WriteSet()
        var made: [ZoneWrite] = []
        for old in reading.zoneLists.first ?? [] {
            head.sequence += 1
            var dead = old
            dead.state = .dead
            dead.changedSequence = head.sequence
            dead.deletedAt = head.time
            dead.clientToken = nil
            set.zones.append(ZoneWrite(old: old, new: dead))
            set.note(.zoneDeleted, dead.name, in: dead.number, head)
            guard !isLeft || old.isDefault else { continue }
            head.sequence += 1
            head.zoneNumber += 1
            let new = ZoneRow(
                database: database, number: head.zoneNumber, name: old.name, createdSequence: head.sequence,
                changedSequence: head.sequence, createdAt: head.time)
            made.append(ZoneWrite(old: nil, new: new))
            set.note(.zoneCreated, new.name, in: new.number, head)
        }
        if set.zones.contains(where: { $0.old?.sharing != .nothing }) {
            let dead = [TouchedShares.ofDeadZones] + (isLeft ? [TouchedShares.ownerLeft] : [])
            head.touchShares(dead, at: head.sequence)
            set.ask(for: AnnounceShares.job, at: now)
        }
        // A dead row makes room for a live one of the same name, so the dead rows are first.
        set.zones += made
        if !set.zones.isEmpty { set.heads = [head] }
        return .write(set, ())
    }
}

/// Empties the public database in batches: records bypass the trash, and user records are created again, empty.
///
/// The zone stays: it has no change tokens, and its user records identify the users of the container.
public struct ResetPublicRecords: Sendable {
    private let zone = ZoneKey.name(NewUser.publicDatabase, defaultZoneName)
    private let position: NameScan.Position?
    private let limit: Int
    private let now: Milliseconds

    /// - Parameters:
    ///   - position: Where the last step ended; nil to begin.
    ///   - limit: The maximum number of records per transaction.
    public init(after position: NameScan.Position?, limit: Int, now: Milliseconds) {
        self.position = position
        self.limit = limit
        self.now = now
    }

    public struct Progress: Sendable {
        /// Where the next step continues; nil at the end.
        public var next: NameScan.Position?
        public var deleted: Int
    }

    public var reading: ReadSet {
        var set = NewUser.reading
        set.names = [NameScan(place: .zone(zone), after: position, limit: limit, byteLimit: 2 << 20)]
        return set
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Progress> {
        guard var head = reading.databases[0], let zone = reading.zones[0], let page = reading.names.first else {
            throw .failed
        }
        let before = head
        head.time = max(head.time, now)
        var set = WriteSet()
        var journal = RecordJournal(reading.catalog)
        // If they have too many index entries, fewer of them.
        let records = page.records.prefix(reading.few(of: page.records.count))
        for record in records {
            head.sequence += 1
            let deletion = RecordDeletion(of: RecordStub(record), by: head)
            // A user record is reported as changed.
            let isUser = record.type == usersTypeNumber
            journal.remove(deletion, record, .reset, head, notifies: !isUser, to: &set)
            guard isUser else { continue }
            let user = NewUser.Record(of: record.createdBy, epoch: reading.catalog.usersEpoch)
            let row = user.row(numberedBy: &head, zone: zone)
            let write = RecordWrite(old: nil, new: row, references: nil)
            journal.save(write, type: reading.catalog.usersType, .reset, notifying: .updated, head, to: &set)
        }
        if let more = journal.needs([before], at: now, reading) { return .need(more) }
        if !page.records.isEmpty {
            var moved = zone
            moved.changedSequence = head.sequence
            set.zones = [ZoneWrite(old: zone, new: moved)]
            set.heads = [head]
        }
        journal.finish([before], at: now, reading.found, to: &set)
        var next = page.next
        if records.count < page.records.count {
            next = records.last.map { NameScan.Position(zone: $0.zone, name: $0.name) }
        }
        return .write(set, Progress(next: next, deleted: records.count - set.records.count))
    }
}
