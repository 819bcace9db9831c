public import Foundation

/// Asks what the addresses of shares lead to. Sharing is not there yet: it fails, and no block of an address is called.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    public var shareURLs: [URL]?
    /// Whether the root of what is shared comes along.
    public var shouldFetchRootRecord = false
    /// Which fields of the root; nil for all.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?

    public var perShareMetadataResultBlock:
        ((_ shareURL: URL, _ shareMetadataResult: Result<CKShare.Metadata, any Error>) -> Void)?
    public var fetchShareMetadataResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "Use perShareMetadataResultBlock.")
    public var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)? {
        get { oldPerShare }
        set { oldPerShare = newValue }
    }
    @available(*, deprecated, message: "Use fetchShareMetadataResultBlock.")
    public var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerShare: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?

    public init() { super.init(()) }

    public convenience init(shareURLs: [URL]) {
        self.init()
        self.shareURLs = shareURLs
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.metadata.error }

    override func conclude(_ error: CKError?) {
        fetchShareMetadataResultBlock?(error.map { .failure($0) } ?? .success(()))
        oldCompletion?(error)
    }
}
