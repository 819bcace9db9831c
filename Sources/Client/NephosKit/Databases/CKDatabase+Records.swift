import Foundation

extension CKDatabase {

    // MARK: One record

    /// Fetches a record with its files. The block receives it, or a ``CKError``: see ``record(for:)``.
    @preconcurrency
    public func fetch(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        run(fetching([recordID]), { try $0.results.one(recordID) }, pair(completionHandler))
    }

    /// Fetches a record with its files.
    ///
    /// - Throws: ``CKError``: `unknownItem` if there is no such record; `zoneNotFound`; `assetNotAvailable` and
    ///   others if a file cannot be fetched; otherwise the errors of any request (``CKDatabase``).
    @discardableResult
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await run(fetching([recordID])) { try $0.results.one(recordID) }
    }

    /// Saves a record if the server still has the version that was fetched; a new record, if the server has no record
    /// with its ID. The block receives it, or a ``CKError``: see ``save(_:)-(CKRecord)``.
    @preconcurrency
    public func save(_ record: CKRecord, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void) {
        run(modifying([record], []), { try $0.saveResults.one(record.recordID) }, pair(completionHandler))
    }

    /// Saves a record if the server still has the version that was fetched; a new record, if the server has no record
    /// with its ID. It can have up to 512 fields, and 1 MB without its files.
    ///
    /// - Returns: The same object, with the server's change tag and times.
    /// - Throws: ``CKError``: `serverRecordChanged`, with the three records, if the server has another version;
    ///   `unknownItem` if the record was fetched and the server no longer has it; `invalidArguments` for values, names
    ///   or types that cannot be saved; `zoneNotFound`, `referenceViolation`, `constraintViolation`,
    ///   `assetFileNotFound`, `assetFileModified` and `quotaExceeded`; `serverResponseLost` if the record may have been
    ///   saved; otherwise the errors of any request (``CKDatabase``).
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        try await run(modifying([record], [])) { try $0.saveResults.one(record.recordID) }
    }

    /// Deletes a record, whatever version the server has. The block receives its ID, or a ``CKError``: see
    /// ``deleteRecord(withID:)``.
    @preconcurrency
    public func delete(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        run(deleting(recordID), { try $0.deleteResults.deleted(recordID) }, pair(completionHandler))
    }

    /// Deletes a record, whatever version the server has, and the records whose references to it have the action
    /// `.deleteSelf`. (For ``modifyRecords(saving:deleting:savePolicy:atomically:)``, a record that does not exist counts as
    /// deleted.)
    ///
    /// - Throws: ``CKError``: `unknownItem` if there is no such record; `zoneNotFound`; `referenceViolation` if another
    ///   record names it as its parent; `serverResponseLost` if it may have been deleted; otherwise the errors of any
    ///   request (``CKDatabase``).
    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        try await run(deleting(recordID)) { try $0.deleteResults.deleted(recordID) }
    }

    // MARK: Several records

    /// Fetches up to 200 records. The block receives a result for each, or a ``CKError`` if the whole operation fails.
    ///
    /// - Parameter desiredKeys: The fields to fetch; nil for all, an empty array for the system fields only.
    @preconcurrency
    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler: @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) {
        run(fetching(recordIDs, desiredKeys), { $0.results }, completionHandler)
    }

    /// Fetches records. Each has its own result; an error of the whole operation is thrown.
    ///
    /// - Parameter desiredKeys: The fields to fetch; nil for all, an empty array for the system fields only.
    /// - Throws: ``CKError``: `limitExceeded` for more than 200 records; otherwise the errors of any request
    ///   (``CKDatabase``). The result of a record that does not exist is `unknownItem`; those of all records of a zone
    ///   that does not exist are `zoneNotFound`.
    @discardableResult
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await run(fetching(ids, desiredKeys)) { $0.results }
    }

    /// Saves and deletes up to 400 records. The block receives a result for each, or a ``CKError`` if the whole
    /// operation fails: see ``modifyRecords(saving:deleting:savePolicy:atomically:)``.
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

    /// Saves and deletes up to 400 records. Each has its own result, also if an atomic batch failed; an error of the
    /// whole operation is thrown. The records of each zone are sent in a separate request: if the function throws, the
    /// changes of some zones may have been saved already.
    ///
    /// - Parameters:
    ///   - savePolicy: Whether a record may overwrite another version at the server.
    ///   - atomically: Whether the changes of a custom zone are all made, or none of them. Zones are independent.
    /// - Throws: ``CKError``: `limitExceeded` for more than 400 records and deletions, or more than 16 MB;
    ///   `invalidArguments` for a record that is named twice; otherwise the errors of any request (``CKDatabase``). The
    ///   result of a single record can be each error of ``save(_:)-(CKRecord)``; those of the other records of an
    ///   atomic zone are then `batchRequestFailed`.
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

    private func deleting(_ id: CKRecord.ID) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(recordIDsToDelete: [id])
        operation.countsMissingAsDeleted = false
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
