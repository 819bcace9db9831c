import Foundation

/// Fetches the person's subscriptions in a database, by their IDs or all of them.
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The subscriptions to fetch, at most 200.
    public var subscriptionIDs: [CKSubscription.ID]?

    /// Called for each subscription with the subscription, or with a ``CKError``: `unknownItem` if it
    /// does not exist.
    public var perSubscriptionResultBlock:
        ((_ subscriptionID: CKSubscription.ID, _ subscriptionResult: Result<CKSubscription, any Error>) -> Void)?
    /// Called once at the end. Failures of single subscriptions are reported for each subscription, and do not fail the
    /// operation.
    public var fetchSubscriptionsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``fetchSubscriptionsResultBlock``: called with the subscriptions that were found, and with
    /// `partialFailure` if some failed.
    @available(*, deprecated, message: "Use fetchSubscriptionsResultBlock.")
    public var fetchSubscriptionCompletionBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldCompletion: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?

    private(set) var results: [CKSubscription.ID: Result<CKSubscription, any Error>] = [:]
    private var fetchesAll = false

    /// Creates an operation without subscriptions.
    public required init() { super.init(()) }

    /// Creates an operation for subscriptions.
    public convenience init(subscriptionIDs: [CKSubscription.ID]) {
        self.init()
        self.subscriptionIDs = subscriptionIDs
    }

    /// Creates an operation that fetches all of the person's subscriptions in the database.
    open class func fetchAllSubscriptionsOperation() -> Self {
        let operation = self.init()
        operation.fetchesAll = true
        return operation
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        let ids = (subscriptionIDs ?? []).unique
        try RequestLimits.check(ids.count)
        if ids.isEmpty, !fetchesAll { return }
        let call = SubscriptionsCall(scope: target.databaseScope, kind: fetchesAll ? .list : .lookup(ids))
        let answers = try await target.core.service.answer(call, terms)
        await self.call {
            for id in self.fetchesAll ? answers.ids : ids {
                self.report(id, answers.fetched(id, gone: CKError(.unknownItem, "Subscription '\(id)' does not exist")))
            }
        }
    }

    private func report(_ id: CKSubscription.ID, _ result: Result<CKSubscription, any Error>) {
        results[id] = result
        perSubscriptionResultBlock?(id, result)
    }

    override func conclude(_ error: CKError?) {
        fetchSubscriptionsResultBlock?(error.map { .failure($0) } ?? .success(()))
        let failures = results.failures()
        oldCompletion?(
            results.compactMapValues { try? $0.get() },
            error ?? CKError.partial(failures, "Failed to fetch some subscriptions"))
    }
}
