import Foundation

extension CKDatabase {

    // MARK: One record

    @preconcurrency
    public func fetch(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        run(fetching([recordID]), { try $0.results.one(recordID) }, pair(completionHandler))
    }

    @discardableResult
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await run(fetching([recordID])) { try $0.results.one(recordID) }
    }

    /// Saves a record if the server has it as it was when it was fetched, or not at all.
    @preconcurrency
    public func save(_ record: CKRecord, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void) {
        run(modifying([record], []), { try $0.saveResults.one(record.recordID) }, pair(completionHandler))
    }

    /// Saves a record if the server has it as it was when it was fetched, or not at all.
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        try await run(modifying([record], [])) { try $0.saveResults.one(record.recordID) }
    }

    @preconcurrency
    public func delete(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        run(modifying([], [recordID]), { try $0.deleteResults.deleted(recordID) }, pair(completionHandler))
    }

    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        try await run(modifying([], [recordID])) { try $0.deleteResults.deleted(recordID) }
    }

    // MARK: Several records

    @preconcurrency
    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler: @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) {
        run(fetching(recordIDs, desiredKeys), { $0.results }, completionHandler)
    }

    /// Fetches records. Each has a result of its own; what fails for all alike is thrown.
    @discardableResult
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await run(fetching(ids, desiredKeys)) { $0.results }
    }

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

    /// Saves and deletes records. Each has a result of its own, also when all of them failed together; what fails for all alike
    /// is thrown.
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
