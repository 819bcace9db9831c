public import CloudKitWire
public import NephosStorage

/// `records/query`: a page of the records of one type that match all filters, in the order of the sorts (docs/protocol.md,
/// "records/query").
public struct QueryRecords: Sendable {
    /// In a database with fewer records, a query waits for the indexes that it needs.
    public static let waitsBelowRecords: Int64 = 20_000

    private let context: RequestContext
    /// nil for all zones of the database.
    private let zone: ZoneAddress?
    /// What the query asks of its records, or why the schema or the caller's rights do not permit it. A zone that does not
    /// exist is reported first, and whether it exists is known once it was read.
    private let question: Result<Question, Refusal>
    /// That of the records: the owner's, if they are somebody else's.
    public let database: DatabaseNumber
    public let reading: ReadSet
    private let request: RecordsQueryRequest
    /// The caller's roles, if the scan depends on them: to be read first, for ``seeing(_:)``. Usually nil.
    public let rolesFirst: ReadSet?

    private struct Question: Sendable {
        let type: RecordType
        let visibility: QueryVisibility
        /// Identifies the query, for its markers.
        let fingerprint: [UInt8]
        let scan: QueryScan
    }

    public struct Answer: Sendable {
        public let continuationMarker: String?
        public let feedEnd: ZoneToken?
        fileprivate let rows: [RecordRow]
        fileprivate let type: RecordType
        fileprivate let zones: [ZoneNumber: ZoneIdentity]
        /// The zone of somebody else that was searched; nil for others.
        fileprivate let foreign: ZoneAddress?
        fileprivate let context: RequestContext

        public var count: Int { rows.count }

        /// Each with its zone.
        public var records: [(record: StoredRecord, zone: ZoneIdentity)] {
            var records: [(record: StoredRecord, zone: ZoneIdentity)] = []
            forEachRecord { records.append(($0, $1)) }
            return records
        }

        /// Passes on each record with its zone, one by one: cheaper than ``records`` for a single pass.
        public func forEachRecord(_ body: (StoredRecord, ZoneIdentity) -> Void) {
            // By index, so that each row is copied once.
            for index in rows.indices {
                guard let zone = zones[rows[index].zone] else { continue }
                if let foreign {
                    body(StoredRecord(row: rows[index], type: type, in: foreign, context), zone)
                } else if rows[index].isOfSharing {
                    let own = context.address(zone.name, in: rows[index].database)
                    body(StoredRecord(row: rows[index], type: type, in: own, context), zone)
                } else {
                    body(StoredRecord(row: rows[index], type: type), zone)
                }
            }
        }
    }

    /// The result of a query.
    public enum Outcome: Sendable {
        case answered(Answer)
        /// The query cannot be answered before ``Findings/wanted`` are built; `isSoon` if that is worth waiting for.
        case needsIndexes(isSoon: Bool)
    }

    /// What a query found out about indexes, in addition to its answer.
    public struct Findings: Sendable {
        /// The work that it took.
        public var work: ReadWork
        public var used: [IndexNumber]
        /// Indexes that would have served better.
        public var wanted: [IndexShape]
    }

    public init(_ request: RecordsQueryRequest, context: RequestContext) throws(Refusal) {
        try self.init(request, context: context, roles: nil)
    }

    /// The query for the caller's roles.
    ///
    /// - Parameter reading: The reading of ``rolesFirst``.
    public func seeing(_ reading: Reading) throws(Refusal) -> QueryRecords {
        try QueryRecords(request, context: context, roles: reading.memberships.first ?? [])
    }

    private init(
        _ request: RecordsQueryRequest, context: RequestContext, roles: [Int64]?
    ) throws(Refusal) {
        self.request = request
        self.context = context
        let home = try context.home()
        let zone = try Self.zone(of: request, context)
        let database = zone?.database ?? home
        let question = Result { () throws(Refusal) in
            try Self.question(request, database, zone, context, roles: roles)
        }
        // The default zone always exists.
        if zone?.identity.isDefault != false { _ = try question.get() }
        var set = ReadSet()
        set.databases = [database]
        if let zone { set.zones = [zone.key] } else { set.zoneLists = [database] }
        var rolesFirst: ReadSet?
        if case .success(let question) = question {
            set.memberships = question.visibility.memberships
            set.queries = question.visibility.possible.map(question.scan.seen)
            rolesFirst = question.visibility.rolesFirst.map { users in
                var set = ReadSet()
                set.memberships = users
                return set
            }
        }
        (self.database, self.zone, self.question, self.rolesFirst) = (database, zone, question, rolesFirst)
        reading = set
    }

