/// Asked for the notifications since the last time. It fails: Apple's service dropped it.
@available(*, deprecated, message: "Apple's service dropped it; fetch changes instead.")
open class CKFetchNotificationChangesOperation: CKOperation, @unchecked Sendable {
    public var previousServerChangeToken: CKServerChangeToken?
    public var resultsLimit = 0
    public var moreComing: Bool { false }

    /// Never called.
    public var notificationChangedBlock: ((CKNotification) -> Void)?
    public var fetchNotificationChangesCompletionBlock: ((CKServerChangeToken?, (any Error)?) -> Void)?

    public init() { super.init(()) }

    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw Dropped.notificationChanges.error }

    override func conclude(_ error: CKError?) { fetchNotificationChangesCompletionBlock?(nil, error) }
}
