public import CloudKitWire
public import NephosStorage

/// A zone of an answer.
public struct ZoneAnswer: Sendable {
    public var zone: ZoneIdentity
    /// The token of its feed; nil for zones without one.
    public var syncToken: String?
    /// Custom zones save batches atomically.
    public var isAtomic: Bool { syncToken != nil }
}

extension RequestContext {
    func answer(_ zone: ZoneRow) -> ZoneAnswer {
        ZoneAnswer(zone: identity(zone.name), syncToken: syncToken(of: zone))
    }
}

/// `zones/list`: all zones of a database, by name. The shared database has none until something is shared.
public struct ListZones: Sendable {
    private let context: RequestContext
    public let reading: ReadSet

    public init(context: RequestContext) throws(Refusal) {
        self.context = context
        let database = try context.home()
        var set = ReadSet()
        if context.scope != .shared { set.zoneLists = [database] }
        reading = set
    }

    public func answer(_ reading: Reading) -> [ZoneAnswer] {
        reading.zoneLists.first?.map(context.answer) ?? []
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
