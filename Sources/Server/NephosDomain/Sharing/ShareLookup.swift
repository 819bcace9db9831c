public import CloudKitWire
public import NephosStorage

/// Shares by their addresses, as one person may know them: what `records/resolve` answers, and what `records/accept` begins with.
///
/// First it is found out whether the person may know a share, and only then is its record read. Who may not gets the same answer as for
/// an address that leads nowhere.
public struct ShareLookup: Sendable {
    /// How a person stands to a share.
    enum Standing: Sendable, Equatable {
        case owner
        /// A row names them: invited, or in it.
        case named(ParticipantRow)
        /// The share is public, and they have visited it.
        case visitor(SharedZoneRow)
        /// The share is public.
        case mayVisit
        /// Only if an address that the owner has named is theirs.
        case byAddress
    }

    /// A share that exists.
    struct Candidate: Sendable {
        var share: ShareRow
        var zone: ZoneRow
        var head: HeadRow
        var standing: Standing
    }

    let context: RequestContext
    let session: SessionRow
    private let items: [SharesRequest.Item]
    private let addresses: [ShareAddress?]
    /// The database and the zone of each address, each once.
    let databases: [DatabaseNumber]
    private let zones: [ZoneKey]

    /// - Throws: ``Refusal/authenticationRequired`` unless the caller is a person.
    public init(_ request: SharesRequest, context: RequestContext) throws(Refusal) {
        try context.require(.public)
        guard let session = context.caller.session else {
            if case .serverKey = context.caller {
                throw .authenticationFailed("a server-to-server key is in no share: send a person's ckWebAuthToken")
            }
            throw .authenticationRequired
        }
        self.context = context
        self.session = session
        items = request.items
        addresses = request.items.map { try? ShareAddress($0.value, key: context.signingKey) }
        databases = Set(addresses.compactMap { $0?.database }).sorted()
        zones = Set(addresses.compactMap { $0.map { ZoneKey.number($0.database, $0.zone) } })
            .sorted { ($0.database, $0.number) < ($1.database, $1.number) }
    }

    // MARK: What may be known

    /// What says which shares the person may know.
    public var first: ReadSet {
        var set = ReadSet()
        set.databases = databases
        set.zones = zones
        for address in Set(addresses.compactMap(\.self)).inOrder {
            set.ask(address.shares)
            set.ask(people(at: address))
        }
        if !databases.isEmpty { set.ask(visits) }
        return set
    }

    private func people(at address: ShareAddress) -> Scan<ParticipantRow> {
        // Of each share of the zone one, whether they have accepted or not.
        ParticipantRow.of(session.user, in: address.zone, of: address.database, limit: 2 * context.limits.sharesMax)
    }

    /// Shares that one person may be in, in one zone.
    static let sharesOfZoneMax = 200

    /// The person's rows of the zone of a candidate.
    func rows(of candidate: Candidate, _ reading: Reading) -> [ParticipantRow] {
        let address = ShareAddress(
            database: candidate.zone.database, zone: candidate.zone.number, root: candidate.share.root)
        return reading[people(at: address)]
    }

    /// The person's own visits.
    var visits: Scan<SharedZoneRow> {
        SharedZoneRow.all(.visit, in: session.privateDatabase, limit: Self.sharesOfZoneMax + 1)
    }

    /// For each item the share that is at its address; nil if there is none.
    ///
    /// - Parameter read: The databases whose heads were read; nil for those of ``first``.
    func candidates(_ reading: Reading, among read: [DatabaseNumber]? = nil) -> [Candidate?] {
        addresses.map { address in address.flatMap { candidate(at: $0, reading, among: read ?? databases) } }
    }

    private func candidate(
        at address: ShareAddress, _ reading: Reading, among databases: [DatabaseNumber]
    ) -> Candidate? {
        guard let place = zones.firstIndex(of: .number(address.database, address.zone)),
            let zone = reading.zones[place], zone.state == .live,
            let lock = databases.firstIndex(of: address.database), let head = reading.databases[lock],
            let share = reading[address.shares].first(where: {
                $0.zone == address.zone && $0.root == address.root
            })
        else { return nil }
        let standing: Standing
        let row = reading[people(at: address)].first { $0.share == share.number && $0.status != .removed }
        let visit = reading[visits].first {
            $0.ownerDatabase == share.database && $0.zone == share.zone && $0.share == share.number
                && $0.state == .live && $0.epoch == share.epoch
        }
        if head.owner == session.user {
            standing = .owner
        } else if let row {
            standing = .named(row)
        } else if share.publicPermission == .none {
            standing = .byAddress
        } else {
            standing = visit.map(Standing.visitor) ?? .mayVisit
        }
        return Candidate(share: share, zone: zone, head: head, standing: standing)
    }

