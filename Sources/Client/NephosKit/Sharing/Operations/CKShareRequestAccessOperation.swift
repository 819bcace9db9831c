public import Foundation

/// Asks the owners of shares to be let in. Sharing is not there yet: it fails, and no block of an address is called.
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
    /// The addresses of shares.
    public var shareURLs: [URL]?

    /// Would be called for each address. Never called.
    public var perShareAccessRequestResultBlock: ((URL, Result<Void, any Error>) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var shareAccessRequestResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Creates an operation without addresses.
    public init() { super.init(()) }

    /// Creates an operation for addresses of shares.
    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.accessRequests.error }

    override func conclude(_ error: CKError?) {
        shareAccessRequestResultBlock?(error.map { .failure($0) } ?? .success(()))
    }
}
