import Foundation

extension CKDatabase {
    /// Fetches one of the person's subscriptions. The block gets it, or a ``CKError``: see ``subscription(for:)``.
    @preconcurrency
    public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        run(
            CKFetchSubscriptionsOperation(subscriptionIDs: [subscriptionID]), { try $0.results.one(subscriptionID) },
            pair(completionHandler))
    }

    /// Fetches one of the person's subscriptions.
    ///
    /// - Throws: ``CKError``: `unknownItem` when there is no such subscription; otherwise what any request fails with
    ///   (``CKDatabase``).
    @discardableResult
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try await run(CKFetchSubscriptionsOperation(subscriptionIDs: [subscriptionID])) {
            try $0.results.one(subscriptionID)
        }
    }

    /// Fetches all of the person's subscriptions in this database. The block gets them in the order of their IDs, or a
    /// ``CKError``.
    @preconcurrency
    public func fetchAllSubscriptions(completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void)
    {
        run(CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation(), { try $0.all }, pair(completionHandler))
    }

    /// Fetches all of the person's subscriptions in this database, in the order of their IDs.
    ///
    /// - Throws: ``CKError``: why one of them cannot be read; otherwise what any request fails with (``CKDatabase``).
    @discardableResult
    public func allSubscriptions() async throws -> [CKSubscription] {
        try await run(CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()) { try $0.all }
    }

    /// Saves a subscription. The same once more changes nothing.
    @preconcurrency
    public func save(
        _ subscription: CKSubscription, completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        let id = subscription.subscriptionID
        run(
            CKModifySubscriptionsOperation(subscriptionsToSave: [subscription]), { try $0.saveResults.one(id) },
            pair(completionHandler))
    }

    /// Saves a subscription. The same once more changes nothing. A person has up to 200 in each database.
    ///
    /// - Throws: ``CKError``: `invalidArguments` for a predicate, fields or options that no subscription can have, and for
    ///   a kind that the database does not have: the public one has query subscriptions only; `zoneNotFound`;
    ///   `limitExceeded` for the 201st; otherwise what any request fails with (``CKDatabase``).
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        let id = subscription.subscriptionID
        return try await run(CKModifySubscriptionsOperation(subscriptionsToSave: [subscription])) {
            try $0.saveResults.one(id)
        }
    }

    /// Deletes one of the person's subscriptions. The block gets its ID, or a ``CKError``: see
    /// ``deleteSubscription(withID:)``.
    @preconcurrency
    public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        run(
            CKModifySubscriptionsOperation(subscriptionIDsToDelete: [subscriptionID]),
            { try $0.deleteResults.deleted(subscriptionID) }, pair(completionHandler))
    }

    /// Deletes one of the person's subscriptions.
    ///
    /// - Throws: ``CKError``: `unknownItem` when there is no such subscription; otherwise what any request fails with
    ///   (``CKDatabase``).
    @discardableResult
    public func deleteSubscription(withID subscriptionID: CKSubscription.ID) async throws -> CKSubscription.ID {
        try await run(CKModifySubscriptionsOperation(subscriptionIDsToDelete: [subscriptionID])) {
            try $0.deleteResults.deleted(subscriptionID)
        }
    }

    // MARK: Several subscriptions

    /// Fetches up to 200 of the person's subscriptions. The block gets a result for each, or a ``CKError`` when all
    /// fail alike.
    @preconcurrency
    public func fetch(
        withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
            ) -> Void
    ) {
        run(CKFetchSubscriptionsOperation(subscriptionIDs: subscriptionIDs), { $0.results }, completionHandler)
    }

    /// Fetches up to 200 of the person's subscriptions. One that does not exist fails alone with `unknownItem`.
    ///
    /// - Throws: ``CKError``: `limitExceeded` for more than 200; otherwise what any request fails with
    ///   (``CKDatabase``).
    @discardableResult
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await run(CKFetchSubscriptionsOperation(subscriptionIDs: ids)) { $0.results }
    }

    /// Saves and deletes up to 200 subscriptions. The block gets a result for each, or a ``CKError`` when all fail
    /// alike.
    @preconcurrency
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription], deleting subscriptionIDsToDelete: [CKSubscription.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: subscriptionsToSave, subscriptionIDsToDelete: subscriptionIDsToDelete)
        run(operation, { ($0.saveResults, $0.deleteResults) }, completionHandler)
    }

    /// Saves and deletes up to 200 subscriptions. Each has a result of its own; saving the same once more changes
    /// nothing.
    ///
    /// - Throws: ``CKError``: `limitExceeded` for more than 200; otherwise what any request fails with
    ///   (``CKDatabase``).
    @discardableResult
    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription], deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: subscriptionsToSave, subscriptionIDsToDelete: subscriptionIDsToDelete)
        return try await run(operation) { ($0.saveResults, $0.deleteResults) }
    }
}

extension CKFetchSubscriptionsOperation {
    /// By id. - Throws: What failed for one of them.
    fileprivate var all: [CKSubscription] {
        get throws { try results.sorted { $0.key < $1.key }.map { try $0.value.get() } }
    }
}
