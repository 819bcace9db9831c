public import Foundation

/// Asks what the addresses of shares lead to. Sharing is not there yet: it fails, and no block of an address is called.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    /// The addresses of shares.
    public var shareURLs: [URL]?
    /// Whether the root of what is shared comes along.
    public var shouldFetchRootRecord = false
    /// Which fields of the root; nil for all.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?

    /// Would be called for each address. Never called.
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
    /// The older form of ``fetchShareMetadataResultBlock``: called with `serverRejectedRequest`.
    @available(*, deprecated, message: "Use fetchShareMetadataResultBlock.")
    public var fetchShareMetadataCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerShare: ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?

    /// Creates an operation without addresses.
    public init() { super.init(()) }

    /// Creates an operation for addresses of shares.
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
