import Foundation

/// Saves and deletes one's subscriptions in a database. Saving the same once more changes nothing.
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    public var subscriptionsToSave: [CKSubscription]?
    public var subscriptionIDsToDelete: [CKSubscription.ID]?

    public var perSubscriptionSaveBlock:
        ((_ subscriptionID: CKSubscription.ID, _ saveResult: Result<CKSubscription, any Error>) -> Void)?
    public var perSubscriptionDeleteBlock:
        ((_ subscriptionID: CKSubscription.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// A failure of some subscriptions is none of the operation's.
    public var modifySubscriptionsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "Use modifySubscriptionsResultBlock.")
    public var modifySubscriptionsCompletionBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldCompletion: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

    private(set) var saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>] = [:]
    private(set) var deleteResults: [CKSubscription.ID: Result<Void, any Error>] = [:]

    public init() { super.init(()) }

    public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil, subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init()
        self.subscriptionsToSave = subscriptionsToSave
        self.subscriptionIDsToDelete = subscriptionIDsToDelete
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let target = target
        let (saved, deleted) = (subscriptionsToSave ?? [], subscriptionIDsToDelete ?? [])
        guard subscriptionsToSave != nil || subscriptionIDsToDelete != nil else {
            throw CKError(.invalidArguments, "nothing to do: set subscriptionsToSave or subscriptionIDsToDelete")
        }
        try RequestLimits.check(saved.count + deleted.count)
        var unusable: [CKSubscription.ID: CKError] = [:]
        var documents: [[UInt8]] = []
        for subscription in saved {
            do throws(UnusableValue) {
                documents.append(try subscription.json())
            } catch {
                unusable[subscription.subscriptionID] = CKError(.invalidArguments, error.reason)
            }
        }
        var items: [CKSubscription.ID: SubscriptionsCall.Item] = [:]
        if !documents.isEmpty || !deleted.isEmpty {
            let call = SubscriptionsCall(
                scope: target.databaseScope, kind: .modify(saving: documents, deleting: deleted))
            for item in try await target.core.service.answer(call, terms) {
                if let id = item.id { items[id] = item }
            }
        }
        let (answers, failures) = (items, unusable)
        await self.call {
            for id in saved.map(\.subscriptionID) {
                switch answers[id] {
                case _ where failures[id] != nil: self.tell(saved: id, .failure(failures[id] ?? .unanswered))
                case .subscription(let subscription)?: self.tell(saved: id, .success(subscription))
                case .failed(_, let error)?: self.tell(saved: id, .failure(error.ckError))
                case .deleted?, nil: self.tell(saved: id, .failure(CKError.unanswered))
                }
            }
            for id in deleted {
                switch answers[id] {
                case .deleted?: self.tell(deleted: id, .success(()))
                case .failed(_, let error)?: self.tell(deleted: id, .failure(error.ckError))
                case .subscription?, nil: self.tell(deleted: id, .failure(CKError.unanswered))
                }
            }
        }
    }

    private func tell(saved id: CKSubscription.ID, _ result: Result<CKSubscription, any Error>) {
        saveResults[id] = result
        perSubscriptionSaveBlock?(id, result)
    }

    private func tell(deleted id: CKSubscription.ID, _ result: Result<Void, any Error>) {
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
