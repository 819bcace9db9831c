// Fetches metadata of shares by their URLs, and accepts shares. Sharing is not supported yet: all of these calls fail
// with an error that says so.
public import Foundation

// MARK: Metadata

extension CKContainer {
    /// Fetches the metadata of a share by its URL. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareMetadata(
        with url: URL, completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
    ) { NotYet.metadata.fail(completionHandler) }

    /// Fetches the metadata of a share by its URL. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        throw NotYet.metadata.error
    }

    /// Fetches the metadata of shares by their URLs. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareMetadatas(
        for urls: [URL],
        completionHandler: @escaping @Sendable (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) -> Void
    ) { NotYet.metadata.fail(completionHandler) }

    /// Fetches the metadata of shares by their URLs. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareMetadatas(for urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        throw NotYet.metadata.error
    }
}

// MARK: Acceptance and requests for access

extension CKContainer {
    /// Accepts an invitation to a share. Sharing is not supported yet: the block receives `serverRejectedRequest`.
    @preconcurrency
    public func accept(
        _ metadata: CKShare.Metadata, completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
    ) { NotYet.accepting.fail(completionHandler) }

    /// Accepts an invitation to a share. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        throw NotYet.accepting.error
    }

    /// Accepts invitations to shares. Sharing is not supported yet: the block receives `serverRejectedRequest`.
    @preconcurrency
    public func accept(
        _ metadatas: [CKShare.Metadata],
        completionHandler:
            @escaping @Sendable (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) -> Void
    ) { NotYet.accepting.fail(completionHandler) }

    /// Accepts invitations to shares. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func accept(_ metadatas: [CKShare.Metadata]) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
        throw NotYet.accepting.error
    }

    /// Requests access to shares from their owners. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func requestShareAccess(for urls: [URL]) async throws -> [URL: Result<Void, any Error>] {
        throw NotYet.accessRequests.error
    }
}
