import Foundation

// Operations that outlive the program are not there yet, so there are none to be found.
extension CKContainer {
    /// Gives no ids.
    @preconcurrency
    public func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        Task { completionHandler([], nil) }
    }

    /// Gives no IDs: operations that outlive the program are not there yet.
    ///
    /// - Throws: Nothing. It is declared as Apple's is, so that calls compile.
    @discardableResult
    public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] { [] }

    /// Gives nil.
    @preconcurrency
    public func fetchLongLivedOperation(
        withID operationID: CKOperation.ID, completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
    ) {
        Task { completionHandler(nil, nil) }
    }

    /// Gives nil: operations that outlive the program are not there yet.
    ///
    /// - Throws: Nothing. It is declared as Apple's is, so that calls compile.
    @discardableResult
    public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? { nil }
}
