public import CloudKitWire
public import NephosStorage
import Synchronization

/// A zone of somebody else, as a request names it.
public struct ForeignZoneName: Sendable, Hashable {
    public let owner: UserID
    public let zone: Name

    public init(owner: UserID, zone: Name) { (self.owner, self.zone) = (owner, zone) }

    /// A copy that does not share the request's memory.
    public var owned: ForeignZoneName { ForeignZoneName(owner: owner, zone: zone.owned) }
}

/// A zone of somebody else as one person saw it a moment ago.
public struct ForeignZone: Sendable, Hashable {
    public let name: ForeignZoneName
    /// The private database of the owner, which never changes.
    let database: DatabaseNumber
    let reach: Reach
    /// The versions of the rows by which it was found out.
    fileprivate let versions: Versions

    /// ``HeadRow/sharesVersion`` of the owner's database and of the person's, read no later than the rows.
    fileprivate struct Versions: Sendable, Hashable {
        var owner, own: Int64?
    }

    /// - Returns: nil if the person sees nothing of the zone.
    fileprivate init?(
        _ name: ForeignZoneName, _ zone: ZoneRow, participants: [ParticipantRow], visits: [SharedZoneRow],
        shares: [ShareRow], versions: Versions
    ) {
        let participants = participants.filter { $0.zone == zone.number }
        let visits = visits.filter { $0.owner == name.owner && $0.zone == zone.number }
        let reach = Reach(zone, participants: participants, visits: visits, shares: shares)
        guard zone.state == .live, !reach.isEmpty else { return nil }
        self.name = name
        (database, self.reach) = (zone.database, reach)
        self.versions = versions
    }
}

/// Rows by which it is decided what a person sees of zones of others.
private enum Rows {
    /// More than a person may be in of one owner.
    static let most = 2_000
    /// More than a person may be in, in one zone, and visit: reads of these take little work.
    static let mostOfZone = 200

    static func participants(_ user: UserID, of database: DatabaseNumber) -> Scan<ParticipantRow> {
        ParticipantRow.accepted(user, in: database, limit: most)
    }

    static func visits(_ owner: UserID, in database: DatabaseNumber) -> Scan<SharedZoneRow> {
        SharedZoneRow.of(owner, kind: .visit, in: database, limit: mostOfZone)
    }
}

/// The zones of others that a request for the shared database names.
///
/// What a person may see of them is remembered as a guess, with which a request is begun. The snapshot that it reads from, or the
/// transaction that it writes in, includes the versions of the rows by which it was guessed; if they have changed, the request starts
/// again. So who is removed from a share sees nothing of it from then on, on any server, and nothing extra is read before.
public final class ForeignZones: Sendable {
    private struct State {
        var missing: Set<ForeignZoneName> = []
        var used: [ForeignZone] = []
        var tags: MemberTags?
    }

    private let user: UserID
    private let database: DatabaseNumber
    private let known: [ForeignZoneName: ForeignZone]
    private let lookedUp: Set<ForeignZoneName>
    private let state = Mutex(State())
    private let signingKey: [UInt8]

    /// - Parameters:
    ///   - known: What is remembered.
    ///   - lookedUp: The zones that were looked up for this request: of those, what is not known is not visible.
    ///   - signingKey: Of the container.
    public init(
        of session: SessionRow, known: [ForeignZoneName: ForeignZone], lookedUp: Set<ForeignZoneName> = [],
        signingKey: [UInt8]
    ) {
        (user, database) = (session.user, session.privateDatabase)
        self.known = known
        self.lookedUp = lookedUp
        self.signingKey = signingKey
    }

    /// The change tags of the zones' records.
    var tags: MemberTags {
        state.withLock { state in
            if let tags = state.tags { return tags }
            let tags = MemberTags(key: signingKey)
            state.tags = tags
            return tags
        }
    }

    /// The same with zones that were looked up.
    public func adding(_ zones: [ForeignZone], lookedUp names: Set<ForeignZoneName>, of session: SessionRow)
        -> ForeignZones
    {
        var known = known
        for name in names { known[name] = nil }
        for zone in zones { known[zone.name] = zone }
        return ForeignZones(of: session, known: known, lookedUp: lookedUp.union(names), signingKey: signingKey)
    }

    /// The zones that must be looked up before the request can be answered.
    public var missing: Set<ForeignZoneName> { state.withLock { $0.missing } }

