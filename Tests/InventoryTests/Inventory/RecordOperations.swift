import CloudKit

/// Operations for records and queries.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func queryOperation() {
        topic("CKQueryOperation")
        typealias Query = CKQueryOperation
        type("CKQueryOperation", Query.self as CKDatabaseOperation.Type)
        function("CKQueryOperation.init()", Query.init as () -> Query)
        function("CKQueryOperation.init(query:)", Query.init(query:) as (CKQuery) -> Query)
        function("CKQueryOperation.init(cursor:)", Query.init(cursor:) as (Query.Cursor) -> Query)
        set("CKQueryOperation.query", \Query.query, CKQuery?.self)
        set("CKQueryOperation.cursor", \Query.cursor, Query.Cursor?.self)
        set("CKQueryOperation.zoneID", \Query.zoneID, CKRecordZone.ID?.self)
        set("CKQueryOperation.resultsLimit", \Query.resultsLimit, Int.self)
        set("CKQueryOperation.desiredKeys", \Query.desiredKeys, [CKRecord.FieldKey]?.self)
        set("CKQueryOperation.recordMatchedBlock", \Query.recordMatchedBlock, ItemBlock<CKRecord.ID, CKRecord>?.self)
        set("CKQueryOperation.queryResultBlock", \Query.queryResultBlock, ResultBlock<Query.Cursor?>?.self)
        set("CKQueryOperation.recordFetchedBlock", \Query.recordFetchedBlock, ((CKRecord) -> Void)?.self)
        set("CKQueryOperation.queryCompletionBlock", \Query.queryCompletionBlock, OldBlock<Query.Cursor>?.self)
    }

    mutating func fetchRecordsOperation() {
        topic("CKFetchRecordsOperation")
        typealias Fetch = CKFetchRecordsOperation
        type("CKFetchRecordsOperation", Fetch.self as CKDatabaseOperation.Type)
        function("CKFetchRecordsOperation.init()", Fetch.init as () -> Fetch)
        function("CKFetchRecordsOperation.init(recordIDs:)", Fetch.init(recordIDs:) as ([CKRecord.ID]) -> Fetch)
        function(
            "CKFetchRecordsOperation.fetchCurrentUserRecordOperation()",
            Fetch.fetchCurrentUserRecordOperation as () -> Fetch)
        set("CKFetchRecordsOperation.recordIDs", \Fetch.recordIDs, [CKRecord.ID]?.self)
        set("CKFetchRecordsOperation.desiredKeys", \Fetch.desiredKeys, [CKRecord.FieldKey]?.self)
        set(
            "CKFetchRecordsOperation.perRecordProgressBlock", \Fetch.perRecordProgressBlock,
            ((CKRecord.ID, Double) -> Void)?.self)
        set(
            "CKFetchRecordsOperation.perRecordResultBlock", \Fetch.perRecordResultBlock,
            ItemBlock<CKRecord.ID, CKRecord>?.self)
        set(
            "CKFetchRecordsOperation.fetchRecordsResultBlock", \Fetch.fetchRecordsResultBlock, ResultBlock<Void>?.self)
        set(
            "CKFetchRecordsOperation.perRecordCompletionBlock", \Fetch.perRecordCompletionBlock,
            ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?.self)
        set(
            "CKFetchRecordsOperation.fetchRecordsCompletionBlock", \Fetch.fetchRecordsCompletionBlock,
            OldBlock<[CKRecord.ID: CKRecord]>?.self)
    }

    mutating func modifyRecordsOperation() {
        topic("CKModifyRecordsOperation")
        typealias Modify = CKModifyRecordsOperation
        type("CKModifyRecordsOperation", Modify.self as CKDatabaseOperation.Type)
        typealias Policy = CKModifyRecordsOperation.RecordSavePolicy
        type("CKModifyRecordsOperation.RecordSavePolicy", Policy.self as any Sendable.Type)
        raw(
            "CKModifyRecordsOperation.RecordSavePolicy.ifServerRecordUnchanged", Policy.ifServerRecordUnchanged, Int(0))
        raw("CKModifyRecordsOperation.RecordSavePolicy.changedKeys", Policy.changedKeys, Int(1))
        raw("CKModifyRecordsOperation.RecordSavePolicy.allKeys", Policy.allKeys, Int(2))
        function("CKModifyRecordsOperation.init()", Modify.init as () -> Modify)
        function(
            "CKModifyRecordsOperation.init(recordsToSave:recordIDsToDelete:)",
            Modify.init(recordsToSave:recordIDsToDelete:) as ([CKRecord]?, [CKRecord.ID]?) -> Modify)
        set("CKModifyRecordsOperation.recordsToSave", \Modify.recordsToSave, [CKRecord]?.self)
        set("CKModifyRecordsOperation.recordIDsToDelete", \Modify.recordIDsToDelete, [CKRecord.ID]?.self)
        set("CKModifyRecordsOperation.savePolicy", \Modify.savePolicy, Policy.self)
        set("CKModifyRecordsOperation.clientChangeTokenData", \Modify.clientChangeTokenData, Data?.self)
        set("CKModifyRecordsOperation.isAtomic", \Modify.isAtomic, Bool.self)
        modifyRecordsBlocks()
    }

    private mutating func modifyRecordsBlocks() {
        typealias Modify = CKModifyRecordsOperation
        set(
            "CKModifyRecordsOperation.perRecordProgressBlock", \Modify.perRecordProgressBlock,
            ((CKRecord, Double) -> Void)?.self)
        set(
            "CKModifyRecordsOperation.perRecordSaveBlock", \Modify.perRecordSaveBlock,
            ItemBlock<CKRecord.ID, CKRecord>?.self)
        set(
            "CKModifyRecordsOperation.perRecordDeleteBlock", \Modify.perRecordDeleteBlock,
            ItemBlock<CKRecord.ID, Void>?.self)
        set(
            "CKModifyRecordsOperation.modifyRecordsResultBlock", \Modify.modifyRecordsResultBlock,
            ResultBlock<Void>?.self)
        set(
            "CKModifyRecordsOperation.perRecordCompletionBlock", \Modify.perRecordCompletionBlock,
            ((CKRecord, (any Error)?) -> Void)?.self)
        set(
            "CKModifyRecordsOperation.modifyRecordsCompletionBlock", \Modify.modifyRecordsCompletionBlock,
            (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?.self)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut() {
    _ = (CKModifyRecordsOperation(recordsToSave: []), CKModifyRecordsOperation(recordIDsToDelete: []))
    _ = (CKQueryOperation(), CKModifyRecordsOperation(), CKFetchRecordsOperation())
}
