public import CloudKitWire
public import NephosStorage

/// Removes records of the public database created by a person who leaves, in batches, bypassing the trash: their user record, or all.
/// Records with a deleting reference to one of these are deleted by ``ContinueCascades``; a user record has none.
public struct RemoveRecords: Sendable {
    public enum Which: Sendable {
        case userRecord
        /// - Parameter position: Where the last step ended; nil to begin.
        case all(after: NameScan.Position?)
    }

    /// The maximum number of records per transaction.
    private static let most = 200

    private let user: UserID
    private let which: Which
    private let now: Milliseconds
    private let zone = ZoneKey.name(NewUser.publicDatabase, defaultZoneName)

    public init(of user: UserID, _ which: Which, now: Milliseconds) {
        self.user = user
        self.which = which
        self.now = now
    }

    public var reading: ReadSet {
        var set = NewUser.reading
        switch which {
        case .userRecord: set.records = [RecordKey(zone: zone, name: Name(user.recordName))]
        case .all(let position):
            set.names = [
                NameScan(
                    place: .zone(zone), createdBy: user, after: position, limit: Self.most, byteLimit: 2 << 20)
            ]
        }
        return set
    }

    /// Returns where the next step continues; nil at the end.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<NameScan.Position?> {
        guard var head = reading.databases[0], let zone = reading.zones[0] else { throw .failed }
        let (found, next) = found(reading)
        // If they have too many index entries, fewer of them.
        let records = found.prefix(reading.few(of: found.count))
        let cascades = PendingCascadeRow.of(records.map { ($0.database, $0.zone, $0.name) })
        guard let waiting = reading.rows(of: cascades) else {
            var more = ReadSet()
            more.ask(cascades)
            return .need(more)
        }
        let before = head
        head.time = max(head.time, now)
        var set = WriteSet()
        var journal = RecordJournal(reading.catalog)
        for record in records {
            head.sequence += 1
            let deletion = RecordDeletion(of: RecordStub(record), by: head)
            journal.remove(deletion, record, .server, head, to: &set)
            guard record.type != usersTypeNumber else { continue }
            let cascade = PendingCascadeRow(
                database: record.database, zone: record.zone, target: record.name, sequence: head.sequence)
            set.put(cascade, replacing: waiting.first { $0.target == record.name })
        }
        if let more = journal.needs([before], at: now, reading) { return .need(more) }
        if !records.isEmpty {
            var moved = zone
            moved.changedSequence = head.sequence
            set.zones = [ZoneWrite(old: zone, new: moved)]
            set.heads = [head]
        }
        journal.finish([before], at: now, reading.found, to: &set)
        guard records.count < found.count, let last = records.last else { return .write(set, next) }
        return .write(set, NameScan.Position(zone: last.zone, name: last.name))
    }

    private func found(_ reading: Reading) -> (records: [RecordRow], next: NameScan.Position?) {
        if let page = reading.names.first { return (page.records, page.next) }
        let records = reading.records.compactMap { found -> RecordRow? in
            if case .record(let row) = found { row } else { nil }
        }
        return (records.filter { $0.createdBy == user }, nil)
    }
}

/// Deletes records created by a leaving person from the trash of the public database, and removes their name as the deleter of other
/// people's records.
public struct LeaveTrash: Sendable {
    /// The maximum number of records that one transaction examines.
    private static let most = 200

    private let user: UserID
    private let page: Scan<TrashRow>
    private let now: Milliseconds

    /// - Parameter position: Where the last step ended; nil to begin.
    public init(of user: UserID, after position: TrashRow.Position?, now: Milliseconds) {
        self.user = user
        page = TrashRow.newest(in: NewUser.publicDatabase, after: position, limit: Self.most)
        self.now = now
    }

    public var reading: ReadSet {
        var set = ReadSet()
        set.databases = [NewUser.publicDatabase]
        set.ask(page)
        return set
    }

    /// Returns where the next step continues; nil at the end.
    public func decide(_ reading: Reading) throws(Refusal) -> Decision<TrashRow.Position?> {
        guard var head = reading.databases[0] else { throw .failed }
        let rows = reading[page]
        var set = WriteSet()
        set.takenFromTrash = rows.filter { $0.record.createdBy == user }
        for row in rows where row.deletedBy == user && row.record.createdBy != user {
            var nobodys = row
            nobodys.deletedBy = nil
            set.put(nobodys, replacing: row)
        }
        if !set.takenFromTrash.isEmpty {
            // Files that are then unreferenced are released at this time.
            head.time = max(head.time, now)
            set.heads = [head]
        }
        return .write(set, rows.count == Self.most ? rows.last?.position : nil)
    }
}
