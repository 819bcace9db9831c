// What the addresses of shares lead to, and taking part. Sharing is not there yet: all of these fail, and say so.
public import Foundation

// MARK: What a share is

extension CKContainer {
    /// Would fetch what the address of a share leads to. Sharing is not there yet: the block gets
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareMetadata(
        with url: URL, completionHandler: @escaping @Sendable (CKShare.Metadata?, (any Error)?) -> Void
    ) { NotYet.metadata.fail(completionHandler) }

    /// Would fetch what the address of a share leads to.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        throw NotYet.metadata.error
    }

    /// Would fetch what addresses of shares lead to. Sharing is not there yet: the block gets `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareMetadatas(
        for urls: [URL],
        completionHandler: @escaping @Sendable (Result<[URL: Result<CKShare.Metadata, any Error>], any Error>) -> Void
    ) { NotYet.metadata.fail(completionHandler) }

    /// Would fetch what addresses of shares lead to.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareMetadatas(for urls: [URL]) async throws -> [URL: Result<CKShare.Metadata, any Error>] {
        throw NotYet.metadata.error
    }
}

// MARK: Taking part

extension CKContainer {
    /// Would accept an invitation. Sharing is not there yet: the block gets `serverRejectedRequest`.
    @preconcurrency
    public func accept(
        _ metadata: CKShare.Metadata, completionHandler: @escaping @Sendable (CKShare?, (any Error)?) -> Void
    ) { NotYet.accepting.fail(completionHandler) }

    /// Would accept an invitation.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        throw NotYet.accepting.error
    }

    /// Would accept invitations. Sharing is not there yet: the block gets `serverRejectedRequest`.
    @preconcurrency
    public func accept(
        _ metadatas: [CKShare.Metadata],
        completionHandler:
            @escaping @Sendable (Result<[CKShare.Metadata: Result<CKShare, any Error>], any Error>) -> Void
    ) { NotYet.accepting.fail(completionHandler) }

    /// Would accept invitations.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func accept(_ metadatas: [CKShare.Metadata]) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] {
        throw NotYet.accepting.error
    }

    /// Would ask the owners of shares for access.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func requestShareAccess(for urls: [URL]) async throws -> [URL: Result<Void, any Error>] {
        throw NotYet.accessRequests.error
    }
}
