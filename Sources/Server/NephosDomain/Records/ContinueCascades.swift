public import NephosStorage

/// Continues cascades that were too large for the request that started them: deletes the holders of some deleted records, and
/// leaves the holders of those for the next time.
///
/// Parents and VALIDATE references are not checked any more; the deletion was answered long ago.
public struct ContinueCascades: Sendable {
    private let pending: [PendingCascadeRow]
    private let now: Milliseconds
    private let waiting: Scan<PendingCascadeRow>
    public let reading: ReadSet

    /// How many deleted records one transaction handles. Each has at most 750 holders, so the transaction stays short.
    private static let batch = 4
    /// More than the domain allows anybody to save.
    private static let holdersMax = 1_000

    /// The waiting cascades of the zone that has waited longest; nil if nothing waits.
    ///
    /// - Parameter waiting: The result of ``PendingCascadeRow/waiting(limit:)``.
    public init?(_ waiting: [PendingCascadeRow], now: Milliseconds) {
        guard let first = waiting.first else { return nil }
        pending = Array(
            waiting.filter { $0.database == first.database && $0.zone == first.zone }.prefix(Self.batch))
        self.now = now
        self.waiting = PendingCascadeRow.of(pending.map { ($0.database, $0.zone, $0.target) })
        let zone = ZoneKey.number(first.database, first.zone)
        var set = ReadSet()
        set.databases = [first.database]
        set.zones = [zone]
        set.ask(self.waiting)
        set.referrers = pending.map {
            ReferrerScan(zone: zone, target: $0.target, kind: .deleteSelf, limit: Self.holdersMax)
        }
        reading = set
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Void> {
        var set = WriteSet()
        guard var head = reading.databases[0], let zone = reading.zones[0], zone.state == .live else {
            for cascade in reading[waiting] where pending.contains(cascade) { set.remove(cascade) }
            return .write(set, ())
        }
        let all = holders(reading, most: .max)
        // If they have too many index entries, fewer of them; the others the next time.
        let most = reading.few(of: all.gone.count)
        var (gone, finished) = most < all.gone.count ? holders(reading, most: most) : all
        let (fields, missing) = self.fields(of: gone.map(\.holder), reading)
        if let missing { return .need(missing) }
        // What is too large to be read together is handled the next time, with what follows it.
        let unread = gone.firstIndex {
            reading.catalog.rules.readFields(of: $0.holder.type) && fields[$0.holder.number] == nil
        }
        if let unread {
            finished.removeAll { cascade in gone[unread...].contains { $0.cascade == cascade } }
            gone.removeSubrange(unread...)
        }
        let known = PendingCascadeRow.of(gone.map { ($0.holder.database, $0.holder.zone, $0.holder.name) })
        guard let before = reading.rows(of: known) else {
            var more = ReadSet()
            more.ask(known)
            return .need(more)
        }
        let stored = Dictionary(before.map { ($0.target, $0) }) { first, _ in first }
        let unmoved = head
        head.time = max(head.time, now)
        var journal = RecordJournal(reading.catalog)
        for (holder, cascade) in gone {
            head.sequence += 1
            bury(holder, fields[holder.number], of: cascade, over: stored[holder.name], head, &journal, &set)
        }
        if let more = journal.needs([unmoved], at: now, reading) { return .need(more) }
        if !gone.isEmpty {
            var moved = zone
            moved.changedSequence = head.sequence
            set.zones = [ZoneWrite(old: zone, new: moved)]
            set.heads = [head]
        }
        journal.finish([unmoved], at: now, reading.found, to: &set)
        for cascade in finished where stored[cascade.target] == nil { set.remove(cascade) }
        return .write(set, ())
    }

    /// The holders to delete now, each once and with its cascade, and the cascades with no holders left. A cascade of a deleted
    /// record is finished, and one whose record was deleted again later has other holders.
    private func holders(
        _ reading: Reading, most: Int
    ) -> (gone: [(holder: RecordStub, cascade: PendingCascadeRow)], finished: [PendingCascadeRow]) {
        var gone: [(holder: RecordStub, cascade: PendingCascadeRow)] = []
        var numbers: Set<RecordNumber> = []
        var finished: [PendingCascadeRow] = []
        for (cascade, holders) in zip(pending, reading.referrers) where reading[waiting].contains(cascade) {
            for holder in holders
            where holder.tagSequence < cascade.sequence && !reading.catalog.hides(holder)
                && !numbers.contains(holder.number)
            {
                guard gone.count < most else { return (gone, finished) }
                numbers.insert(holder.number)
                gone.append((holder, cascade))
            }
            finished.append(cascade)
        }
        return (gone, finished)
    }

    /// The fields of the holders to delete, if a rule needs them.
    private func fields(
        of gone: [RecordStub], _ reading: Reading
    ) -> (found: [RecordNumber: RecordRow], missing: ReadSet?) {
        let rules = reading.catalog.rules
        guard !rules.isEmpty else { return ([:], nil) }
        let wanted = gone.filter { rules.readFields(of: $0.type) }
        guard reading.records.count >= wanted.count else {
            var more = ReadSet()
            more.records = wanted.map { RecordKey(zone: .number($0.database, $0.zone), name: $0.name) }
            return ([:], more)
        }
        var found: [RecordNumber: RecordRow] = [:]
        for case .record(let row) in reading.records { found[row.number] = row }
        return (found, nil)
    }

    private func bury(
        _ holder: RecordStub, _ row: RecordRow?, of cascade: PendingCascadeRow, over waiting: PendingCascadeRow?,
        _ head: HeadRow, _ journal: inout RecordJournal, _ set: inout WriteSet
    ) {
        let deletion = RecordDeletion(
            of: holder, by: head,
            // No user: the caller that started the cascade was answered long ago.
            trash: head.kind == .publicLane ? RecordDeletion.Trash(deletedBy: nil) : nil)
        journal.remove(deletion, row, .cascade, head, to: &set)
        let next = PendingCascadeRow(
            database: holder.database, zone: holder.zone, target: holder.name, sequence: cascade.sequence)
        // A waiting row means that the name was saved and deleted again since: the later deletion counts.
        set.put(next, replacing: waiting)
    }
}
