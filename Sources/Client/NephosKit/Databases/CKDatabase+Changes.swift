import Foundation

extension CKDatabase {
    /// Fetches one page of the zones that changed since a token. While `moreComing` is true, call the function again
    /// with the new token.
    ///
    /// - Parameters:
    ///   - changeToken: The token that the last fetch returned; nil to start at the beginning.
    ///   - resultsLimit: The maximum number of zones on the page, up to 200; nil for the server's default.
    ///   - completionHandler: Receives the page, or a ``CKError``: see ``databaseChanges(since:resultsLimit:)``.
    @preconcurrency
    public func fetchDatabaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modifications: [CKDatabase.DatabaseChange.Modification],
                        deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        run(changing(changeToken, resultsLimit), { try $0.page }, completionHandler)
    }

    /// Fetches one page of the zones that changed since a token. While `moreComing` is true, call the function again
    /// with the new token.
    ///
    /// - Parameters:
    ///   - changeToken: The token that the last fetch returned; nil to start at the beginning.
    ///   - resultsLimit: The maximum number of zones on the page, up to 200; nil for the server's default.
    /// - Throws: ``CKError``: `changeTokenExpired` if the token is too old or belongs to another person: fetch from the
    ///   beginning; `invalidArguments` for a token of another feed, and in the public database, which has no feed;
    ///   otherwise the errors of any request (``CKDatabase``).
    public func databaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> (
        modifications: [CKDatabase.DatabaseChange.Modification], deletions: [CKDatabase.DatabaseChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        try await run(changing(changeToken, resultsLimit)) { try $0.page }
    }

    private func changing(_ token: CKServerChangeToken?, _ limit: Int?) -> CKFetchDatabaseChangesOperation {
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        operation.resultsLimit = limit ?? 0
        operation.fetchAllChanges = false
        return operation
    }

    /// Fetches one page of the changes in a zone since a token. While `moreComing` is true, call the function again
    /// with the new token.
    ///
    /// - Parameters:
    ///   - changeToken: The token that the last fetch returned; nil to start at the beginning.
    ///   - desiredKeys: The fields to fetch; nil for all.
    ///   - resultsLimit: The maximum number of records on the page, up to 200; nil for the server's default.
    ///   - completionHandler: Receives the page, or a ``CKError``: see
    ///     ``recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)``.
    @preconcurrency
    public func fetchRecordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modificationResultsByID: [CKRecord.ID: Result<
                            CKDatabase.RecordZoneChange.Modification, any Error
                        >],
                        deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        let page = ZonePage(zoneID, changeToken, desiredKeys, resultsLimit)
        run(page.operation, { _ in try page.value }, completionHandler)
    }

    /// Fetches one page of the changes in a zone since a token. While `moreComing` is true, call the function again
    /// with the new token.
    ///
    /// - Parameters:
    ///   - changeToken: The token that the last fetch returned; nil to start at the beginning.
    ///   - desiredKeys: The fields to fetch; nil for all.
    ///   - resultsLimit: The maximum number of records on the page, up to 200; nil for the server's default.
    /// - Throws: ``CKError``: `changeTokenExpired` if the token is too old or belongs to another person: fetch from the
    ///   beginning; `zoneNotFound`; `invalidArguments` for a token of another feed, and in the public database, which
    ///   has no feed; otherwise the errors of any request (``CKDatabase``). If a record cannot be read or its file
    ///   cannot be fetched, only that record's result is an error.
    public func recordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
    ) async throws -> (
        modificationResultsByID: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
        deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        let page = ZonePage(zoneID, changeToken, desiredKeys, resultsLimit)
        return try await run(page.operation) { _ in try page.value }
    }
}

extension CKFetchDatabaseChangesOperation {
    fileprivate var page:
        (
            modifications: [CKDatabase.DatabaseChange.Modification], deletions: [CKDatabase.DatabaseChange.Deletion],
            changeToken: CKServerChangeToken, moreComing: Bool
        )
    {
        get throws {
            guard let last else { throw CKError.unanswered }
            var modifications: [CKDatabase.DatabaseChange.Modification] = []
            var deletions: [CKDatabase.DatabaseChange.Deletion] = []
            for change in changes {
                if let reason = change.deletion {
                    deletions.append(CKDatabase.DatabaseChange.Deletion(zoneID: change.zone, reason: reason))
                } else {
                    modifications.append(CKDatabase.DatabaseChange.Modification(zoneID: change.zone))
                }
            }
            return (modifications, deletions, last.token, last.moreComing)
        }
    }
}

/// Collects the results of an operation that fetches one page of one zone. Its blocks are called one after the other.
private final class ZonePage: @unchecked Sendable {
    let operation: CKFetchRecordZoneChangesOperation
    private var modifications: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>] = [:]
    private var deletions: [CKDatabase.RecordZoneChange.Deletion] = []
    private var end:
        Result<(serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool), any Error>?

    init(
        _ zone: CKRecordZone.ID, _ token: CKServerChangeToken?, _ keys: [CKRecord.FieldKey]?, _ limit: Int?
    ) {
        let wanted = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
            previousServerChangeToken: token, resultsLimit: limit, desiredKeys: keys)
        operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zone], configurationsByRecordZoneID: [zone: wanted])
        operation.fetchAllChanges = false
        operation.recordWasChangedBlock = { [unowned self] id, result in
            modifications[id] = result.map { CKDatabase.RecordZoneChange.Modification(record: $0) }
        }
        operation.recordWithIDWasDeletedBlock = { [unowned self] id, type in
            deletions.append(CKDatabase.RecordZoneChange.Deletion(recordID: id, recordType: type))
        }
        operation.recordZoneFetchResultBlock = { [unowned self] _, result in end = result }
    }

    var value:
        (
            modificationResultsByID: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
            deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
        )
    {
        get throws {
            guard let end else { throw CKError.unanswered }
            let (token, _, moreComing) = try end.get()
            return (modifications, deletions, token, moreComing)
        }
    }
}
