public import CloudKitWire
public import NephosStorage

/// A zone of an answer.
public struct ZoneAnswer: Sendable {
    public var zone: ZoneIdentity
    /// The token of its feed; nil for zones without one.
    public var syncToken: String?
    /// Custom zones save batches atomically.
    public var isAtomic: Bool { !zone.isDefault }
}

extension RequestContext {
    func answer(_ zone: ZoneRow) -> ZoneAnswer {
        ZoneAnswer(zone: identity(zone.name), syncToken: syncToken(of: zone))
    }
}

/// `zones/list`: all zones of a database, by name; those of others by owner and name.
public struct ListZones: Sendable {
    private let context: RequestContext
    private let database: DatabaseNumber
    public let reading: ReadSet

    public init(context: RequestContext) throws(Refusal) {
        self.context = context
        database = try context.home()
        var set = ReadSet()
        if context.scope == .shared {
            for scan in Self.shared(database, context.limits) { set.ask(scan) }
        } else {
            set.zoneLists = [database]
        }
        reading = set
    }

    /// The zones of others that a person sees, or saw.
    private static func shared(_ database: DatabaseNumber, _ limits: DomainLimits) -> [Scan<SharedZoneRow>] {
        [SharedZoneRow.Kind.pointer, .visit].map { SharedZoneRow.all($0, in: database, limit: 2 * limits.zonesMax) }
    }

    /// The visits whose shares are to be looked at before the request is answered; nil if there are none, which is usual.
    public func visits(_ reading: Reading) -> VisitCheck? {
        guard context.scope == .shared else { return nil }
        return VisitCheck(live(reading).filter { $0.kind == .visit }, in: database, context)
    }

    private func live(_ reading: Reading) -> [SharedZoneRow] {
        Self.shared(database, context.limits).flatMap { reading[$0] }.filter { $0.state == .live }
    }

    /// - Parameter check: Of ``visits(_:)``, with its reading.
    public func answer(_ reading: Reading, _ check: (visits: VisitCheck, reading: Reading)? = nil) -> [ZoneAnswer] {
        guard context.scope == .shared else { return reading.zoneLists.first?.map(context.answer) ?? [] }
        let ended = check.map { $0.visits.ended($0.reading) } ?? []
        let rows = live(reading).filter { !ended.contains(SharedZoneKey($0)) }
        var seen: Set<ForeignZoneName> = []
        return rows.map { ForeignZoneName(owner: $0.owner, zone: $0.name) }.filter { seen.insert($0).inserted }
            .sorted { ($0.owner.high, $0.owner.low, $0.zone) < ($1.owner.high, $1.owner.low, $1.zone) }
            .map { ZoneAnswer(zone: ZoneIdentity(name: $0.zone, owner: $0.owner), syncToken: nil) }
    }
}

/// `zones/lookup`: zones by id, one answer for each, in order.
public struct LookupZones: Sendable {
    private let context: RequestContext
    private let zones: [Result<ZoneAddress, Refusal>]
    public let reading: ReadSet

    public init(_ request: ZonesLookupRequest, context: RequestContext) throws(Refusal) {
        self.context = context
        _ = try context.home()
        zones = request.zones.map { zone in Result { () throws(Refusal) in try context.address(zone) } }
        var set = ReadSet()
        for case .success(let zone) in zones { set.zones.append(zone.key) }
        reading = set
    }

    public func answer(_ reading: Reading) -> [Result<ZoneAnswer, Refusal>] {
        var found = reading.zones.makeIterator()
        return zones.map { address in
            switch address {
            case .failure(let refusal): return .failure(refusal)
            case .success(let address):
                guard let zone = found.next() ?? nil else { return .failure(.zoneNotFound(address.zone)) }
                return .success(
                    ZoneAnswer(zone: address.identity, syncToken: address.feedEnd(of: zone).map(context.sealed)))
            }
        }
    }
}
