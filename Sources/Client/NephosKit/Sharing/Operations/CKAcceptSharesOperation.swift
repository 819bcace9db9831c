/// Accepts invitations to shares, after which their records are in the shared database.
open class CKAcceptSharesOperation: CKOperation, @unchecked Sendable {
    /// The invitations to accept, at most 200.
    public var shareMetadatas: [CKShare.Metadata]?

    /// Called for each share with the share, or with a ``CKError``: `permissionFailure` if its owner has not invited the person who is
    /// signed in.
    public var perShareResultBlock:
        ((_ metadata: CKShare.Metadata, _ metadataResult: Result<CKShare, any Error>) -> Void)?
    /// Called once at the end. Failures of single shares are reported for each share, and do not fail the operation.
    public var acceptSharesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perShareResultBlock``.
    @available(*, deprecated, message: "Use perShareResultBlock.")
    public var perShareCompletionBlock: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)? {
        get { oldPerShare }
        set { oldPerShare = newValue }
    }
    /// The older form of ``acceptSharesResultBlock``: called with `partialFailure` if some shares failed.
    @available(*, deprecated, message: "Use acceptSharesResultBlock.")
    public var acceptSharesCompletionBlock: (((any Error)?) -> Void)? {
        get { oldCompletion }
        set { oldCompletion = newValue }
    }
    private var oldPerShare: ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
    private var oldCompletion: (((any Error)?) -> Void)?
    private(set) var results: [CKShare.Metadata: Result<CKShare, any Error>] = [:]

    /// Creates an operation without invitations.
    public init() { super.init(()) }

    /// Creates an operation for invitations.
    public convenience init(shareMetadatas: [CKShare.Metadata]) {
        self.init()
        self.shareMetadatas = shareMetadatas
    }

    override var service: Service? { settings.containerOrDefault.core.service }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let metadatas = shareMetadatas ?? []
        try RequestLimits.check(metadatas.count)
        guard !metadatas.isEmpty else { return }
        let request = SharesCall(
            accepts: true,
            addresses: metadatas.map { $0.share.url.map(SharesCall.address) ?? $0.share.recordID.recordName })
        let found = try await settings.containerOrDefault.core.service.answer(request, terms)
        await call {
            for (metadata, result) in zip(metadatas, found) {
                self.report(metadata, result.map(\.share).mapError { $0 })
            }
        }
    }

    private func report(_ metadata: CKShare.Metadata, _ result: Result<CKShare, any Error>) {
        results[metadata] = result
        perShareResultBlock?(metadata, result)
        oldPerShare?(metadata, try? result.get(), result.failure)
    }

    override func conclude(_ error: CKError?) {
        acceptSharesResultBlock?(error.map { .failure($0) } ?? .success(()))
        oldCompletion?(error ?? CKError.partial(results.failures(), "Failed to accept some shares"))
    }
}
