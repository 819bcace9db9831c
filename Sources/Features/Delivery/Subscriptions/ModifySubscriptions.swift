package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// `subscriptions/modify`: saves and deletes subscriptions of the caller. Operations are performed in order and independently;
/// saving an identical subscription changes nothing (docs/protocol.md, "Subscriptions").
package struct ModifySubscriptions: Sendable {
    package enum Item: Sendable {
        case saved(StoredSubscription)
        case deleted(Name)
        case refused(Refusal)
    }

    private enum Step: Sendable {
        /// - mustExist: Whether it is an update.
        case save(SubscriptionDraft, mustExist: Bool)
        /// Only a name: the existing subscription is returned.
        case keep(Name)
        case delete(Name)
    }

    private let context: RequestContext
    private let database: DatabaseNumber
    private let user: UserID
    private let steps: [Result<Step, Refusal>]
    private let own: OwnSubscriptions
    package let reading: ReadSet

    /// - Parameter newName: Creates a name for a subscription without one.
    package init(
        _ request: SubscriptionsModifyRequest, context: RequestContext, newName: () -> Name
    ) throws(Refusal) {
        self.context = context
        own = try OwnSubscriptions(context)
        var reading = own.reading
        database = try context.home()
        guard let user = context.caller.user else { throw .authenticationRequired }
        self.user = user
        steps = request.operations.map { operation in
            Result { () throws(Refusal) in try Self.step(operation, context, newName) }
        }
        reading.databases = [database]
        for case .success(.save(let draft, _)) in steps {
            if let zone = draft.zone { reading.zones.append(.name(database, zone)) }
            // The caller's own memberships, whichever type needs them.
            if reading.memberships.isEmpty, case .success(let visibility)? = draft.visibility {
                reading.memberships = visibility.memberships
            }
        }
        self.reading = reading
    }

    private static func step(
        _ operation: SubscriptionsModifyRequest.Operation, _ context: RequestContext, _ newName: () -> Name
    ) throws(Refusal) -> Step {
        let (asked, name) = (operation.subscription, operation.subscription.subscriptionID)
        switch operation.kind {
        case .create where asked.isOnlyName, .update where asked.isOnlyName:
            guard let name else { throw .badRequest("subscriptionType is missing: it must be query, zone or database") }
            return .keep(name)
        case .create: return .save(try SubscriptionDraft(asked, named: name ?? newName(), context), mustExist: false)
        case .update:
            guard let name else { throw .badRequest("an update needs a subscriptionID") }
            return .save(try SubscriptionDraft(asked, named: name, context), mustExist: true)
        case .delete:
            guard let name else { throw .badRequest("a deletion needs a subscriptionID") }
            return .delete(name)
        }
    }

    package func decide(_ reading: Reading) throws(Refusal) -> Decision<[Item]> {
        guard let head = reading.databases[0] else { throw .failed }
        var found = reading.zones.makeIterator()
        var state = State(head, own.rows(reading), now: context.now)
        var items: [Item] = []
        for step in steps {
            switch step {
            case .failure(let refusal): items.append(.refused(refusal))
            case .success(let step):
                var hasZone = true
                if case .save(let draft, _) = step, draft.zone != nil { hasZone = (found.next() ?? nil) != nil }
                if case .save(let draft, _) = step, let refusal = draft.refusal(reading, hasZone: hasZone) {
                    items.append(.refused(refusal))
                } else {
                    items.append(try carryOut(step, hasZone: hasZone, &state))
                }
            }
        }
        return .write(state.writes, items)
    }

    private func carryOut(_ step: Step, hasZone: Bool, _ state: inout State) throws(Refusal) -> Item {
        switch step {
        case .keep(let name):
            guard let row = state.rows[own.key(of: name)] else { return .refused(.noSubscription(name)) }
            return .saved(try StoredSubscription(row, context))
        case .delete(let name):
            guard state.rows.removeValue(forKey: own.key(of: name)) != nil else {
                return .refused(.noSubscription(name))
            }
            return .deleted(name)
        case .save(let draft, let mustExist):
            let old = state.rows[draft.name]
            if mustExist, old == nil { return .refused(.noSubscription(draft.subscriptionID)) }
            if !hasZone, let zone = draft.zone { return .refused(.zoneNotFound(zone)) }
            let limit = context.limits.subscriptionsMax
            guard old != nil || state.rows.count < limit else {
                return .refused(.limitExceeded("LIMIT: a user can have at most \(limit) subscriptions in a database"))
            }
            if let old, old.kind == draft.kind, old.dictionary == draft.dictionary {
                return .saved(try StoredSubscription(old, context))
            }
            return .saved(try StoredSubscription(state.save(draft, of: user), context))
        }
    }

    /// The subscriptions after the operations so far.
    private struct State {
        var rows: [Name: SubscriptionRow]
        private let stored: [Name: SubscriptionRow]
        private var head: HeadRow

        init(_ head: HeadRow, _ rows: [SubscriptionRow], now: Milliseconds) {
            stored = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            self.rows = stored
            self.head = head
            self.head.time = max(now, head.time)
        }

        mutating func save(_ draft: SubscriptionDraft, of user: UserID) -> SubscriptionRow {
            head.sequence += 1
            let row = SubscriptionRow(
                database: head.database, user: user, name: draft.name, sequence: head.sequence, kind: draft.kind,
                createdAt: rows[draft.name]?.createdAt ?? head.time, dictionary: draft.dictionary)
            rows[draft.name] = row
            return row
        }

        var writes: WriteSet {
            var set = WriteSet()
            for name in Set(stored.keys).union(rows.keys).sorted() where stored[name] != rows[name] {
                if let row = rows[name] {
                    set.put(row, replacing: stored[name])
                } else if let row = stored[name] {
                    set.remove(row)
                }
            }
            if !set.isEmpty { set.heads = [head] }
            return set
        }
    }
}
