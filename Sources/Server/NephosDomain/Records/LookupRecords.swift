public import CloudKitWire
public import NephosStorage

/// `records/lookup`: records by name, one answer for each name, in order.
public struct LookupRecords: Sendable {
    private let context: RequestContext
    private let names: [Name]
    private let zone: ZoneAddress
    public let reading: ReadSet

    public struct Answer: Sendable {
        public var zone: ZoneIdentity
        public var items: [Result<StoredRecord, Refusal>]
        /// The current token of the zone's feed; nil for zones without one.
        public var feedEnd: ZoneToken?
    }

    public init(_ request: RecordsLookupRequest, context: RequestContext) throws(Refusal) {
        self.context = context
        let zone = try context.address(request.zoneID)
        self.zone = zone
        names = request.records.map(\.recordName)
        var set = ReadSet()
        set.zones = [zone.key]
        set.records = names.map { RecordKey(zone: zone.key, name: $0) }
        zone.restrict(&set)
        set.recordByteLimit = context.limits.pageBytesMax
        // The types of the records are not known yet, so any type may be among them.
        set.memberships = context.memberships(for: context.catalog.types.values)
        reading = set
    }

    public func answer(_ reading: Reading) throws(Refusal) -> Answer {
        guard let row = reading.zones[0] else { throw .zoneNotFound(zone.zone) }
        let roles = reading.memberships.first ?? []
        // From the first record beyond the limit on, all get the same answer, so that it does not reveal whether they exist.
        var isOver = false
        let items = reading.records.map { found -> Result<StoredRecord, Refusal> in
            if case .beyondLimit = found { isOver = true }
            return isOver ? .failure(Self.full) : item(found, roles)
        }
        return Answer(zone: zone.identity, items: items, feedEnd: zone.feedEnd(of: row))
    }

    private static var full: Refusal {
        .tryAgainLater("the answer is full: look up this record in another request", seconds: 1)
    }

    private func item(_ found: Found, _ roles: [Int64]) -> Result<StoredRecord, Refusal> {
        switch found {
        case .absent, .outside: return .failure(.recordNotFound)
        case .beyondLimit: return .failure(Self.full)
        case .record(let row):
            guard let type = context.catalog.type(row.type) else { return .failure(.recordNotFound) }
            let visibility = Visibility(context, type: type, roles: roles)
            guard visibility.shows(row) else {
                if visibility.hides(row) { return .failure(.recordNotFound) }
                let deed = "read this record of type \(type.row.name)"
                guard context.caller.user != nil else {
                    return .failure(
                        .accessDenied(
                            "you are not allowed to \(deed) without signing in: send a person's ckWebAuthToken"))
                }
                return .failure(.notAllowed(to: deed, lacking: "READ"))
            }
            return .success(StoredRecord(row: row, type: type, in: zone, context))
        }
    }
}