    // MARK: Records

    /// The records of the shares that exist: two for each, or one if it is of a zone or its root is not wanted.
    func records(of candidates: [Candidate?]) -> ReadSet {
        var set = ReadSet()
        for place in order(candidates) {
            guard let candidate = candidates[place] else { continue }
            let item = items[place]
            let zone = ZoneKey.number(candidate.zone.database, candidate.zone.number)
            set.records.append(RecordKey(zone: zone, name: candidate.share.name))
            if item.shouldFetchRootRecord, !candidate.share.isOfZone {
                set.records.append(RecordKey(zone: zone, name: candidate.share.rootName))
            }
        }
        set.recordByteLimit = context.limits.pageBytesMax
        return set
    }

    /// The records of ``records(of:)`` by item.
    func found(_ records: some Swift.Sequence<Found>, of candidates: [Candidate?]) -> [FoundRecords] {
        var records = records.makeIterator()
        var all = candidates.map { _ in FoundRecords() }
        for place in order(candidates) {
            guard let candidate = candidates[place] else { continue }
            all[place].share = all[place].row(records.next())
            guard items[place].shouldFetchRootRecord, !candidate.share.isOfZone else { continue }
            all[place].root = all[place].row(records.next())
        }
        return all
    }

    /// The items in the order in which their records are read: shares that may be hidden from the person come last, so that their size
    /// shows in no other item.
    private func order(_ candidates: [Candidate?]) -> [Int] {
        let isHidden = candidates.map { $0?.standing == .byAddress }
        return items.indices.filter { !isHidden[$0] } + items.indices.filter { isHidden[$0] }
    }

    /// The records of an item.
    struct FoundRecords {
        var share: RecordRow?
        var root: RecordRow?
        /// The records of the request are too large together.
        private(set) var isCutShort = false

        fileprivate mutating func row(_ found: Found?) -> RecordRow? {
            switch found {
            case .record(let row): return row
            case .beyondLimit: isCutShort = true
            case .absent, .outside, nil: break
            }
            return nil
        }
    }

    /// Why an item has no result if its records were not read; nil if they were.
    ///
    /// - Parameter stranger: The refusal of a share that is hidden from the person.
    func refusal(_ candidate: Candidate?, _ found: FoundRecords, _ stranger: Refusal) -> Refusal? {
        guard found.isCutShort else { return nil }
        return candidate?.standing == .byAddress ? stranger : Self.isTooLarge
    }

    private static let isTooLarge = Refusal.tryAgainLater(
        "these shares and their records are too large together: name fewer in one request", seconds: 1)

    // MARK: Results

    /// The result of one item.
    public struct Result: Sendable {
        /// As the request has it.
        public var value: Name
        public var shouldFetchRootRecord: Bool
        public var isOwn: Bool
        public var hasAccepted: Bool
        public var zone: ZoneIdentity
        /// nil for a zone.
        public var rootName: Name?
        public var root: StoredRecord?
        public var rootDesiredKeys: DesiredKeys?
        public var share: StoredRecord
        public var owner: UserID
        /// `OWNER`, `USER`, `ADMINISTRATOR` or `PUBLIC_USER`.
        public var type: String
        public var permission: String
    }

    /// What the person gets to know of a share.
    ///
    /// - Parameters:
    ///   - standing: After the request.
    ///   - isJoined: Whether they are in it.
    /// - Returns: nil if its record cannot be shown.
    func result(
        _ place: Int, _ candidate: Candidate, _ standing: Standing, share: RecordRow, root: RecordRow?
    ) -> Result? {
        guard let owner = candidate.head.owner, let type = context.catalog.type(share.type),
            let list = ShareList(of: share.fields)
        else { return nil }
        let item = items[place]
        let (word, permission, isJoined) = words(standing, list, candidate.share)
        let right: ZoneAddress.Right
        if standing == .owner {
            right = .owner
        } else {
            let since: Sequence =
                switch standing {
                case .visitor(let row): row.since
                case .named(let row) where row.status == .accepted: row.since
                case .owner, .named, .mayVisit, .byAddress: 0
                }
            var role = ParticipantRow.Role.user
            if case .named(let row) = standing, row.status == .accepted { role = row.role }
            right = .member(Reach(of: candidate.share, permission, role, since: since))
        }
        let zone = ZoneAddress(database: candidate.zone.database, zone: candidate.zone.name, right: right, owner: owner)
        // Another record may have the name by now.
        let root = root.flatMap { $0.number == candidate.share.root ? $0 : nil }
        let rootType = root.flatMap { context.catalog.type($0.type) }
        return Result(
            value: item.value, shouldFetchRootRecord: item.shouldFetchRootRecord, isOwn: standing == .owner,
            hasAccepted: isJoined, zone: zone.identity,
            rootName: candidate.share.isOfZone ? nil : candidate.share.rootName,
            root: root.flatMap { row in
                rootType.map { StoredRecord(row: row, type: $0, in: zone, context) }
            }, rootDesiredKeys: item.rootRecordDesiredKeys,
            share: StoredRecord(row: share, type: type, in: zone, context), owner: owner, type: word,
            permission: permission.word)
    }

