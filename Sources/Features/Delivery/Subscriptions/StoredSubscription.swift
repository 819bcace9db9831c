package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// A subscription in a response.
package struct StoredSubscription: Sendable {
    package let dictionary: SubscriptionDictionary
    /// nil for a whole database.
    package let zone: ZoneIdentity?

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

/// `subscriptions/list`: the caller's subscriptions in one database, by name.
package struct ListSubscriptions: Sendable {
    private let context: RequestContext
    private let own: OwnSubscriptions
    package var reading: ReadSet { own.reading }

    package init(context: RequestContext) throws(Refusal) {
        self.context = context
        own = try OwnSubscriptions(context)
    }

    package func answer(_ reading: Reading) throws(Refusal) -> [StoredSubscription] {
        var answers: [StoredSubscription] = []
        for row in own.rows(reading) { answers.append(try StoredSubscription(row, context)) }
        return answers
    }
}

/// `subscriptions/lookup`: subscriptions by ID, one result for each, in order.
package struct LookupSubscriptions: Sendable {
    private let context: RequestContext
    private let names: [Name]
    private let own: OwnSubscriptions
    package var reading: ReadSet { own.reading }

    package init(_ request: SubscriptionsLookupRequest, context: RequestContext) throws(Refusal) {
        self.context = context
        names = request.subscriptionIDs
        own = try OwnSubscriptions(context)
    }

    package func answer(_ reading: Reading) -> [Result<StoredSubscription, Refusal>] {
        let rows = own.rows(reading)
        return names.map { name in
            guard let row = rows.first(where: { $0.name == own.key(of: name) }) else {
                return .failure(.noSubscription(name))
            }
            return Result { () throws(Refusal) in try StoredSubscription(row, context) }
        }
    }
}

/// The caller's subscriptions in the named database, at most ``DomainLimits/subscriptionsMax``. Those of the shared database are stored
/// in the private one, where the caller's devices are.
struct OwnSubscriptions: Sendable {
    private let scan: Scan<SubscriptionRow>
    private let scope: DatabaseScope

    /// - Throws: ``Refusal/authenticationRequired`` if nobody is signed in.
    init(_ context: RequestContext) throws(Refusal) {
        let database = try context.home()
        guard let user = context.caller.user else { throw .authenticationRequired }
        scan = SubscriptionRow.of(user, in: database)
        scope = context.scope
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.ask(scan)
        return set
    }

    func rows(_ reading: Reading) -> [SubscriptionRow] {
        reading[scan].filter { ($0.kind == .sharedDatabase) == (scope == .shared) }
    }

    func key(of name: Name) -> Name { Self.key(of: name, in: scope) }

    /// The name by which a subscription is stored: those of the two databases do not concern each other.
    static func key(of name: Name, in scope: DatabaseScope) -> Name {
        scope == .shared ? Name(bytes: [1] + name.bytes) : name
    }
}

extension Refusal {
    static func noSubscription(_ name: Name) -> Refusal {
        .notFound("you have no subscription '\(name.excerpt)' in this database; see yours with subscriptions/list")
    }
}
