import Foundation

// Operations that outlive the program are not supported yet, so there are none to fetch.
extension CKContainer {
    /// Fetches no IDs: the block receives an empty array, because operations that outlive the program are not supported
    /// yet.
    @preconcurrency
    public func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        Task { completionHandler([], nil) }
    }

    /// Returns an empty array, because operations that outlive the program are not supported yet.
    ///
    /// - Throws: Nothing. The function is declared as in Apple's framework, so that calls compile.
    @discardableResult
    public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] { [] }

    /// Fetches no operation: the block receives nil, because operations that outlive the program are not supported yet.
    @preconcurrency
    public func fetchLongLivedOperation(
        withID operationID: CKOperation.ID, completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
    ) {
        Task { completionHandler(nil, nil) }
    }

    /// Returns nil, because operations that outlive the program are not supported yet.
    ///
    /// - Throws: Nothing. The function is declared as in Apple's framework, so that calls compile.
    @discardableResult
    public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? { nil }
}
