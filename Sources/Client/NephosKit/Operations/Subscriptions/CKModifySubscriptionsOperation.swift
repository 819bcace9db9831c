import Foundation

/// Saves and deletes the person's subscriptions in a database. Saving the same subscription again changes nothing.
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The subscriptions to save; at most 400 together with those to delete.
    public var subscriptionsToSave: [CKSubscription]?
    /// The subscriptions to delete.
    public var subscriptionIDsToDelete: [CKSubscription.ID]?

    /// Called for each subscription that was to be saved, with the subscription as the server has it, or with a
    /// ``CKError``: `invalidArguments` for values that a subscription cannot have.
    public var perSubscriptionSaveBlock:
        ((_ subscriptionID: CKSubscription.ID, _ saveResult: Result<CKSubscription, any Error>) -> Void)?
    /// Called for each subscription that was to be deleted, with `unknownItem` if it does not exist.
    public var perSubscriptionDeleteBlock:
        ((_ subscriptionID: CKSubscription.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Called once at the end. Failures of single subscriptions are reported for each subscription, and do not fail the
    /// operation.
    public var modifySubscriptionsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``modifySubscriptionsResultBlock``, with `partialFailure` if some failed.
    @available(*, deprecated, message: "Use modifySubscriptionsResultBlock.")
    public var modifySubscriptionsCompletionBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldCompletion: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

    private(set) var saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>] = [:]
    private(set) var deleteResults: [CKSubscription.ID: Result<Void, any Error>] = [:]

    /// Creates an operation without subscriptions; set at least one of the lists, or it fails with `invalidArguments`.
    public init() { super.init(()) }

    /// Creates an operation that saves and deletes subscriptions. If both lists are nil, it fails
    /// with `invalidArguments`.
    public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil, subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init()
        self.subscriptionsToSave = subscriptionsToSave
        self.subscriptionIDsToDelete = subscriptionIDsToDelete
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        let (saved, deleted) = (subscriptionsToSave ?? [], (subscriptionIDsToDelete ?? []).unique)
        guard subscriptionsToSave != nil || subscriptionIDsToDelete != nil else {
            throw CKError(.invalidArguments, "nothing to do: set subscriptionsToSave or subscriptionIDsToDelete")
        }
        try RequestLimits.check(changes: saved.count + deleted.count, of: target.core.service)
        var unusable: [CKSubscription.ID: CKError] = [:]
        var documents: [[UInt8]] = []
        for subscription in saved {
            do throws(UnusableValue) {
                documents.append(try subscription.json())
            } catch {
                unusable[subscription.subscriptionID] = CKError(.invalidArguments, error.reason)
            }
        }
        var answers = Answers<CKSubscription.ID, CKSubscription>([])
        if !documents.isEmpty || !deleted.isEmpty {
            let call = SubscriptionsCall(
                scope: target.databaseScope, kind: .modify(saving: documents, deleting: deleted))
            answers = try await target.core.service.answer(call, terms)
        }
        let (answered, failures) = (answers, unusable)
        await self.call {
            for id in saved.map(\.subscriptionID).unique {
                self.report(saved: id, failures[id].map { .failure($0) } ?? answered.saved(id))
            }
            for id in deleted { self.report(deleted: id, answered.deleted(id)) }
        }
    }

    private func report(saved id: CKSubscription.ID, _ result: Result<CKSubscription, any Error>) {
        saveResults[id] = result
        perSubscriptionSaveBlock?(id, result)
    }

    private func report(deleted id: CKSubscription.ID, _ result: Result<Void, any Error>) {
        deleteResults[id] = result
        perSubscriptionDeleteBlock?(id, result)
    }

    override func conclude(_ error: CKError?) {
        modifySubscriptionsResultBlock?(error.map { .failure($0) } ?? .success(()))
        let failures = saveResults.failures().merging(deleteResults.failures()) { $1 }
        oldCompletion?(
            (subscriptionsToSave ?? []).compactMap { try? saveResults[$0.subscriptionID]?.get() },
            (subscriptionIDsToDelete ?? []).filter { deleteResults[$0]?.isSuccess == true },
            error ?? CKError.partial(failures, "Failed to modify some subscriptions"))
    }
}
