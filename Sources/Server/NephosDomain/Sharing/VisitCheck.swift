import CloudKitWire
public import NephosStorage

/// What has happened in the public shares that a person visits. Nothing in the owner's database says who visits a share, so it is found
/// out when the visitor asks for what is new (docs/protocol.md SH16).
public struct VisitCheck: Sendable {
    private let visits: [SharedZoneRow]
    /// Of the person's database.
    private let database: DatabaseNumber
    private let context: RequestContext

    /// The person's visits, whether they have ended or not.
    static func visits(in database: DatabaseNumber) -> Scan<SharedZoneRow> {
        SharedZoneRow.all(.visit, in: database, limit: ShareLookup.sharesOfZoneMax)
    }

    /// nil if the person visits nothing.
    ///
    /// - Parameter visits: Of ``visits(in:)``.
    init?(_ visits: [SharedZoneRow], in database: DatabaseNumber, _ context: RequestContext) {
        let visits = visits.filter { $0.state == .live }
        guard !visits.isEmpty else { return nil }
        (self.visits, self.database, self.context) = (visits, database, context)
    }

    /// What the comparison needs of the owners' databases.
    public var reading: ReadSet {
        var set = ReadSet()
        for visit in visits {
            let zone = ZoneKey.number(visit.ownerDatabase, visit.zone)
            set.zones.append(zone)
            set.shares.append(
                ShareScan(zone: zone, shares: [visit.share], after: visit.ownerSequence, departures: true, limit: 0))
        }
        for scan in shares.values { set.ask(scan) }
        return set
    }

    /// The visited shares, by the database of their owner.
    private var shares: [DatabaseNumber: Scan<ShareRow>] {
        Dictionary(grouping: visits, by: \.ownerDatabase).reduce(into: [:]) { scans, visits in
            scans[visits.key] = ShareRow.keyed(Set(visits.value.map(\.share)).sorted(), in: visits.key)
        }
    }

    /// A visit whose row is out of date.
    struct Difference: Sendable {
        var visit: SharedZoneRow
        /// Why the share is not visible any more; nil if it is.
        var reason: ParticipantRow.Reason?
        /// The end of the zone, up to which the visitor is notified now.
        var end: Sequence
    }

    /// - Parameter reading: Of ``reading``.
    private func differences(_ reading: Reading) -> [Difference] {
        let shares = shares.mapValues { scan in
            Dictionary(reading[scan].map { ($0.number, $0) }) { first, _ in first }
        }
        return visits.enumerated().compactMap { index, visit in
            let zone = reading.zones[index]
            guard let zone, zone.state == .live else { return Difference(visit: visit, reason: .deleted, end: 0) }
            guard let share = shares[visit.ownerDatabase]?[visit.share], share.zone == visit.zone, share.state == .live
            else { return Difference(visit: visit, reason: .unshared, end: 0) }
            guard share.epoch == visit.epoch, share.publicPermission != .none else {
                return Difference(visit: visit, reason: .removed, end: 0)
            }
            // In a shared zone everything is visible; elsewhere other changes of the zone show nothing.
            let hasChanged = share.isOfZone ? zone.changedSequence > visit.ownerSequence : reading.shares[index].more
            return hasChanged ? Difference(visit: visit, reason: nil, end: zone.changedSequence) : nil
        }
    }

    /// The visits of shares that are not visible any more.
    func ended(_ reading: Reading) -> Set<SharedZoneKey> {
        Set(differences(reading).filter { $0.reason != nil }.map { SharedZoneKey($0.visit) })
    }

    /// The commit that notes what has happened; nil if nothing has.
    public func update(_ reading: Reading) -> Update? {
        let differences = differences(reading)
        guard !differences.isEmpty else { return nil }
        return Update(differences: differences, database: database, now: context.now)
    }

    /// Gives the visits of which something is new a new position in the person's list, and ends those of shares that are not visible any
    /// more.
    public struct Update: Sendable {
        fileprivate let differences: [Difference]
        fileprivate let database: DatabaseNumber
        fileprivate let now: Milliseconds

        private var scans: [Scan<SharedZoneRow>] {
            let owners = Set(differences.map(\.visit.owner)).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
            return owners.flatMap { owner in
                [SharedZoneRow.Kind.pointer, .visit].map {
                    SharedZoneRow.of(owner, kind: $0, in: database, limit: 100_000)
                }
            }
        }

        public var reading: ReadSet {
            var set = ReadSet()
            set.databases = [database]
            for scan in scans { set.ask(scan) }
            return set
        }

        public func decide(_ reading: Reading) throws(Refusal) -> Decision<Void> {
            guard var head = reading.databases[0] else { throw .failed }
            head.time = max(now, head.time)
            let rows = scans.flatMap { reading[$0] }
            var list = SharedZoneList(rows)
            // Of what changed meanwhile, the next request finds out.
            for difference in differences where rows.contains(difference.visit) {
                if let reason = difference.reason {
                    list.end(difference.visit, because: reason)
                } else {
                    var row = difference.visit
                    row.ownerSequence = difference.end
                    list.change(row)
                }
            }
            var set = WriteSet()
            list.write(&head, to: &set)
            guard !set.isEmpty else { return .write(set, ()) }
            set.heads = [head]
            return .write(set, ())
        }
    }
}
