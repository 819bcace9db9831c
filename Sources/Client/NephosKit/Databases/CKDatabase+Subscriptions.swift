import Foundation

extension CKDatabase {
    @preconcurrency
    public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {
        run(
            CKFetchSubscriptionsOperation(subscriptionIDs: [subscriptionID]), { try $0.results.one(subscriptionID) },
            pair(completionHandler))
    }

    @discardableResult
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try await run(CKFetchSubscriptionsOperation(subscriptionIDs: [subscriptionID])) {
            try $0.results.one(subscriptionID)
        }
    }

    @preconcurrency
    public func fetchAllSubscriptions(completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void)
    {
        run(CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation(), { try $0.all }, pair(completionHandler))
    }

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

    /// Saves a subscription. The same once more changes nothing.
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        let id = subscription.subscriptionID
        return try await run(CKModifySubscriptionsOperation(subscriptionsToSave: [subscription])) {
            try $0.saveResults.one(id)
        }
    }

    @preconcurrency
    public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        run(
            CKModifySubscriptionsOperation(subscriptionIDsToDelete: [subscriptionID]),
            { try $0.deleteResults.deleted(subscriptionID) }, pair(completionHandler))
    }

    @discardableResult
    public func deleteSubscription(withID subscriptionID: CKSubscription.ID) async throws -> CKSubscription.ID {
        try await run(CKModifySubscriptionsOperation(subscriptionIDsToDelete: [subscriptionID])) {
            try $0.deleteResults.deleted(subscriptionID)
        }
    }

    // MARK: Several subscriptions

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

    @discardableResult
    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await run(CKFetchSubscriptionsOperation(subscriptionIDs: ids)) { $0.results }
    }

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
