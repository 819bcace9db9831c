import Foundation

extension CKDatabase {
    /// Looks for records: one page, without a way to go on.
    @available(*, deprecated, renamed: "fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)")
    @preconcurrency
    public func perform(
        _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
        completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
    ) {
        run(matching(query, zoneID), { try $0.results.map { try $0.1.get() } }, pair(completionHandler))
    }

    /// Looks for records: one page, without a way to go on.
    ///
    /// - Throws: ``CKError``: the error of the first record that cannot be had; otherwise as
    ///   ``records(matching:inZoneWith:desiredKeys:resultsLimit:)``.
    @available(*, deprecated, renamed: "records(matching:inZoneWith:desiredKeys:resultsLimit:)")
    public func records(matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?) async throws -> [CKRecord] {
        try await run(matching(query, zoneID)) { try $0.results.map { try $0.1.get() } }
    }

    /// Looks for records: one page, with a cursor when there is more.
    ///
    /// - Parameters:
    ///   - zoneID: Nil for all zones of the database; the shared one needs a zone.
    ///   - desiredKeys: Which fields; nil for all, none for those that the service keeps only.
    ///   - resultsLimit: At most so many, and never more than 200.
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

    /// Looks for records: one page, with a cursor when there is more.
    ///
    /// - Parameters:
    ///   - zoneID: Nil for all zones of the database; the shared one needs a zone.
    ///   - desiredKeys: Which fields; nil for all, none for those that the service keeps only.
    ///   - resultsLimit: At most so many, and never more than 200.
    /// - Throws: ``CKError``: `unknownItem` for a record type that does not exist (`invalidArguments` from Apple's
    ///   service); `invalidArguments` for a predicate or an order that no query can express or that the schema's
    ///   indexes do not permit; `zoneNotFound`; otherwise what any request fails with (``CKDatabase``). A record that
    ///   cannot be read fails alone, in its result.
    @discardableResult
    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        try await run(matching(query, zoneID, desiredKeys, resultsLimit)) { ($0.results, $0.next) }
    }

    /// Goes on where a page ended.
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

    /// Goes on where a page ended.
    ///
    /// - Throws: ``CKError``: `invalidArguments` for a cursor that the server does not take any more; otherwise what
    ///   any request fails with (``CKDatabase``). A record that cannot be read fails alone, in its result.
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
