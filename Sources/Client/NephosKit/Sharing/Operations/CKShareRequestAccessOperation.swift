public import Foundation

/// Requests access to shares from their owners. Sharing is not supported yet: the operation fails, and no block is
/// called for a single URL.
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
    /// The URLs of the shares.
    public var shareURLs: [URL]?

    /// Would be called for each URL. Never called.
    public var perShareAccessRequestResultBlock: ((URL, Result<Void, any Error>) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var shareAccessRequestResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Creates an operation without URLs.
    public init() { super.init(()) }

    /// Creates an operation for URLs of shares.
    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.accessRequests.error }

    override func conclude(_ error: CKError?) {
        shareAccessRequestResultBlock?(error.map { .failure($0) } ?? .success(()))
    }
}
