public import NephosStorage

/// Carries on cascades that were too large for the request that began them: deletes the holders of some deleted
/// records, and leaves theirs for the next time.
///
/// Parents and VALIDATE references are not asked about any more; the deletion was answered long ago.
public struct ContinueCascades: Sendable {
    private let pending: [PendingCascadeRow]
    private let now: Milliseconds
    public let reading: ReadSet

    /// How many deleted records one transaction looks after. Each has at most 750 holders, so that it stays short.
    private static let batch = 4
    /// More than the domain lets anybody save.
    private static let holdersMax = 1_000

    /// What waits in the zone that waits longest; nil when nothing waits.
    ///
    /// - Parameter waiting: What ``PendingCascadeRow/waiting(limit:)`` found.
    public init?(_ waiting: [PendingCascadeRow], now: Milliseconds) {
        guard let first = waiting.first else { return nil }
        pending = Array(
            waiting.filter { $0.database == first.database && $0.zone == first.zone }.prefix(Self.batch))
        self.now = now
        let zone = ZoneKey.number(first.database, first.zone)
        var set = ReadSet()
        set.databases = [first.database]
        set.zones = [zone]
        set.referrers = pending.map {
            ReferrerScan(zone: zone, target: $0.target, kind: .deleteSelf, limit: Self.holdersMax)
        }
        reading = set
    }

    public func decide(_ reading: Reading) throws(Refusal) -> Decision<Void> {
        var set = WriteSet()
        guard var head = reading.databases[0], let zone = reading.zones[0], zone.state == .live else {
            set.finishedCascades = pending
            return .write(set, ())
        }
        // Where they have too many entries in indexes, half of them, and half again; the others the next time.
        let most = max(1, (Self.batch * Self.holdersMax) >> reading.oversized.count)
        head.time = max(head.time, now)
        var gone: Set<RecordNumber> = []
        cascades: for (cascade, holders) in zip(pending, reading.referrers) {
            for holder in holders
            where holder.tagSequence < cascade.sequence && !reading.catalog.hides(holder)
                && !gone.contains(holder.number)
            {
                guard gone.count < most else { break cascades }
                gone.insert(holder.number)
                head.sequence += 1
                bury(holder, of: cascade, head, &set)
            }
            set.finishedCascades.append(cascade)
        }
        if !gone.isEmpty {
            var moved = zone
            moved.changedSequence = head.sequence
            set.zones = [ZoneWrite(old: zone, new: moved)]
            set.heads = [head]
        }
        return .write(set, ())
    }

    private func bury(
        _ holder: RecordStub, of cascade: PendingCascadeRow, _ head: HeadRow, _ set: inout WriteSet
    ) {
        set.deletions.append(
            RecordDeletion(
                old: holder,
                tombstone: TombstoneRow(
                    database: holder.database, zone: holder.zone, name: holder.name, sequence: head.sequence,
                    type: holder.type, deletedAt: head.time),
                // Nobody in particular: who began the cascade was answered long ago.
                trash: head.kind == .publicLane ? RecordDeletion.Trash(deletedBy: nil) : nil))
        set.newCascades.append(
            PendingCascadeRow(
                database: holder.database, zone: holder.zone, target: holder.name, sequence: cascade.sequence))
        set.note(.deleted, holder.name, in: holder.zone, head)
    }
}
