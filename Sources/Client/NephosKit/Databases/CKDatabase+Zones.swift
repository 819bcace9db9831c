import Foundation

extension CKDatabase {
    @preconcurrency
    public func fetchAllRecordZones(completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void) {
        run(CKFetchRecordZonesOperation.fetchAllRecordZonesOperation(), { try $0.all }, pair(completionHandler))
    }

    @discardableResult
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await run(CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()) { try $0.all }
    }

    @preconcurrency
    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        run(
            CKFetchRecordZonesOperation(recordZoneIDs: [zoneID]), { try $0.results.one(zoneID) },
            pair(completionHandler))
    }

    @discardableResult
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        try await run(CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])) { try $0.results.one(zoneID) }
    }

    @preconcurrency
    public func save(_ zone: CKRecordZone, completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void)
    {
        run(
            CKModifyRecordZonesOperation(recordZonesToSave: [zone]), { try $0.saveResults.one(zone.zoneID) },
            pair(completionHandler))
    }

    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        try await run(CKModifyRecordZonesOperation(recordZonesToSave: [zone])) { try $0.saveResults.one(zone.zoneID) }
    }

    @preconcurrency
    public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        run(
            CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID]), { try $0.deleteResults.deleted(zoneID) },
            pair(completionHandler))
    }

    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await run(CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID])) {
            try $0.deleteResults.deleted(zoneID)
        }
    }

    // MARK: Several zones

    @preconcurrency
    public func fetch(
        withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>
            ) -> Void
    ) {
        run(CKFetchRecordZonesOperation(recordZoneIDs: zoneIDs), { $0.results }, completionHandler)
    }

    @discardableResult
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await run(CKFetchRecordZonesOperation(recordZoneIDs: ids)) { $0.results }
    }

    @preconcurrency
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: recordZonesToSave, recordZoneIDsToDelete: recordZoneIDsToDelete)
        run(operation, { ($0.saveResults, $0.deleteResults) }, completionHandler)
    }

    @discardableResult
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: recordZonesToSave, recordZoneIDsToDelete: recordZoneIDsToDelete)
        return try await run(operation) { ($0.saveResults, $0.deleteResults) }
    }
}

extension CKFetchRecordZonesOperation {
    /// By name. - Throws: What failed for one of them.
    fileprivate var all: [CKRecordZone] {
        get throws {
            try results.sorted { $0.key.zoneName < $1.key.zoneName }.map { try $0.value.get() }
        }
    }
}
