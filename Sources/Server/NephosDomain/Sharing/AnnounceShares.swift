public import CloudKitWire
public import NephosStorage

/// Which shares of a database have changed, until their members have been notified of it: kept with the head, which every save writes
/// anyway.
public struct TouchedShares: Sendable, Equatable {
    /// The last change of each share, and of everything that the numbers below stand for.
    public private(set) var sequences: [ShareNumber: Sequence]

    /// Stands for all shares of the database.
    static let all: ShareNumber = 0
    /// Stands for the shares of zones that were deleted.
    static let ofDeadZones: ShareNumber = -1
    /// The owner has left for good.
    static let ownerLeft: ShareNumber = -2

    static let feature = "shares"
    /// More shares fit in the annex, but not many.
    private static let most = 60

    /// - Parameter head: With its annex.
    public init(_ head: HeadRow) {
        sequences = [:]
        let bytes = head.annex[Self.feature]
        for start in stride(from: 0, to: bytes.count - 15, by: 16) {
            let numbers = [start, start + 8].map { at in
                bytes[at..<at + 8].reduce(0 as Int64) { $0 << 8 | Int64($1) }
            }
            sequences[numbers[0]] = numbers[1]
        }
    }

    mutating func touch(_ share: ShareNumber, at sequence: Sequence) {
        let count = sequences.keys.count { $0 > 0 }
        let isFull = share > 0 && (sequences[Self.all] != nil || sequences[share] == nil && count == Self.most)
        if isFull { sequences = sequences.filter { $0.key <= 0 } }
        sequences[isFull ? Self.all : share] = sequence
    }

    func contains(_ share: ShareNumber) -> Bool { sequences[share] != nil }

    /// Forgets what was announced.
    mutating func remove(upTo sequence: Sequence) { sequences = sequences.filter { $0.value > sequence } }

