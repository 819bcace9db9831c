// Fetches metadata of shares by their URLs, and accepts shares.
public import Foundation

// MARK: Metadata

extension CKContainer {
    /// Fetches the metadata of a share by its URL. The block receives it, or a ``CKError``: see ``shareMetadata(for:)``.
    @preconcurrency
    public func fetchShareMetadata(
        with url: URL, completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
    ) {
        run(CKFetchShareMetadataOperation(shareURLs: [url]), { try $0.results.one(url) }, pair(completionHandler))
    }

    /// Fetches the metadata of a share by its URL.
    ///
    /// - Throws: ``CKError``: `unknownItem` if no share is there that the person who is signed in may know; otherwise the errors of any
    ///   request (``CKDatabase``).
    @discardableResult
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        try await run(CKFetchShareMetadataOperation(shareURLs: [url])) { try $0.results.one(url) }
    }

    /// Fetches the metadata of up to 200 shares by their URLs. The block receives a result for each, or a ``CKError`` if the whole
    /// operation fails.
    @preconcurrency
    public func fetchShareMetadatas(
        for urls: [URL],
        completionHandler: @escaping @Sendable (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) -> Void
    ) { run(CKFetchShareMetadataOperation(shareURLs: urls), { $0.results }, completionHandler) }

    /// Fetches the metadata of up to 200 shares by their URLs. Each has its own result.
    ///
    /// - Throws: ``CKError`` if the whole operation fails.
    @discardableResult
    public func shareMetadatas(for urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        try await run(CKFetchShareMetadataOperation(shareURLs: urls)) { $0.results }
    }
}

// MARK: Acceptance and requests for access

extension CKContainer {
    /// Accepts an invitation to a share. The block receives the share, or a ``CKError``: see ``accept(_:)-(CKShare.Metadata)``.
    @preconcurrency
    public func accept(
        _ metadata: CKShare.Metadata, completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
    ) {
        run(
            CKAcceptSharesOperation(shareMetadatas: [metadata]), { try $0.results.one(metadata) },
            pair(completionHandler))
    }

    /// Accepts an invitation to a share.
    ///
    /// - Throws: ``CKError``: `permissionFailure` if its owner has not invited the person who is signed in; `serverResponseLost` if it
    ///   may have been accepted; otherwise the errors of any request (``CKDatabase``).
    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        try await run(CKAcceptSharesOperation(shareMetadatas: [metadata])) { try $0.results.one(metadata) }
    }

    /// Accepts up to 200 invitations to shares. The block receives a result for each, or a ``CKError`` if the whole operation fails.
    @preconcurrency
    public func accept(
        _ metadatas: [CKShare.Metadata],
        completionHandler:
            @escaping @Sendable (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) -> Void
    ) { run(CKAcceptSharesOperation(shareMetadatas: metadatas), { $0.results }, completionHandler) }

    /// Accepts up to 200 invitations to shares. Each has its own result.
    ///
    /// - Throws: ``CKError`` if the whole operation fails.
    @discardableResult
    public func accept(_ metadatas: [CKShare.Metadata]) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
        try await run(CKAcceptSharesOperation(shareMetadatas: metadatas)) { $0.results }
    }

    /// Requests access to shares from their owners. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: requests for access are not supported yet.
    @discardableResult
    public func requestShareAccess(for urls: [URL]) async throws -> [URL: Result<Void, any Error>] {
        throw NotYet.accessRequests.error
    }
}
