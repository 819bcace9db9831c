/// Notified a person's other devices which notifications were read. Always fails: Apple's service no longer supports
/// it.
@available(*, deprecated, message: "Apple's service no longer supports it; fetch changes instead.")
open class CKMarkNotificationsReadOperation: CKOperation, @unchecked Sendable {
    /// Stored, but not used.
    public var notificationIDs: [CKNotification.ID] = []

    /// Called with `serverRejectedRequest`.
    public var markNotificationsReadCompletionBlock: (([CKNotification.ID]?, (any Error)?) -> Void)?

    /// Creates an operation, which always fails.
    public init() { super.init(()) }

    /// Creates an operation, which always fails.
    public convenience init(notificationIDsToMarkRead notificationIDs: [CKNotification.ID]) {
        self.init()
        self.notificationIDs = notificationIDs
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw Dropped.markingRead.error }

    override func conclude(_ error: CKError?) { markNotificationsReadCompletionBlock?(nil, error) }
}
