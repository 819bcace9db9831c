/// Fetched the notifications since a change token. Always fails: Apple's service no longer supports it.
@available(*, deprecated, message: "Apple's service no longer supports it; fetch changes instead.")
open class CKFetchNotificationChangesOperation: CKOperation, @unchecked Sendable {
    /// Stored, but not used.
    public var previousServerChangeToken: CKServerChangeToken?
    /// Stored, but not used.
    public var resultsLimit = 0
    /// Always false: nothing is fetched.
    public var moreComing: Bool { false }

    /// Never called.
    public var notificationChangedBlock: ((CKNotification) -> Void)?
    /// Called with `serverRejectedRequest`.
    public var fetchNotificationChangesCompletionBlock: ((CKServerChangeToken?, (any Error)?) -> Void)?

    /// Creates an operation, which always fails.
    public init() { super.init(()) }

    /// Creates an operation, which always fails.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw Dropped.notificationChanges.error }

    override func conclude(_ error: CKError?) { fetchNotificationChangesCompletionBlock?(nil, error) }
}
