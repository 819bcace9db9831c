import Foundation

extension CKDatabase {
    /// Fetches one of the person's subscriptions. The block receives it, or a ``CKError``: see ``subscription(for:)``.
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
    /// - Throws: ``CKError``: `unknownItem` if there is no such subscription; otherwise the errors of any request
    ///   (``CKDatabase``).
    @discardableResult
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try await run(CKFetchSubscriptionsOperation(subscriptionIDs: [subscriptionID])) {
            try $0.results.one(subscriptionID)
        }
    }

    /// Fetches all of the person's subscriptions in this database. The block receives them in the order of their IDs,
    /// or a ``CKError``.
    @preconcurrency
    public func fetchAllSubscriptions(completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void)
    {
        run(CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation(), { try $0.all }, pair(completionHandler))
    }

    /// Fetches all of the person's subscriptions in this database, in the order of their IDs.
    ///
    /// - Throws: ``CKError``: the error of the first subscription that cannot be read; otherwise the errors of any
    ///   request (``CKDatabase``).
    @discardableResult
    public func allSubscriptions() async throws -> [CKSubscription] {
        try await run(CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()) { try $0.all }
    }

    /// Saves a subscription. Saving the same subscription again changes nothing. The block receives it, or a
    /// ``CKError``: see ``save(_:)-(CKSubscription)``.
    @preconcurrency
    public func save(
        _ subscription: CKSubscription, completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        let id = subscription.subscriptionID
        run(
            CKModifySubscriptionsOperation(subscriptionsToSave: [subscription]), { try $0.saveResults.one(id) },
            pair(completionHandler))
    }

    /// Saves a subscription. Saving the same subscription again changes nothing. A person can have up to 200 in each
    /// database.
    ///
    /// - Throws: ``CKError``: `invalidArguments` for a predicate, fields or options that no subscription can have, and for
    ///   a kind that the database does not support: the public database supports query subscriptions only;
    ///   `zoneNotFound`; `limitExceeded` for the 201st; otherwise the errors of any request (``CKDatabase``).
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        let id = subscription.subscriptionID
        return try await run(CKModifySubscriptionsOperation(subscriptionsToSave: [subscription])) {
            try $0.saveResults.one(id)
        }
    }

    /// Deletes one of the person's subscriptions. The block receives its ID, or a ``CKError``: see
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
    /// - Throws: ``CKError``: `unknownItem` if there is no such subscription; otherwise the errors of any request
    ///   (``CKDatabase``).
    @discardableResult
    public func deleteSubscription(withID subscriptionID: CKSubscription.ID) async throws -> CKSubscription.ID {
        try await run(CKModifySubscriptionsOperation(subscriptionIDsToDelete: [subscriptionID])) {
            try $0.deleteResults.deleted(subscriptionID)
        }
    }

    // MARK: Several subscriptions

    /// Fetches up to 200 of the person's subscriptions. The block receives a result for each, or a ``CKError`` if the
    /// whole operation fails.
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

    /// Fetches up to 200 of the person's subscriptions. The result of one that does not exist is `unknownItem`.
    ///
    /// - Throws: ``CKError``: `limitExceeded` for more than 200; otherwise the errors of any request
    ///   (``CKDatabase``).
    @discardableResult
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await run(CKFetchSubscriptionsOperation(subscriptionIDs: ids)) { $0.results }
    }

    /// Saves and deletes up to 400 subscriptions. The block receives a result for each, or a ``CKError`` if the whole
    /// operation fails.
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

    /// Saves and deletes up to 400 subscriptions. Each has its own result; saving the same subscription again changes
    /// nothing.
    ///
    /// - Throws: ``CKError``: `limitExceeded` for more than 400; otherwise the errors of any request
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
    /// All subscriptions, in the order of their IDs. - Throws: The error of the first that failed.
    fileprivate var all: [CKSubscription] {
        get throws { try results.sorted { $0.key < $1.key }.map { try $0.value.get() } }
    }
}