    /// A zone, as far as it is known; nil if nothing of it is visible.
    func zone(_ name: ForeignZoneName) -> ForeignZone? {
        state.withLock { state in
            if let zone = known[name] {
                if !state.used.contains(zone) { state.used.append(zone) }
                return zone
            }
            if !lookedUp.contains(name) { state.missing.insert(name.owned) }
            return nil
        }
    }

    /// Adds what proves what is visible of the zones that are used.
    public func prove(by set: inout ReadSet) {
        state.withLock { state in
            guard !state.used.isEmpty else { return }
            set.shareVersions = [database] + state.used.map(\.database)
        }
    }

    /// - Throws: ``ForeignZonesMoved`` if the snapshot shows something else than was guessed.
    public func check(_ reading: Reading) throws(ForeignZonesMoved) {
        let used = state.withLock { $0.used }
        let versions = reading.shareVersions
        for (offset, zone) in used.enumerated() {
            guard offset + 1 < versions.count,
                zone.versions == .init(owner: versions[offset + 1], own: versions[0])
            else { throw ForeignZonesMoved(user: user) }
        }
    }
}

/// A person sees something else of a zone of others than was remembered.
public struct ForeignZonesMoved: Error {
    public let user: UserID
}

/// Looks up what a person sees of zones of others: first the person's own rows, and only if there are any, the zone. Who sees nothing of
/// a zone never causes a read of it.
public struct ForeignZoneSearch {
    private let session: SessionRow
    private let names: [ForeignZoneName]
    private var databases: [UserID: DatabaseNumber] = [:]
    private var participants: [DatabaseNumber: [ParticipantRow]] = [:]
    private var visits: [UserID: [SharedZoneRow]] = [:]

    public init(_ names: Set<ForeignZoneName>, of session: SessionRow) {
        self.session = session
        self.names = names.sorted { ($0.owner.high, $0.owner.low, $0.zone) < ($1.owner.high, $1.owner.low, $1.zone) }
    }

    /// - Parameter read: Reads from the store.
    public mutating func zones(
        _ read: (ReadSet) throws(StorageError) -> Reading
    ) throws(StorageError) -> [ForeignZone] {
        let owners = Set(names.map(\.owner)).inOrder
        let users = UserRow.keyed(owners)
        var set = ReadSet()
        set.ask(users)
        for owner in owners { set.ask(Rows.visits(owner, in: session.privateDatabase)) }
        set.shareVersions = [session.privateDatabase]
        var reading = try read(set)
        let own = reading.shareVersions.first ?? nil
        for user in reading[users] where user.privateDatabase > 0 { databases[user.id] = user.privateDatabase }
        for owner in owners { visits[owner] = reading[Rows.visits(owner, in: session.privateDatabase)] }
        guard !databases.isEmpty else { return [] }

        set = ReadSet()
        let numbers = Set(databases.values).sorted()
        for database in numbers { set.ask(Rows.participants(session.user, of: database)) }
        set.shareVersions = numbers
        reading = try read(set)
        let versions = zip(numbers, reading.shareVersions).reduce(into: [:]) { $0[$1.0] = $1.1 }
        for database in numbers { participants[database] = reading[Rows.participants(session.user, of: database)] }
        let candidates = names.compactMap { name -> (name: ForeignZoneName, database: DatabaseNumber)? in
            guard let database = databases[name.owner] else { return nil }
            let isNamed = participants[database]?.isEmpty == false || visits[name.owner]?.isEmpty == false
            return isNamed ? (name, database) : nil
        }
        guard !candidates.isEmpty else { return [] }

        set = ReadSet()
        set.zones = candidates.map { .name($0.database, $0.name.zone) }
        var shares: [DatabaseNumber: Scan<ShareRow>] = [:]
        for (name, database) in candidates {
            let named = (participants[database] ?? []).map(\.share) + (visits[name.owner] ?? []).map(\.share)
            shares[database] = ShareRow.keyed(Set(named).sorted(), in: database)
        }
        for database in shares.keys.sorted() { if let scan = shares[database] { set.ask(scan) } }
        reading = try read(set)
        return zip(candidates, reading.zones).compactMap { candidate, zone in
            guard let zone, let scan = shares[candidate.database] else { return nil }
            return ForeignZone(
                candidate.name, zone, participants: participants[candidate.database] ?? [],
                visits: visits[candidate.name.owner] ?? [], shares: reading[scan],
                versions: .init(owner: versions[candidate.database], own: own))
        }
    }
}

extension Set<UserID> {
    /// In the order of their bytes: always the same, because reads must be.
    fileprivate var inOrder: [UserID] { sorted { ($0.high, $0.low) < ($1.high, $1.low) } }
}