    private static func question(
        _ request: RecordsQueryRequest, _ database: DatabaseNumber, _ zone: ZoneAddress?, _ context: RequestContext,
        roles: [Int64]?
    ) throws(Refusal) -> Question {
        guard let type = context.catalog.types[request.query.recordType] else {
            throw .recordTypeNotFound(request.query.recordType.excerpt)
        }
        let visibility = QueryVisibility(context, type: type, roles: roles)
        if visibility.possible.isEmpty { throw visibility.refusal }
        var scan = try Self.scan(request, of: type, in: database, zone, context)
        // A condition like others, so that limits and markers depend on nothing else.
        if let shares = zone?.reach?.shares {
            scan.conditions = scan.conditions.map(\.inShare)
            scan.conditions.append(QueryCondition(.share, .isAny(shares.map { .integer($0) })))
        }
        let fingerprint = QueryFingerprint.of(scan, by: context.caller.user)
        scan.after = try request.continuationMarker.map { marker throws(Refusal) in
            try QueryMarker(marker.text, database: database, query: fingerprint, key: context.signingKey).position
        }
        return Question(type: type, visibility: visibility, fingerprint: fingerprint, scan: scan)
    }

    /// The zone to search; nil for all. `zoneID` takes precedence over `zoneWide`.
    private static func zone(
        of request: RecordsQueryRequest, _ context: RequestContext
    ) throws(Refusal) -> ZoneAddress? {
        guard request.zoneWide, request.zoneID == nil else { return try context.address(request.zoneID) }
        guard context.scope != .shared else {
            throw .badRequest("the shared database needs a zoneID with its owner")
        }
        return nil
    }

    private static func scan(
        _ request: RecordsQueryRequest, of type: RecordType, in database: DatabaseNumber, _ zone: ZoneAddress?,
        _ context: RequestContext
    ) throws(Refusal) -> QueryScan {
        let filters = FilterDecoder(
            type: type, caller: context.caller.user, zone: zone?.references)
        let limit = min(request.resultsLimit ?? context.limits.itemsMax, context.limits.itemsMax)
        return QueryScan(
            extent: zone.map { .zone($0.key) } ?? .database(database), type: type.row.number,
            conditions: try filters.conditions(request.query.filters),
            orders: try SortDecoder(type: type).orders(request.query.sorts), limit: limit,
            byteLimit: context.limits.pageBytesMax)
    }

    // MARK: Answer

    /// The result of the query.
    ///
    /// - Parameter reading: The result of ``reading``.
    /// - Throws: ``Refusal/zoneNotFound(_:_:)``, ``Refusal/accessDenied(_:)``; in other zones than the default zone also
    ///   why the query is not permitted.
    public func outcome(_ reading: Reading) throws(Refusal) -> Outcome {
        if let zone, reading.zones[0] == nil { throw .zoneNotFound(zone.zone) }
        let question = try question.get()
        if question.visibility.isOutdated(by: reading) {
            throw .tryAgainLater("your roles are being changed: try again", seconds: 1)
        }
        let page = try page(reading)
        guard page.isAnswered else {
            let records = reading.databases.first.flatMap { $0 }?.records ?? 0
            // How many records somebody else has is not for members to know.
            return .needsIndexes(isSoon: isOfMember || records < Self.waitsBelowRecords)
        }
        return .answered(try answer(page, question, reading))
    }

    /// Whether it searches a zone of somebody else.
    public var isOfMember: Bool { zone?.reach != nil }

    /// What was found out about indexes, whether the query was answered or not.
    public func findings(_ reading: Reading) throws(Refusal) -> Findings {
        let page = try page(reading)
        return Findings(work: page.work, used: page.used, wanted: page.wanted)
    }

    /// The page for what the caller may see.
    private func page(_ reading: Reading) throws(Refusal) -> QueryPage {
        let visibility = try question.get().visibility
        guard let place = visibility.decided(by: reading) else { throw visibility.refusal }
        return reading.queries[place]
    }

    private func answer(_ page: QueryPage, _ question: Question, _ reading: Reading) throws(Refusal) -> Answer {
        var zones: [ZoneNumber: ZoneIdentity] = [:]
        if let zone, let row = reading.zones[0] { zones[row.number] = zone.identity }
        for zone in reading.zoneLists.first ?? [] { zones[zone.number] = context.identity(zone.name) }
        let marker = try page.next.map { position throws(Refusal) in
            try QueryMarker(database: database, query: question.fingerprint, position: position).encrypted(
                key: context.signingKey)
        }
        return Answer(
            continuationMarker: marker,
            feedEnd: zone.flatMap { zone in reading.zones[0].flatMap(zone.feedEnd) }, rows: page.records,
            type: question.type, zones: zones, foreign: zone?.reach == nil ? nil : zone, context: context)
    }
}

extension QueryCondition {
    /// The same condition for members of a share.
    fileprivate var inShare: QueryCondition { fields == [.parent] ? QueryCondition(.parentInShare, test) : self }
}

extension QueryScan {
    /// The same scan, restricted to what a caller may see. This is a condition like others, so that limits and markers are
    /// correct.
    fileprivate func seen(_ visibility: Visibility) -> QueryScan {
        var scan = self
        scan.conditions += visibility.conditions
        return scan
    }
}
