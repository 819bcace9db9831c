/// Accepts invitations to shares. Sharing is not supported yet: the operation fails, and no block is called for a
/// single share.
open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    /// The invitations to accept.
    public var shareMetadatas: [CKShare.Metadata]?

    /// Would be called for each share. Never called.
    public var perShareResultBlock:
        ((_ metadata: CKShare.Metadata, _ metadataResult: Result<CKShare, any Error>) -> Void)?
    /// Called once at the end with `serverRejectedRequest`.
    public var acceptSharesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perShareResultBlock``. Never called.
    @available(*, deprecated, message: "Use perShareResultBlock.")
    public var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)? {
        get { oldPerShare }
        set { oldPerShare = newValue }
    }
    /// The older form of ``acceptSharesResultBlock``: called once at the end with `serverRejectedRequest`.
    @available(*, deprecated, message: "Use acceptSharesResultBlock.")
    public var acceptSharesCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerShare: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?

    /// Creates an operation without invitations.
    public init() { super.init(()) }

    /// Creates an operation for invitations.
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
