import Foundation

extension CKDatabase {

    // MARK: One record

    /// Fetches a record with its files. The block gets it, or a ``CKError``: see ``record(for:)``.
    @preconcurrency
    public func fetch(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        run(fetching([recordID]), { try $0.results.one(recordID) }, pair(completionHandler))
    }

    /// Fetches a record with its files.
    ///
    /// - Throws: ``CKError``: `unknownItem` when there is no such record; `zoneNotFound`; `assetNotAvailable` and
    ///   others when a file cannot be fetched; otherwise what any request fails with (``CKDatabase``).
    @discardableResult
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await run(fetching([recordID])) { try $0.results.one(recordID) }
    }

    /// Saves a record if the server has it as it was when it was fetched, or not at all.
    @preconcurrency
    public func save(_ record: CKRecord, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void) {
        run(modifying([record], []), { try $0.saveResults.one(record.recordID) }, pair(completionHandler))
    }

    /// Saves a record if the server has it as it was when it was fetched, or not at all. It may have up to 512 fields, and
    /// 1 MB without its files.
    ///
    /// - Returns: The same object, with the server's tag and times.
    /// - Throws: ``CKError``: `serverRecordChanged`, with the three records, when the server has another version;
    ///   `invalidArguments` for values, names or types that cannot be saved; `zoneNotFound`, `referenceViolation`,
    ///   `constraintViolation`, `assetFileNotFound`, `assetFileModified` and `quotaExceeded`; `serverResponseLost` when
    ///   the record may have been saved; otherwise what any request fails with (``CKDatabase``).
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        try await run(modifying([record], [])) { try $0.saveResults.one(record.recordID) }
    }

    /// Deletes a record, whatever version the server has. The block gets its ID, or a ``CKError``: see
    /// ``deleteRecord(withID:)``.
    @preconcurrency
    public func delete(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        run(modifying([], [recordID]), { try $0.deleteResults.deleted(recordID) }, pair(completionHandler))
    }

    /// Deletes a record, whatever version the server has, and the records whose references to it have the action
    /// `.deleteSelf`. A record that is gone already counts as deleted.
    ///
    /// - Throws: ``CKError``: `zoneNotFound`; `referenceViolation` when another record names it as its parent;
    ///   `serverResponseLost` when it may have been deleted; otherwise what any request fails with (``CKDatabase``).
    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        try await run(modifying([], [recordID])) { try $0.deleteResults.deleted(recordID) }
    }

    // MARK: Several records

    /// Fetches up to 200 records. The block gets a result for each, or a ``CKError`` when all fail alike.
    ///
    /// - Parameter desiredKeys: The fields to fetch; nil for all, an empty array for those that the service keeps only.
    @preconcurrency
    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler: @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) {
        run(fetching(recordIDs, desiredKeys), { $0.results }, completionHandler)
    }

    /// Fetches records. Each has a result of its own; what fails for all alike is thrown.
    ///
    /// - Parameter desiredKeys: The fields to fetch; nil for all, an empty array for those that the service keeps only.
    /// - Throws: ``CKError``: `limitExceeded` for more than 200 records; otherwise what any request fails with
    ///   (``CKDatabase``). A record that does not exist fails alone with `unknownItem`, all of a missing zone with
    ///   `zoneNotFound`.
    @discardableResult
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await run(fetching(ids, desiredKeys)) { $0.results }
    }

    /// Saves and deletes up to 200 records. The block gets a result for each, or a ``CKError`` when all fail alike: see
    /// ``modifyRecords(saving:deleting:savePolicy:atomically:)``.
    @preconcurrency
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                        deleteResults: [CKRecord.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        let operation = modifying(recordsToSave, recordIDsToDelete, savePolicy, atomically)
        run(operation, { ($0.saveResults, $0.deleteResults) }, completionHandler)
    }

    /// Saves and deletes up to 200 records. Each has a result of its own, also when all of them failed together; what fails for
    /// all alike is thrown. Records of several zones are one request per zone: when it throws, those of some zones may have been
    /// saved already.
    ///
    /// - Parameters:
    ///   - savePolicy: When a record may be saved over what the server has.
    ///   - atomically: Whether all changes of one custom zone happen or none. Zones are independent of each other.
    /// - Throws: ``CKError``: `limitExceeded` for more than 200 records and deletions, or more than 16 MB;
    ///   `invalidArguments` for a record that is named twice; otherwise what any request fails with (``CKDatabase``). A
    ///   record fails alone as in ``save(_:)-(CKRecord)``; the others of an atomic zone then fail with
    ///   `batchRequestFailed`.
    @discardableResult
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        try await run(modifying(recordsToSave, recordIDsToDelete, savePolicy, atomically)) {
            ($0.saveResults, $0.deleteResults)
        }
    }

    private func fetching(_ ids: [CKRecord.ID], _ keys: [CKRecord.FieldKey]? = nil) -> CKFetchRecordsOperation {
        let operation = CKFetchRecordsOperation(recordIDs: ids)
        operation.desiredKeys = keys
        return operation
    }

    private func modifying(
        _ records: [CKRecord], _ ids: [CKRecord.ID],
        _ savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, _ atomically: Bool = true
    ) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: ids)
        operation.savePolicy = savePolicy
        operation.isAtomic = atomically
        return operation
    }
}
