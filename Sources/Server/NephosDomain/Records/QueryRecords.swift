public import CloudKitWire
public import NephosStorage

/// `records/query` for what needs no index: all records of a type, or those of given names, by name.
///
/// Other filters, sorts and the permissions of fields come with the query engine; until then they are refused.
public struct QueryRecords: Sendable {
    private let context: RequestContext
    private let database: DatabaseNumber
    private let zoneName: Name?
    private let type: RecordType
    private let limit: Int
    /// Of a query by name: what is asked for, in order.
    private let names: [Name]?
    /// What the query is, for its markers.
    private let fingerprint: Int64
    public let reading: ReadSet

    public struct Answer: Sendable {
        /// Each with its zone.
        public var records: [(record: StoredRecord, zone: ZoneIdentity)]
        public var continuationMarker: String?
        public var feedEnd: ZoneToken?
    }

    public init(_ request: RecordsQueryRequest, context: RequestContext) throws(Refusal) {
        self.context = context
        let database = try context.database()
        self.database = database
        // zoneID wins over zoneWide.
        let isZoneWide = request.zoneWide && request.zoneID == nil
        if isZoneWide, context.scope == .shared {
            throw .badRequest("the shared database needs a zoneID with its owner")
        }
        let zoneName = isZoneWide ? nil : try context.zoneName(request.zoneID)
        self.zoneName = zoneName
        guard let type = context.catalog.types[request.query.recordType] else {
            throw .badRequest("did not find record type: \(request.query.recordType.text.prefix(40))")
        }
        self.type = type
        limit = min(request.resultsLimit ?? context.limits.itemsMax, context.limits.itemsMax)
        names = try RecordNameFilter.names(of: request.query)
        let visibility = Rights(context, grants: type.grants).visibility
        if case .none = visibility { throw Self.unreadable(type, context) }
        let fingerprint = Self.fingerprint(type, names, zoneName, context)
        self.fingerprint = fingerprint
        let after = try request.continuationMarker.map { marker throws(Refusal) in
            try QueryMarker(marker.text, database: database, query: fingerprint, key: context.signingKey).position
        }

        var set = ReadSet()
        let zone = zoneName.map { ZoneKey.name(database, $0) }
        if let zone { set.zones = [zone] } else { set.zoneLists = [database] }
        if let names {
            let rest = names.filter { name in after.map { $0.name < name } ?? true }
            guard let zone else { throw .badRequest("a filter by recordName needs a zone; leave zoneWide out") }
            set.records = rest.map { RecordKey(zone: zone, name: $0) }
            set.recordByteLimit = context.limits.pageBytesMax
        } else {
            var creator: UserID?
            if case .createdBy(let user) = visibility { creator = user }
            set.names = [
                NameScan(
                    place: zone.map { .zone($0) } ?? .database(database), type: type.row.number, createdBy: creator,
                    after: after, limit: limit, byteLimit: context.limits.pageBytesMax)
            ]
        }
        reading = set
    }

    private static func unreadable(_ type: RecordType, _ context: RequestContext) -> Refusal {
        let reason = "you may not read records of type \(type.row.name)"
        return .accessDenied(context.caller.user == nil ? reason + " without signing in" : reason)
    }

    private static func fingerprint(
        _ type: RecordType, _ names: [Name]?, _ zone: Name?, _ context: RequestContext
    ) -> Int64 {
        var sum = Checksum()
        sum.add(type.row.name.bytes)
        if let zone { sum.add(zone.bytes) } else { sum.addNothing() }
        if let user = context.caller.user { sum.add(user) } else { sum.addNothing() }
        guard let names else {
            sum.addNothing()
            return sum.value
        }
        for name in names { sum.add(name.bytes) }
        return sum.value
    }

    public func answer(_ reading: Reading) throws(Refusal) -> Answer {
        if let zoneName, reading.zones[0] == nil { throw .zoneNotFound(zoneName) }
        return names == nil ? try page(reading) : try named(reading)
    }

    private func page(_ reading: Reading) throws(Refusal) -> Answer {
        let page = reading.names[0]
        let zones = Dictionary(
            (reading.zones.compactMap { $0 } + (reading.zoneLists.first ?? [])).map { ($0.number, $0.name) },
            uniquingKeysWith: { first, _ in first })
        let records = page.records.compactMap { row in
            zones[row.zone].map { (record(row), context.identity($0)) }
        }
        return Answer(
            records: records, continuationMarker: page.next.map(marker),
            feedEnd: reading.zones.first.flatMap { $0 }.flatMap { context.feedEnd(of: $0) })
    }

    private func named(_ reading: Reading) throws(Refusal) -> Answer {
        guard let zoneName, let zone = reading.zones.first.flatMap({ $0 }) else { throw .failed }
        let rights = Rights(context, grants: type.grants)
        var records: [(StoredRecord, ZoneIdentity)] = []
        var last: RecordRow?
        for found in reading.records {
            // A full page, of records or of bytes, goes on after the last record it holds.
            if case .beyondLimit = found {
                return answer(records, after: last, zone)
            }
            guard case .record(let row) = found, row.type == type.row.number,
                rights.mayRead(createdBy: row.createdBy)
            else { continue }
            if records.count == limit { return answer(records, after: last, zone) }
            records.append((record(row), context.identity(zoneName)))
            last = row
        }
        return Answer(records: records, continuationMarker: nil, feedEnd: context.feedEnd(of: zone))
    }

    private func answer(_ records: [(StoredRecord, ZoneIdentity)], after last: RecordRow?, _ zone: ZoneRow) -> Answer {
        let position = last.map { NameScan.Position(zone: $0.zone, name: $0.name) }
        return Answer(
            records: records, continuationMarker: position.map(marker), feedEnd: context.feedEnd(of: zone))
    }

    private func record(_ row: RecordRow) -> StoredRecord { StoredRecord(row: row, type: type.row.name) }

    private func marker(_ position: NameScan.Position) -> String {
        QueryMarker(database: database, query: fingerprint, position: position).sealed(key: context.signingKey)
    }
}
