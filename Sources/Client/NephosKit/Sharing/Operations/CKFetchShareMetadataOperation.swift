public import Foundation

/// Fetches the metadata of shares by their URLs: what the person who is signed in may know of a share before they accept it. A URL is read
/// by its last part, and only the configured server is asked.
open class CKFetchShareMetadataOperation: CKOperation, @unchecked Sendable {
    /// The URLs of the shares, at most 200.
    public var shareURLs: [URL]?
    /// Whether the root records of the shares are fetched too.
    public var shouldFetchRootRecord = false
    /// The fields of the root records to fetch; nil for all fields.
    public var rootRecordDesiredKeys: [CKRecord.FieldKey]?

    /// Called for each URL with the metadata, or with a ``CKError``: `unknownItem` if no share is there that the person may know.
    public var perShareMetadataResultBlock:
        ((_ shareURL: URL, _ shareMetadataResult: Result<CKShare.Metadata, any Error>) -> Void)?
    /// Called once at the end. Failures of single URLs are reported for each URL, and do not fail the operation.
    public var fetchShareMetadataResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?
    /// The older form of ``perShareMetadataResultBlock``.
    @available(*, deprecated, message: "Use perShareMetadataResultBlock.")
    public var perShareMetadataBlock: ((URL, CKShare.Metadata?, (any Error)?) -> Void)? {
        get { oldPerShare }
        set { oldPerShare = newValue }
    }
    /// The older form of ``fetchShareMetadataResultBlock``: called with `partialFailure` if some URLs failed.
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

    private(set) var results: [URL: Result<CKShare.Metadata, any Error>] = [:]

    override var service: Service? { settings.containerOrDefault.core.service }

    override func perform(_ terms: Service.Terms) async throws(CKError) {
        let urls = (shareURLs ?? []).unique
        try RequestLimits.check(urls.count)
        guard !urls.isEmpty else { return }
        let request = SharesCall(
            accepts: false, addresses: urls.map(SharesCall.address), fetchesRoots: shouldFetchRootRecord,
            rootKeys: rootRecordDesiredKeys)
        let found = try await settings.containerOrDefault.core.service.answer(request, terms)
        await call { for (url, result) in zip(urls, found) { self.report(url, result.mapError { $0 }) } }
    }

    private func report(_ url: URL, _ result: Result<CKShare.Metadata, any Error>) {
        results[url] = result
        perShareMetadataResultBlock?(url, result)
        oldPerShare?(url, try? result.get(), result.failure)
    }

    override func conclude(_ error: CKError?) {
        fetchShareMetadataResultBlock?(error.map { .failure($0) } ?? .success(()))
        oldCompletion?(error ?? CKError.partial(results.failures(), "Failed to fetch the metadata of some shares"))
    }
}
