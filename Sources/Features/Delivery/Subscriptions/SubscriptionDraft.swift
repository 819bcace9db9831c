import CloudKitWire
import NephosDomain
import NephosStorage

/// A subscription ready to be stored, except for its sequence (docs/protocol.md, "Subscriptions").
struct SubscriptionDraft {
    /// The maximum size of a stored subscription, in bytes.
    static let bytesMax = 64 << 10

    /// As it is stored (``OwnSubscriptions/key(of:)``).
    let name: Name
    let subscriptionID: Name
    let kind: SubscriptionRow.Kind
    /// The zone; nil for a whole database.
    let zone: Name?
    let dictionary: Bytes
    /// What a query would show to the subscriber, or why the schema or the subscriber's rights do not permit it; nil for
    /// other kinds.
    let visibility: Result<QueryVisibility, Refusal>?

    /// - Parameter name: Its own, or a generated one.
    /// - Throws: ``Refusal`` for what CloudKit does not support in this database, for a query that is not valid, and for a zone
    ///   that cannot exist.
    init(_ asked: SubscriptionDictionary, named name: Name, _ context: RequestContext) throws(Refusal) {
        try NameRules.check(name, what: "subscriptionID")
        guard let kind = asked.kind else {
            throw .badRequest("subscriptionType is missing: it must be query, zone or database")
        }
        var stored = asked
        stored.subscriptionID = name
        guard context.scope != .shared || kind == .database else {
            throw .badRequest("the shared database supports only database subscriptions")
        }
        switch kind {
        case .query:
            self.kind = .query
            let (queried, query) = (try Self.queriedZone(asked, context), try Self.query(asked))
            zone = queried
            visibility = Result { () throws(Refusal) in try Self.visibility(query, queried, context) }
            stored.zoneWide = zone == nil
        case .zone:
            self.kind = .zone
            zone = try Self.watchedZone(asked, context)
            visibility = nil
            stored.zoneWide = nil
        case .database:
            guard context.scope != .public else {
                throw .badRequest("the public database supports only query subscriptions")
            }
            self.kind = context.scope == .shared ? .sharedDatabase : .database
            (zone, visibility) = (nil, nil)
        }
        self.name = OwnSubscriptions.key(of: name, in: context.scope)
        subscriptionID = name
        var writer = JSONWriter()
        stored.write(to: &writer, zoneID: zone.map { ZoneIDDictionary.encoded(zoneName: $0, ownerRecordName: nil) })
        guard writer.bytes.count <= Self.bytesMax else {
            throw .limitExceeded("a subscription can have at most \(Self.bytesMax) bytes")
        }
        dictionary = writer.bytes[...]
    }

    /// Why the subscriber may not have the subscription; nil if it is permitted. A zone that does not exist is reported
    /// first.
    func refusal(_ reading: Reading, hasZone: Bool) -> Refusal? {
        switch visibility {
        case nil: nil
        case .success(let visibility)?: visibility.decided(by: reading) == nil ? visibility.refusal : nil
        case .failure(let refusal)?: hasZone ? refusal : zone.map { Refusal.zoneNotFound($0) }
        }
    }

    // MARK: Queries

    /// `zoneID` takes precedence over `zoneWide`, whose default is true.
    private static func queriedZone(
        _ asked: SubscriptionDictionary, _ context: RequestContext
    ) throws(Refusal) -> Name? {
        if asked.zoneID == nil, asked.zoneWide ?? true { return nil }
        return try context.address(asked.zoneID).zone
    }

    private static func query(_ asked: SubscriptionDictionary) throws(Refusal) -> RecordQuery {
        guard let query = asked.query else { throw .badRequest("a query subscription needs a query") }
        guard !asked.firesOn.isEmpty else {
            throw .badRequest("a query subscription needs firesOn: one or more of create, update and delete")
        }
        return query
    }

    private static func visibility(
        _ query: RecordQuery, _ zone: Name?, _ context: RequestContext
    ) throws(Refusal) -> QueryVisibility {
        guard let type = context.catalog.types[query.recordType] else {
            throw .recordTypeNotFound(query.recordType.excerpt)
        }
        let visibility = QueryVisibility(context, type: type)
        if visibility.isEmpty { throw visibility.refusal }
        _ = try context.conditions(query.filters, of: type, in: zone)
        return visibility
    }

    // MARK: Zones

    private static func watchedZone(
        _ asked: SubscriptionDictionary, _ context: RequestContext
    ) throws(Refusal) -> Name {
        guard context.scope == .private else {
            throw .badRequest("zone subscriptions are not applicable in the database type '\(context.scope.label)'")
        }
        guard asked.zoneID != nil else { throw .badRequest("a zone subscription needs a zoneID") }
        let zone = try context.address(asked.zoneID).zone
        guard zone != defaultZoneName else {
            throw .badRequest(
                "the default zone has no changes to fetch: subscribe to a custom zone, or to the database")
        }
        return zone
    }
}
