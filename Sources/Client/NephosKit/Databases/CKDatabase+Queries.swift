import Foundation

extension CKDatabase {
    /// Fetches the first page of the records that match a query. The pages after it cannot be fetched.
    @available(*, deprecated, renamed: "fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)")
    @preconcurrency
    public func perform(
        _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
        completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
    ) {
        run(matching(query, zoneID), { try $0.results.map { try $0.1.get() } }, pair(completionHandler))
    }

    /// Fetches the first page of the records that match a query. The pages after it cannot be fetched.
    ///
    /// - Throws: ``CKError``: the error of the first record that cannot be read; otherwise those of
    ///   ``records(matching:inZoneWith:desiredKeys:resultsLimit:)``.
    @available(*, deprecated, renamed: "records(matching:inZoneWith:desiredKeys:resultsLimit:)")
    public func records(matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?) async throws -> [CKRecord] {
        try await run(matching(query, zoneID)) { try $0.results.map { try $0.1.get() } }
    }

    /// Fetches the first page of the records that match a query, with a cursor if there are more.
    ///
    /// - Parameters:
    ///   - zoneID: The zone to search; nil for all zones of the database. The shared database requires a zone.
    ///   - desiredKeys: The fields to fetch; nil for all, an empty array for the system fields only.
    ///   - resultsLimit: The maximum number of records on the page, up to 200; 0 for the server's default.
    @preconcurrency
    public func fetch(
        withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        run(matching(query, zoneID, desiredKeys, resultsLimit), { ($0.results, $0.next) }, completionHandler)
    }

    /// Fetches the first page of the records that match a query, with a cursor if there are more.
    ///
    /// - Parameters:
    ///   - zoneID: The zone to search; nil for all zones of the database. The shared database requires a zone.
    ///   - desiredKeys: The fields to fetch; nil for all, an empty array for the system fields only.
    ///   - resultsLimit: The maximum number of records on the page, up to 200; 0 for the server's default.
    /// - Throws: ``CKError``: `unknownItem` for a record type that does not exist (`invalidArguments` from Apple's
    ///   service); `invalidArguments` for a predicate or an order that no query can express or that the schema's
    ///   indexes do not permit; `zoneNotFound`; otherwise the errors of any request (``CKDatabase``). If a record
    ///   cannot be read, only that record's result is an error.
    @discardableResult
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        try await run(matching(query, zoneID, desiredKeys, resultsLimit)) { ($0.results, $0.next) }
    }

    /// Fetches the page of a query that follows a cursor.
    @preconcurrency
    public func fetch(
        withCursor queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        run(following(queryCursor, desiredKeys, resultsLimit), { ($0.results, $0.next) }, completionHandler)
    }

    /// Fetches the page of a query that follows a cursor.
    ///
    /// - Throws: ``CKError``: `invalidArguments` for a cursor that the server no longer accepts; otherwise the errors
    ///   of any request (``CKDatabase``). If a record cannot be read, only that record's result is an error.
    @discardableResult
    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        try await run(following(queryCursor, desiredKeys, resultsLimit)) { ($0.results, $0.next) }
    }

    private func matching(
        _ query: CKQuery, _ zoneID: CKRecordZone.ID?, _ keys: [CKRecord.FieldKey]? = nil,
        _ limit: Int = CKQueryOperation.maximumResults
    ) -> CKQueryOperation {
        let operation = CKQueryOperation(query: query)
        operation.zoneID = zoneID
        operation.desiredKeys = keys
        operation.resultsLimit = limit
        return operation
    }

    private func following(
        _ cursor: CKQueryOperation.Cursor, _ keys: [CKRecord.FieldKey]?, _ limit: Int
    ) -> CKQueryOperation {
        let operation = CKQueryOperation(cursor: cursor)
        operation.desiredKeys = keys
        operation.resultsLimit = limit
        return operation
    }
}
