import Foundation

extension CKDatabase {
    /// Fetches all zones of this database. The block receives them in the order of their names, or a ``CKError``.
    @preconcurrency
    public func fetchAllRecordZones(completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void) {
        run(CKFetchRecordZonesOperation.fetchAllRecordZonesOperation(), { try $0.all }, pair(completionHandler))
    }

    /// Fetches all zones of this database, in the order of their names.
    ///
    /// - Throws: ``CKError``: the error of the first zone that cannot be read; otherwise the errors of any request
    ///   (``CKDatabase``).
    @discardableResult
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await run(CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()) { try $0.all }
    }

    /// Fetches a zone. The block receives it, or a ``CKError``: see ``recordZone(for:)``.
    @preconcurrency
    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        run(
            CKFetchRecordZonesOperation(recordZoneIDs: [zoneID]), { try $0.results.one(zoneID) },
            pair(completionHandler))
    }

    /// Fetches a zone.
    ///
    /// - Throws: ``CKError``: `zoneNotFound` if there is no such zone; otherwise the errors of any request
    ///   (``CKDatabase``).
    @discardableResult
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        try await run(CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])) { try $0.results.one(zoneID) }
    }

    /// Creates a zone in the private database. The block receives it, or a ``CKError``: see
    /// ``save(_:)-(CKRecordZone)``.
    @preconcurrency
    public func save(_ zone: CKRecordZone, completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void)
    {
        run(
            CKModifyRecordZonesOperation(recordZonesToSave: [zone]), { try $0.saveResults.one(zone.zoneID) },
            pair(completionHandler))
    }

    /// Creates a zone in the private database. A zone that exists already is returned unchanged. A person can have at
    /// most 1,000 zones.
    ///
    /// - Throws: ``CKError``: `badDatabase` in another database; `limitExceeded` for the 1,001st zone; `invalidArguments`
    ///   for a name that no zone can have, or for `encryptionScope` `.perZone`; otherwise the errors of any request
    ///   (``CKDatabase``).
    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        try await run(CKModifyRecordZonesOperation(recordZonesToSave: [zone])) { try $0.saveResults.one(zone.zoneID) }
    }

    /// Deletes a zone with all its records, permanently. The block receives its ID, or a ``CKError``: see
    /// ``deleteRecordZone(withID:)``.
    @preconcurrency
    public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        run(
            CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID]), { try $0.deleteResults.deleted(zoneID) },
            pair(completionHandler))
    }

    /// Deletes a zone with all its records, permanently.
    ///
    /// - Throws: ``CKError``: `zoneNotFound` if there is no such zone; `badDatabase` in the public database;
    ///   `invalidArguments` for the default zone; otherwise the errors of any request (``CKDatabase``).
    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await run(CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zoneID])) {
            try $0.deleteResults.deleted(zoneID)
        }
    }

    // MARK: Several zones

    /// Fetches up to 200 zones. The block receives a result for each, or a ``CKError`` if the whole operation fails.
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

    /// Fetches up to 200 zones. The result of one that does not exist is `zoneNotFound`.
    ///
    /// - Throws: ``CKError``: `limitExceeded` for more than 200; otherwise the errors of any request
    ///   (``CKDatabase``).
    @discardableResult
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await run(CKFetchRecordZonesOperation(recordZoneIDs: ids)) { $0.results }
    }

    /// Creates and deletes up to 400 zones of the private database. The block receives a result for each, or a
    /// ``CKError`` if the whole operation fails.
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

    /// Creates and deletes up to 400 zones of the private database. Each has its own result.
    ///
    /// - Throws: ``CKError``: `limitExceeded` for more than 400; `badDatabase` for a new zone outside the private
    ///   database, or a deletion in the public database; `invalidArguments` for `encryptionScope` `.perZone`. All of
    ///   these are thrown before anything is sent. Otherwise the errors of any request (``CKDatabase``).
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
    /// All zones, in the order of their names. - Throws: The error of the first that failed.
    fileprivate var all: [CKRecordZone] {
        get throws {
            try results.sorted { $0.key.zoneName < $1.key.zoneName }.map { try $0.value.get() }
        }
    }
}