    var stored: [UInt8] {
        var bytes: [UInt8] = []
        for (share, sequence) in sequences.sorted(by: { $0.key < $1.key }) {
            for number in [share, sequence] {
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return bytes
    }
}

extension HeadRow {
    /// Notes that shares have changed.
    mutating func touchShares(_ shares: some Swift.Sequence<ShareNumber>, at sequence: Sequence) {
        var touched = TouchedShares(self)
        for share in shares { touched.touch(share, at: sequence) }
        _ = annex.set(touched.stored, of: TouchedShares.feature)
    }
}

extension ModifyPlan {
    /// Notes the shares that a unit has changed, so that their members are notified.
    ///
    /// - Parameters:
    ///   - zone: As it was.
    ///   - sequence: Of the head, before the unit.
    func touchShares(
        _ unit: Int, _ zone: ZoneRow, since sequence: Sequence, _ head: inout HeadRow, to set: inout WriteSet
    ) {
        guard head.sequence > sequence else { return }
        var touched: Set<ShareNumber> = []
        switch zone.sharing {
        case .nothing: if shares[unit].edits.isEmpty { return }
        case .zone(let share): touched.insert(share)
        case .records, .recordsInPreparation:
            for write in set.records where write.new.zone == zone.number && write.new.sequence > sequence {
                for share in [write.new.share, write.old?.share] {
                    if let share { touched.insert(share.magnitudeOfShare) }
                }
            }
            for deletion in set.deletions
            where deletion.old.zone == zone.number && deletion.tombstone.sequence > sequence {
                if let share = deletion.old.share { touched.insert(share.magnitudeOfShare) }
            }
        }
        for (item, edit) in shares[unit].edits where states[item].refusal == nil && edit.old != nil {
            touched.insert(edit.row.number)
        }
        guard !touched.isEmpty else { return }
        head.touchShares(touched, at: head.sequence)
        set.ask(for: AnnounceShares.job, at: context.now)
    }
}

/// Notifies the members of the shares of one owner: their lists of zones get a new position, or an end.
///
/// Access is decided by the owner's rows only, so a list that is late grants nothing. It is late by about a second.
public struct AnnounceShares: Sendable {
    /// The name of the work, in each tenant.
    public static let job = "shares"

    /// A member of a zone, and why they may not see it any more.
    public struct Member: Sendable {
        public let user: UserID
        let zone: ZoneNumber
        let reason: ParticipantRow.Reason
    }

    /// The owner's database.
    private let database: DatabaseNumber
    private let touched: TouchedShares
    private let now: Milliseconds
    /// The end of the database when the work began. Later changes are announced by the next run.
    private let end: Sequence
    private let owner: UserID

    /// nil if nothing has changed.
    public init?(_ head: HeadRow, now: Milliseconds) {
        touched = TouchedShares(head)
        guard !touched.sequences.isEmpty, let owner = head.owner else { return nil }
        (database, end, self.owner, self.now) = (head.database, head.sequence, owner, now)
    }

    // MARK: Members

    private var people: [Scan<ParticipantRow>] {
        if touched.contains(TouchedShares.all) || touched.contains(TouchedShares.ofDeadZones) {
            return [ParticipantRow.all(in: database, limit: Self.rowsMax)]
        }
        return touched.sequences.keys.filter { $0 > 0 }.sorted().map {
            ParticipantRow.of($0, in: database, limit: Self.rowsMax)
        }
    }

    private static let rowsMax = 20_000
    /// How many rows one commit removes.
    private static let removedMax = 1_000

    /// What ``members(_:)`` needs.
    public var membersReading: ReadSet {
        var set = ReadSet()
        for scan in people { set.ask(scan) }
        return set
    }

    /// What ``members(_:_:)`` needs then: the zones that may have been deleted.
    public func zonesReading(_ reading: Reading) -> ReadSet {
        var set = ReadSet()
        set.zones = zones(of: people.flatMap { reading[$0] }.map(\.zone))
        return set
    }

    private func zones(of numbers: [ZoneNumber]) -> [ZoneKey] {
        guard touched.contains(TouchedShares.ofDeadZones) else { return [] }
        return Set(numbers).sorted().map { .number(database, $0) }
    }

    /// The zones that do not live.
    private func dead(_ keys: [ZoneKey], _ rows: some Swift.Sequence<ZoneRow?>) -> Set<ZoneNumber> {
        let dead = zip(keys, rows).compactMap { key, row -> ZoneNumber? in
            guard case .number(_, let number) = key, row?.state != .live else { return nil }
            return number
        }
        return Set(dead)
    }

    /// Everybody who is to be notified, each once for a zone.
    public func members(_ reading: Reading, _ zones: Reading) -> [Member] {
        var members: [Member] = []
        var seen: [UserID: Set<ZoneNumber>] = [:]
        let dead = dead(zonesReading(reading).zones, zones.zones)
        let rows = people.flatMap { reading[$0] }.filter { row in
            (row.status != .invited || row.reason != .none)
                && (touched.contains(TouchedShares.all) || touched.contains(row.share) || dead.contains(row.zone))
        }
        for row in rows.sorted(by: { ($0.reason.rawValue, $0.zone) > ($1.reason.rawValue, $1.zone) })
        where seen[row.user, default: []].insert(row.zone).inserted {
            members.append(Member(user: row.user, zone: row.zone, reason: row.reason))
        }
        return members
    }

    // MARK: One member

    /// The commit that notifies a member. - Parameter home: The member's private database.
    public func notify(_ member: Member, in home: DatabaseNumber) -> Notify {
        Notify(
            member: member, home: home, database: database, end: end, owner: owner, now: now,
            whenDead: touched.contains(TouchedShares.ownerLeft) ? .ownerLeft : .deleted)
    }

    public struct Notify: Sendable {
        fileprivate let member: Member
        fileprivate let home: DatabaseNumber
        fileprivate let database: DatabaseNumber
        fileprivate let end: Sequence
        fileprivate let owner: UserID
        fileprivate let now: Milliseconds
        /// Why a deleted zone is not visible any more.
        fileprivate let whenDead: ParticipantRow.Reason

        private var rows: Scan<ParticipantRow> {
            ParticipantRow.of(member.user, in: member.zone, of: database, limit: 1_000)
        }
        private var shares: Scan<ShareRow> { ShareRow.of(member.zone, in: database, limit: 2_000) }
        private var pointers: Scan<SharedZoneRow> {
            SharedZoneRow.of(owner, kind: .pointer, in: home, limit: 2_000)
        }
        private var visits: Scan<SharedZoneRow> { SharedZoneRow.of(owner, kind: .visit, in: home, limit: 2_000) }
        private var subscriptions: Scan<SubscriptionRow> { SubscriptionRow.anyShared(of: member.user, in: home) }

        public var reading: ReadSet {
            var set = ReadSet()
            set.databases = [home]
            set.zones = [.number(database, member.zone)]
            set.ask(rows)
            set.ask(shares)
            set.ask(pointers)
            set.ask(visits)
            set.ask(subscriptions)
            return set
        }

        public func decide(_ reading: Reading) throws(Refusal) -> Decision<Void> {
            // The member's account may have been deleted meanwhile.
            guard var head = reading.databases[0] else { return .write(WriteSet(), ()) }
            let zone = reading.zones[0]
            let live = Set(reading[shares].filter { $0.state == .live }.map(\.number))
            let isIn =
                zone?.state == .live && reading[rows].contains { $0.status == .accepted && live.contains($0.share) }
            let old = reading[pointers].first { $0.zone == member.zone }
            // They have joined since, which their own commit has noted.
            guard old.map({ $0.ownerSequence < end }) ?? true else { return .write(WriteSet(), ()) }
            var list = SharedZoneList(reading[pointers] + reading[visits])
            if isIn, let zone {
                var row =
                    old
                    ?? SharedZoneRow(
                        database: home, owner: owner, zone: zone.number, name: zone.name, ownerDatabase: database,
                        sequence: 0)
                (row.state, row.reason, row.endedAt, row.ownerSequence) = (.live, .none, 0, end)
                list.change(row)
            } else if let old, old.state == .live {
                let reason = zone?.state == .live ? member.reason == .none ? .removed : member.reason : whenDead
                list.end(old, because: reason, ownerSequence: end)
            } else {
                return .write(WriteSet(), ())
            }
            var set = WriteSet()
            head.time = max(now, head.time)
            list.write(&head, to: &set)
            set.noteShared(head, reading[subscriptions])
            set.heads = [head]
            return .write(set, ())
        }
    }

    // MARK: The end

    private var shares: Scan<ShareRow> { ShareRow.all(in: database, limit: Self.rowsMax) }

    /// The commit after all members were notified.
    public var finishReading: ReadSet {
        var set = ReadSet()
        set.databases = [database]
        for scan in people { set.ask(scan) }
        if touched.contains(TouchedShares.ofDeadZones) { set.ask(shares) }
        return set
    }

    /// - Returns: Whether nothing is left; otherwise others are to be notified, and this is to be done again.
    public func finish(_ reading: Reading) throws(Refusal) -> Decision<Bool> {
        guard var head = reading.databases[0] else { return .write(WriteSet(), true) }
        var set = WriteSet()
        let people = people.flatMap { reading[$0] }
        let all = touched.contains(TouchedShares.ofDeadZones) ? reading[shares] : []
        let keys = zones(of: people.map(\.zone) + all.map(\.zone))
        guard reading.zones.count >= keys.count else {
            var more = ReadSet()
            more.zones = keys
            return .need(more)
        }
        // Nobody was notified of zones that were deleted since the work began: the next run does it.
        let isOutdated = (TouchedShares(head).sequences[TouchedShares.ofDeadZones] ?? 0) > end
        let dead = isOutdated ? [] : dead(keys, reading.zones)
        let rows = people.filter { dead.contains($0.zone) || $0.status == .removed && $0.since <= end }
        let shares = all.filter { dead.contains($0.zone) }
        for row in rows.prefix(Self.removedMax) { set.remove(row) }
        for row in shares.prefix(max(0, Self.removedMax - rows.count)) { set.remove(row) }
        let isLast = rows.count + shares.count <= Self.removedMax
        if isLast {
            var left = TouchedShares(head)
            left.remove(upTo: end)
            _ = head.annex.set(left.stored, of: TouchedShares.feature)
        }
        set.heads = [head]
        return .write(set, isLast)
    }
}
