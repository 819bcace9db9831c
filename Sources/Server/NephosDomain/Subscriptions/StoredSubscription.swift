public import CloudKitWire
public import NephosStorage

/// A subscription of an answer.
public struct StoredSubscription: Sendable {
    public let dictionary: SubscriptionDictionary
    /// nil for a whole database.
    public let zone: ZoneIdentity?

    /// - Throws: ``Refusal/failed`` for a row that cannot be read.
    init(_ row: SubscriptionRow, _ context: RequestContext) throws(Refusal) {
        do throws(WireError) {
            dictionary = try SubscriptionDictionary(stored: row.dictionary)
        } catch {
            throw .failed
        }
        zone = dictionary.zoneID.map { context.identity($0.zoneName) }
    }
}

/// `subscriptions/list`: what the caller subscribed to in one database, by name.
public struct ListSubscriptions: Sendable {
    private let context: RequestContext
    public let reading: ReadSet

    public init(context: RequestContext) throws(Refusal) {
        self.context = context
        reading = try context.readingSubscriptions()
    }

    public func answer(_ reading: Reading) throws(Refusal) -> [StoredSubscription] {
        var answers: [StoredSubscription] = []
        for row in reading.subscriptions.first ?? [] { answers.append(try StoredSubscription(row, context)) }
        return answers
    }
}

/// `subscriptions/lookup`: subscriptions by id, one answer for each, in order.
public struct LookupSubscriptions: Sendable {
    private let context: RequestContext
    private let names: [Name]
    public let reading: ReadSet

    public init(_ request: SubscriptionsLookupRequest, context: RequestContext) throws(Refusal) {
        self.context = context
        names = request.subscriptionIDs
        reading = try context.readingSubscriptions()
    }

    public func answer(_ reading: Reading) -> [Result<StoredSubscription, Refusal>] {
        let rows = reading.subscriptions.first ?? []
        return names.map { name in
            guard let row = rows.first(where: { $0.name == name }) else { return .failure(.subscriptionNotFound(name)) }
            return Result { () throws(Refusal) in try StoredSubscription(row, context) }
        }
    }
}

extension RequestContext {
    /// The caller's subscriptions in the named database. They are few: ``DomainLimits/subscriptionsMax``. The shared
    /// database has none before something can be shared.
    ///
    /// - Throws: ``Refusal/authenticationRequired`` where nobody is signed in.
    func readingSubscriptions() throws(Refusal) -> ReadSet {
        let database = try database()
        guard let user = caller.user else { throw .authenticationRequired }
        var set = ReadSet()
        guard scope != .shared else { return set }
        set.subscriptions = [SubscriptionScan(database: database, which: .of(user), limit: .max)]
        return set
    }
}
