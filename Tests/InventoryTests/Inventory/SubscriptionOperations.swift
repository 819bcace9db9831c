import CloudKit

/// Operations for subscriptions, and the one for web service tokens.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func fetchSubscriptionsOperation() {
        topic("CKFetchSubscriptionsOperation")
        typealias Fetch = CKFetchSubscriptionsOperation
        type("CKFetchSubscriptionsOperation", Fetch.self as CKDatabaseOperation.Type)
        function("CKFetchSubscriptionsOperation.init()", Fetch.init as () -> Fetch)
        function(
            "CKFetchSubscriptionsOperation.init(subscriptionIDs:)",
            Fetch.init(subscriptionIDs:) as ([CKSubscription.ID]) -> Fetch)
        function(
            "CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()",
            Fetch.fetchAllSubscriptionsOperation as () -> Fetch)
        set("CKFetchSubscriptionsOperation.subscriptionIDs", \Fetch.subscriptionIDs, [CKSubscription.ID]?.self)
        set(
            "CKFetchSubscriptionsOperation.perSubscriptionResultBlock", \Fetch.perSubscriptionResultBlock,
            ItemBlock<CKSubscription.ID, CKSubscription>?.self)
        set(
            "CKFetchSubscriptionsOperation.fetchSubscriptionsResultBlock", \Fetch.fetchSubscriptionsResultBlock,
            ResultBlock<Void>?.self)
        set(
            "CKFetchSubscriptionsOperation.fetchSubscriptionCompletionBlock", \Fetch.fetchSubscriptionCompletionBlock,
            OldBlock<[CKSubscription.ID: CKSubscription]>?.self)
    }

    mutating func modifySubscriptionsOperation() {
        topic("CKModifySubscriptionsOperation")
        typealias Modify = CKModifySubscriptionsOperation
        type("CKModifySubscriptionsOperation", Modify.self as CKDatabaseOperation.Type)
        function("CKModifySubscriptionsOperation.init()", Modify.init as () -> Modify)
        function(
            "CKModifySubscriptionsOperation.init(subscriptionsToSave:subscriptionIDsToDelete:)",
            Modify.init(subscriptionsToSave:subscriptionIDsToDelete:)
                as ([CKSubscription]?, [CKSubscription.ID]?) -> Modify)
        set("CKModifySubscriptionsOperation.subscriptionsToSave", \Modify.subscriptionsToSave, [CKSubscription]?.self)
        set(
            "CKModifySubscriptionsOperation.subscriptionIDsToDelete", \Modify.subscriptionIDsToDelete,
            [CKSubscription.ID]?.self)
        set(
            "CKModifySubscriptionsOperation.perSubscriptionSaveBlock", \Modify.perSubscriptionSaveBlock,
            ItemBlock<CKSubscription.ID, CKSubscription>?.self)
        set(
            "CKModifySubscriptionsOperation.perSubscriptionDeleteBlock", \Modify.perSubscriptionDeleteBlock,
            ItemBlock<CKSubscription.ID, Void>?.self)
        set(
            "CKModifySubscriptionsOperation.modifySubscriptionsResultBlock", \Modify.modifySubscriptionsResultBlock,
            ResultBlock<Void>?.self)
        set(
            "CKModifySubscriptionsOperation.modifySubscriptionsCompletionBlock",
            \Modify.modifySubscriptionsCompletionBlock,
            (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?.self)
    }

    mutating func fetchWebAuthTokenOperation() {
        topic("CKFetchWebAuthTokenOperation")
        typealias Fetch = CKFetchWebAuthTokenOperation
        type("CKFetchWebAuthTokenOperation", Fetch.self as CKDatabaseOperation.Type)
        function("CKFetchWebAuthTokenOperation.init()", Fetch.init as () -> Fetch)
        function("CKFetchWebAuthTokenOperation.init(apiToken:)", Fetch.init(apiToken:) as (String) -> Fetch)
        set("CKFetchWebAuthTokenOperation.apiToken", \Fetch.apiToken, String?.self)
        set(
            "CKFetchWebAuthTokenOperation.fetchWebAuthTokenResultBlock", \Fetch.fetchWebAuthTokenResultBlock,
            ResultBlock<String>?.self)
        set(
            "CKFetchWebAuthTokenOperation.fetchWebAuthTokenCompletionBlock", \Fetch.fetchWebAuthTokenCompletionBlock,
            OldBlock<String>?.self)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut() {
    _ = CKModifySubscriptionsOperation(subscriptionsToSave: [])
    _ = CKModifySubscriptionsOperation(subscriptionIDsToDelete: [])
    _ = (CKModifySubscriptionsOperation(), CKFetchSubscriptionsOperation())
}
