/// Takes part in shares. Sharing is not there yet: it fails, and no block of a share is called.
open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    public var shareMetadatas: [CKShare.Metadata]?

    public var perShareResultBlock:
        ((_ metadata: CKShare.Metadata, _ metadataResult: Result<CKShare, any Error>) -> Void)?
    public var acceptSharesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "Use perShareResultBlock.")
    public var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)? {
        get { oldPerShare }
        set { oldPerShare = newValue }
    }
    @available(*, deprecated, message: "Use acceptSharesResultBlock.")
    public var acceptSharesCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerShare: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?

    public init() { super.init(()) }

    public convenience init(shareMetadatas: [CKShare.Metadata]) {
        self.init()
        self.shareMetadatas = shareMetadatas
    }

    override func perform(_ terms: Service.Terms) async throws(CKError) { throw NotYet.accepting.error }

    override func conclude(_ error: CKError?) {
        acceptSharesResultBlock?(error.map { .failure($0) } ?? .success(()))
        oldCompletion?(error)
    }
}
