/// Asked for the notifications since the last time. It fails: Apple's service dropped it.
@available(*, deprecated, message: "Apple's service no longer supports it; fetch changes instead.")
open class CKFetchNotificationChangesOperation: CKOperation, @unchecked Sendable {
    /// Kept, and not used.
    public var previousServerChangeToken: CKServerChangeToken?
    /// Kept, and not used.
    public var resultsLimit = 0
    /// Always false: there is nothing to come.
    public var moreComing: Bool { false }

    /// Never called.
    public var notificationChangedBlock: ((CKNotification) -> Void)?
    /// Called with `serverRejectedRequest`.
    public var fetchNotificationChangesCompletionBlock: ((CKServerChangeToken?, (any Error)?) -> Void)?

    /// Creates an operation that fails.
    public init() { super.init(()) }

    /// Creates an operation that fails.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw Dropped.notificationChanges.error }

    override func conclude(_ error: CKError?) { fetchNotificationChangesCompletionBlock?(nil, error) }
}
