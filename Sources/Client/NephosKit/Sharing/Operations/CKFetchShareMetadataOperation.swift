public import Foundation

/// Fetches the metadata of shares by their URLs. Sharing is not supported yet: the operation fails, and no block is
/// called for a single URL.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    /// The URLs of the shares.
    public var shareURLs: [URL]?
    /// Whether the root records of the shares are fetched too.
    public var shouldFetchRootRecord = false
    /// The fields of the root records to fetch; nil for all fields.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?

    /// Would be called for each URL. Never called.
    public var perShareMetadataResultBlock:
        ((_ shareURL: URL, _ shareMetadataResult: Result<CKShare.Metadata, any Error>) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var fetchShareMetadataResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perShareMetadataResultBlock``. Never called.
    @available(*, deprecated, message: "Use perShareMetadataResultBlock.")
    public var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)? {
        get { oldPerShare }
        set { oldPerShare = newValue }
    }
    /// The older form of ``fetchShareMetadataResultBlock``: called once at the end with `serverRejectedRequest`.
    @available(*, deprecated, message: "Use fetchShareMetadataResultBlock.")
    public var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerShare: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?

    /// Creates an operation without URLs.
    public init() { super.init(()) }

    /// Creates an operation for URLs of shares.
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
