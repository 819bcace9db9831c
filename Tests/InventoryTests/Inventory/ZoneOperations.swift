import CloudKit

/// Operations for zones.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func fetchZonesOperation() {
        topic("CKFetchRecordZonesOperation")
        typealias Fetch = CKFetchRecordZonesOperation
        type("CKFetchRecordZonesOperation", Fetch.self as CKDatabaseOperation.Type)
        function("CKFetchRecordZonesOperation.init()", Fetch.init as () -> Fetch)
        function(
            "CKFetchRecordZonesOperation.init(recordZoneIDs:)",
            Fetch.init(recordZoneIDs:) as ([CKRecordZone.ID]) -> Fetch)
        function(
            "CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()",
            Fetch.fetchAllRecordZonesOperation as () -> Fetch)
        set("CKFetchRecordZonesOperation.recordZoneIDs", \Fetch.recordZoneIDs, [CKRecordZone.ID]?.self)
        set(
            "CKFetchRecordZonesOperation.perRecordZoneResultBlock", \Fetch.perRecordZoneResultBlock,
            ItemBlock<CKRecordZone.ID, CKRecordZone>?.self)
        set(
            "CKFetchRecordZonesOperation.fetchRecordZonesResultBlock", \Fetch.fetchRecordZonesResultBlock,
            ResultBlock<Void>?.self)
        set(
            "CKFetchRecordZonesOperation.fetchRecordZonesCompletionBlock", \Fetch.fetchRecordZonesCompletionBlock,
            OldBlock<[CKRecordZone.ID: CKRecordZone]>?.self)
    }

    mutating func modifyZonesOperation() {
        topic("CKModifyRecordZonesOperation")
        typealias Modify = CKModifyRecordZonesOperation
        type("CKModifyRecordZonesOperation", Modify.self as CKDatabaseOperation.Type)
        function("CKModifyRecordZonesOperation.init()", Modify.init as () -> Modify)
        function(
            "CKModifyRecordZonesOperation.init(recordZonesToSave:recordZoneIDsToDelete:)",
            Modify.init(recordZonesToSave:recordZoneIDsToDelete:) as ([CKRecordZone]?, [CKRecordZone.ID]?) -> Modify)
        set("CKModifyRecordZonesOperation.recordZonesToSave", \Modify.recordZonesToSave, [CKRecordZone]?.self)
        set(
            "CKModifyRecordZonesOperation.recordZoneIDsToDelete", \Modify.recordZoneIDsToDelete,
            [CKRecordZone.ID]?.self)
        set(
            "CKModifyRecordZonesOperation.perRecordZoneSaveBlock", \Modify.perRecordZoneSaveBlock,
            ItemBlock<CKRecordZone.ID, CKRecordZone>?.self)
        set(
            "CKModifyRecordZonesOperation.perRecordZoneDeleteBlock", \Modify.perRecordZoneDeleteBlock,
            ItemBlock<CKRecordZone.ID, Void>?.self)
        set(
            "CKModifyRecordZonesOperation.modifyRecordZonesResultBlock", \Modify.modifyRecordZonesResultBlock,
            ResultBlock<Void>?.self)
        set(
            "CKModifyRecordZonesOperation.modifyRecordZonesCompletionBlock", \Modify.modifyRecordZonesCompletionBlock,
            (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?.self)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut() {
    _ = (CKModifyRecordZonesOperation(recordZonesToSave: []), CKModifyRecordZonesOperation(recordZoneIDsToDelete: []))
    _ = (CKModifyRecordZonesOperation(), CKFetchRecordZonesOperation())
}
