/// Set the number on the app's icon. It fails: Apple's service dropped it.
@available(*, deprecated, message: "Apple's service no longer supports it.")
open class CKModifyBadgeOperation: CKOperation, @unchecked Sendable {
    /// Kept, and not used.
    public var badgeValue = 0

    /// Called with `serverRejectedRequest`.
    public var modifyBadgeCompletionBlock: (((any Error)?) -> Void)?

    /// Creates an operation that fails.
    public init() { super.init(()) }

    /// Creates an operation that fails.
    public convenience init(badgeValue: Int) {
        self.init()
        self.badgeValue = badgeValue
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw Dropped.badge.error }

    override func conclude(_ error: CKError?) { modifyBadgeCompletionBlock?(error) }
}