    private func words(
        _ standing: Standing, _ list: ShareList, _ share: ShareRow
    ) -> (type: String, permission: ParticipantRow.Permission, isJoined: Bool) {
        switch standing {
        case .owner: return ("OWNER", .readWrite, true)
        case .named(let row):
            return (
                row.role == .administrator ? "ADMINISTRATOR" : "USER", row.permission, row.status == .accepted
            )
        case .visitor: return ("PUBLIC_USER", share.publicPermission.ofVisitors ?? .readOnly, true)
        case .mayVisit: return ("PUBLIC_USER", share.publicPermission.ofVisitors ?? .readOnly, false)
        case .byAddress: return ("USER", .readOnly, false)
        }
    }
}

/// `records/resolve`: what shares at some addresses are, without joining them.
public struct ResolveShares: Sendable {
    private let lookup: ShareLookup

    public init(_ lookup: ShareLookup) { self.lookup = lookup }

    private static let stranger = Refusal.notFound(
        "there is no share at this address that you may see: ask its owner to add you, and sign in as the person whom they named"
    )

    public var reading: ReadSet { lookup.first }

    /// The second read: everything again, and the records.
    public func reading(after first: Reading) -> ReadSet {
        var set = lookup.first
        set.append(lookup.records(of: lookup.candidates(first)))
        return set
    }

    /// - Parameters:
    ///   - first: Of ``reading``.
    ///   - addresses: The caller's.
    /// - Returns: nil if a share has changed between the reads.
    public func answer(
        _ first: Reading, _ second: Reading, as addresses: NamedAddresses
    ) -> [Swift.Result<ShareLookup.Result, Refusal>]? {
        let (before, now) = (lookup.candidates(first), lookup.candidates(second))
        guard zip(before, now).allSatisfy({ $0?.share == $1?.share }) else { return nil }
        let found = lookup.found(second.records, of: now)
        return now.enumerated().map { place, candidate in
            if let refusal = lookup.refusal(candidate, found[place], Self.stranger) { return .failure(refusal) }
            guard let candidate, let share = found[place].share else { return .failure(Self.stranger) }
            var standing = candidate.standing
            if standing == .byAddress {
                let named: ShareList.Participant
                do throws(Refusal) {
                    guard let list = ShareList(of: share.fields), let index = try addresses.index(in: list) else {
                        return .failure(Self.stranger)
                    }
                    named = list.participants[index]
                } catch {
                    return .failure(error)
                }
                // As if they were named by their user.
                standing = .named(
                    ParticipantRow(
                        database: candidate.share.database, user: lookup.session.user, zone: candidate.share.zone,
                        share: candidate.share.number, role: named.role, permission: named.permission, since: 0))
            }
            guard candidate.share.state == .live || standing == .owner else { return .failure(.shareIsPreparing) }
            let result = lookup.result(place, candidate, standing, share: share, root: found[place].root)
            return result.map { .success($0) } ?? .failure(Self.stranger)
        }
    }
}

extension Reach {
    /// What somebody sees by one share.
    ///
    /// - Parameter since: Since when; 0 if they may see it, but have not joined.
    init(
        of share: ShareRow, _ permission: ParticipantRow.Permission, _ role: ParticipantRow.Role, since: Sequence
    ) {
        self.init(
            memberships: [
                Membership(
                    share: share.number, root: share.root, permission: permission, role: role, since: since,
                    accepted: 0, purged: share.purgedSequence)
            ], isOfZone: share.isOfZone)
    }
}

extension ZoneKey {
    /// Of a key by number.
    fileprivate var number: ZoneNumber { if case .number(_, let number) = self { number } else { 0 } }
}

extension Set<ShareAddress> {
    /// Always the same, because reads must be.
    fileprivate var inOrder: [ShareAddress] {
        sorted { ($0.database, $0.zone, $0.root) < ($1.database, $1.zone, $1.root) }
    }
}
