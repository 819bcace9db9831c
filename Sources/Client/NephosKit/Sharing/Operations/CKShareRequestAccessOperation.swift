public import Foundation

/// Asks the owners of shares to be let in. Sharing is not there yet: it fails, and no block of an address is called.
open class CKShareRequestAccessOperation: CKOperation, @unchecked Sendable {
    public var shareURLs: [URL]?

    public var perShareAccessRequestResultBlock: ((URL, Result<Void, any Error>) -> Void)?
    public var shareAccessRequestResultBlock: ((Result<Void, any Error>) -> Void)?

    public init() { super.init(()) }

    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.accessRequests.error }

    override func conclude(_ error: CKError?) {
        shareAccessRequestResultBlock?(error.map { .failure($0) } ?? .success(()))
    }
}
