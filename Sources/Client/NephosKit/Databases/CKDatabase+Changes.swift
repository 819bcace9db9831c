import Foundation

extension CKDatabase {
    /// Fetches one page of the zones that changed since a token. Continue with the new token while `moreComing` is
    /// true.
    ///
    /// - Parameters:
    ///   - changeToken: Where the last fetch ended; nil starts at the beginning.
    ///   - resultsLimit: The most zones per page, up to 200; nil leaves it to the server.
    ///   - completionHandler: Gets the page, or a ``CKError``: see ``databaseChanges(since:resultsLimit:)``.
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

    /// Fetches one page of the zones that changed since a token. Continue with the new token while `moreComing` is
    /// true.
    ///
    /// - Parameters:
    ///   - changeToken: Where the last fetch ended; nil starts at the beginning.
    ///   - resultsLimit: The most zones per page, up to 200; nil leaves it to the server.
    /// - Throws: ``CKError``: `changeTokenExpired` when the token is too old or of another person, so fetch from the
    ///   beginning; `invalidArguments` for a token of another feed, and in the public database, which has none;
    ///   otherwise what any request fails with (``CKDatabase``).
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

    /// Fetches one page of what changed in a zone since a token. Continue with the new token while `moreComing` is
    /// true.
    ///
    /// - Parameters:
    ///   - changeToken: Where the last fetch ended; nil starts at the beginning.
    ///   - desiredKeys: The fields to fetch; nil for all.
    ///   - resultsLimit: The most records per page, up to 200; nil leaves it to the server.
    ///   - completionHandler: Gets the page, or a ``CKError``: see
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

    /// Fetches one page of what changed in a zone since a token. Continue with the new token while `moreComing` is
    /// true.
    ///
    /// - Parameters:
    ///   - changeToken: Where the last fetch ended; nil starts at the beginning.
    ///   - desiredKeys: The fields to fetch; nil for all.
    ///   - resultsLimit: The most records per page, up to 200; nil leaves it to the server.
    /// - Throws: ``CKError``: `changeTokenExpired` when the token is too old or of another person, so fetch from the
    ///   beginning; `zoneNotFound`; `invalidArguments` for a token of another feed, and in the public database, which
    ///   has none; otherwise what any request fails with (``CKDatabase``). A record that cannot be read or whose file
    ///   cannot be fetched fails alone, in its result.
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

/// Collects what the blocks of an operation for one page of one zone are told; those are called one after the other.
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
