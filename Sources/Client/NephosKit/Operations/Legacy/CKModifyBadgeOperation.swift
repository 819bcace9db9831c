/// Set the number on the app's icon. Always fails: Apple's service no longer supports it.
@available(*, deprecated, message: "Apple's service no longer supports it.")
open class CKModifyBadgeOperation: CKOperation, @unchecked Sendable {
    /// Stored, but not used.
    public var badgeValue = 0

    /// Called with `serverRejectedRequest`.
    public var modifyBadgeCompletionBlock: (((any Error)?) -> Void)?

    /// Creates an operation, which always fails.
    public init() { super.init(()) }

    /// Creates an operation, which always fails.
    public convenience init(badgeValue: Int) {
        self.init()
        self.badgeValue = badgeValue
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw Dropped.badge.error }

    override func conclude(_ error: CKError?) { modifyBadgeCompletionBlock?(error) }
}
