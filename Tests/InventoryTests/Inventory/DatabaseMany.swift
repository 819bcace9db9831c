import CloudKit

private typealias RecordResults = ItemResults<CKRecord.ID, CKRecord>
private typealias Matches = (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
)
private typealias Modified<ID: Hashable, Item> = (
    saveResults: ItemResults<ID, Item>, deleteResults: ItemResults<ID, Void>
)
private typealias DatabaseChanges = (
    modifications: [CKDatabase.DatabaseChange.Modification], deletions: [CKDatabase.DatabaseChange.Deletion],
    changeToken: CKServerChangeToken, moreComing: Bool
)
private typealias ZoneChanges = (
    modificationResultsByID: ItemResults<CKRecord.ID, CKDatabase.RecordZoneChange.Modification>,
    deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
)

/// Databases: functions for many items.
extension Inventory {
    mutating func manyRecords() {
        topic("Database: many records")
        function(
            "CKDatabase.fetch(withRecordIDs:desiredKeys:completionHandler:)",
            CKDatabase.fetch(withRecordIDs:desiredKeys:completionHandler:)
                as (CKDatabase) -> ([CKRecord.ID], [CKRecord.FieldKey]?, @escaping ResultHandler<RecordResults>) -> Void
        )
        function(
            "CKDatabase.records(for:desiredKeys:)",
            CKDatabase.records(for:desiredKeys:)
                as (CKDatabase) -> ([CKRecord.ID], [CKRecord.FieldKey]?) async throws -> RecordResults)
        function(
            "CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:completionHandler:)",
            CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:completionHandler:)
                as (CKDatabase) -> (
                    [CKRecord], [CKRecord.ID], CKModifyRecordsOperation.RecordSavePolicy, Bool,
                    @escaping ResultHandler<Modified<CKRecord.ID, CKRecord>>
                ) -> Void)
        function(
            "CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:)",
            CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:)
                as (CKDatabase) -> (
                    [CKRecord], [CKRecord.ID], CKModifyRecordsOperation.RecordSavePolicy, Bool
                ) async throws -> Modified<CKRecord.ID, CKRecord>)
    }

    mutating func queries() {
        topic("Database: queries")
        function(
            "CKDatabase.fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)",
            CKDatabase.fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)
                as (CKDatabase) -> (
                    CKQuery, CKRecordZone.ID?, [CKRecord.FieldKey]?, Int, @escaping ResultHandler<Matches>
                ) -> Void)
        function(
            "CKDatabase.fetch(withCursor:desiredKeys:resultsLimit:completionHandler:)",
            CKDatabase.fetch(withCursor:desiredKeys:resultsLimit:completionHandler:)
                as (CKDatabase) -> (
                    CKQueryOperation.Cursor, [CKRecord.FieldKey]?, Int, @escaping ResultHandler<Matches>
                ) -> Void)
        function(
            "CKDatabase.records(matching:inZoneWith:desiredKeys:resultsLimit:)",
            CKDatabase.records(matching:inZoneWith:desiredKeys:resultsLimit:)
                as (CKDatabase) -> (CKQuery, CKRecordZone.ID?, [CKRecord.FieldKey]?, Int) async throws -> Matches)
        function(
            "CKDatabase.records(continuingMatchFrom:desiredKeys:resultsLimit:)",
            CKDatabase.records(continuingMatchFrom:desiredKeys:resultsLimit:)
                as (CKDatabase) -> (CKQueryOperation.Cursor, [CKRecord.FieldKey]?, Int) async throws -> Matches)
    }

    mutating func manyZones() {
        topic("Database: many zones")
        function(
            "CKDatabase.fetch(withRecordZoneIDs:completionHandler:)",
            CKDatabase.fetch(withRecordZoneIDs:completionHandler:)
                as (CKDatabase) -> (
                    [CKRecordZone.ID], @escaping ResultHandler<ItemResults<CKRecordZone.ID, CKRecordZone>>
                ) -> Void)
        function(
            "CKDatabase.recordZones(for:)",
            CKDatabase.recordZones(for:)
                as (CKDatabase) -> ([CKRecordZone.ID]) async throws -> ItemResults<CKRecordZone.ID, CKRecordZone>)
        function(
            "CKDatabase.modifyRecordZones(saving:deleting:completionHandler:)",
            CKDatabase.modifyRecordZones(saving:deleting:completionHandler:)
                as (CKDatabase) -> (
                    [CKRecordZone], [CKRecordZone.ID], @escaping ResultHandler<Modified<CKRecordZone.ID, CKRecordZone>>
                ) -> Void)
        function(
            "CKDatabase.modifyRecordZones(saving:deleting:)",
            CKDatabase.modifyRecordZones(saving:deleting:)
                as (CKDatabase) -> ([CKRecordZone], [CKRecordZone.ID]) async throws
                -> Modified<CKRecordZone.ID, CKRecordZone>)
    }

    mutating func manySubscriptions() {
        topic("Database: many subscriptions")
        typealias ID = CKSubscription.ID
        function(
            "CKDatabase.fetch(withSubscriptionIDs:completionHandler:)",
            CKDatabase.fetch(withSubscriptionIDs:completionHandler:)
                as (CKDatabase) -> ([ID], @escaping ResultHandler<ItemResults<ID, CKSubscription>>) -> Void)
        function(
            "CKDatabase.subscriptions(for:)",
            CKDatabase.subscriptions(for:)
                as (CKDatabase) -> ([ID]) async throws -> ItemResults<ID, CKSubscription>)
        function(
            "CKDatabase.modifySubscriptions(saving:deleting:completionHandler:)",
            CKDatabase.modifySubscriptions(saving:deleting:completionHandler:)
                as (CKDatabase) -> ([CKSubscription], [ID], @escaping ResultHandler<Modified<ID, CKSubscription>>) ->
                Void)
        function(
            "CKDatabase.modifySubscriptions(saving:deleting:)",
            CKDatabase.modifySubscriptions(saving:deleting:)
                as (CKDatabase) -> ([CKSubscription], [ID]) async throws -> Modified<ID, CKSubscription>)
    }

    mutating func changes() {
        topic("Database: changes")
        function(
            "CKDatabase.fetchDatabaseChanges(since:resultsLimit:completionHandler:)",
            CKDatabase.fetchDatabaseChanges(since:resultsLimit:completionHandler:)
                as (CKDatabase) -> (CKServerChangeToken?, Int?, @escaping ResultHandler<DatabaseChanges>) -> Void)
        function(
            "CKDatabase.databaseChanges(since:resultsLimit:)",
            CKDatabase.databaseChanges(since:resultsLimit:)
                as (CKDatabase) -> (CKServerChangeToken?, Int?) async throws -> DatabaseChanges)
        function(
            "CKDatabase.fetchRecordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:completionHandler:)",
            CKDatabase.fetchRecordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:completionHandler:)
                as (CKDatabase) -> (
                    CKRecordZone.ID, CKServerChangeToken?, [CKRecord.FieldKey]?, Int?,
                    @escaping ResultHandler<ZoneChanges>
                ) -> Void)
        function(
            "CKDatabase.recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)",
            CKDatabase.recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)
                as (CKDatabase) -> (CKRecordZone.ID, CKServerChangeToken?, [CKRecord.FieldKey]?, Int?) async throws
                -> ZoneChanges)
    }
}

/// Changes, as functions and the sync engine report them.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func changesOfDatabases() {
        topic("Database: changes")
        typealias DatabaseChange = CKDatabase.DatabaseChange
        type("CKDatabase.DatabaseChange", DatabaseChange.self)
        type("CKDatabase.DatabaseChange.Modification", DatabaseChange.Modification.self as any Sendable.Type)
        get(
            "CKDatabase.DatabaseChange.Modification.zoneID", \DatabaseChange.Modification.zoneID, CKRecordZone.ID.self)
        type("CKDatabase.DatabaseChange.Deletion", DatabaseChange.Deletion.self as any Sendable.Type)
        get("CKDatabase.DatabaseChange.Deletion.zoneID", \DatabaseChange.Deletion.zoneID, CKRecordZone.ID.self)
        get(
            "CKDatabase.DatabaseChange.Deletion.reason", \DatabaseChange.Deletion.reason,
            DatabaseChange.Deletion.Reason.self)
        get("CKDatabase.DatabaseChange.Deletion.purged", \DatabaseChange.Deletion.purged, Bool.self)
        typealias Reason = DatabaseChange.Deletion.Reason
        type("CKDatabase.DatabaseChange.Deletion.Reason", Reason.self as any (Hashable & Sendable).Type)
        constant("CKDatabase.DatabaseChange.Deletion.Reason.deleted", Reason.deleted, .deleted)
        constant("CKDatabase.DatabaseChange.Deletion.Reason.purged", Reason.purged, .purged)
        constant(
            "CKDatabase.DatabaseChange.Deletion.Reason.encryptedDataReset", Reason.encryptedDataReset,
            .encryptedDataReset)
    }

    mutating func changesOfZones() {
        topic("Database: changes")
        typealias ZoneChange = CKDatabase.RecordZoneChange
        type("CKDatabase.RecordZoneChange", ZoneChange.self)
        type("CKDatabase.RecordZoneChange.Modification", ZoneChange.Modification.self as any Sendable.Type)
        get("CKDatabase.RecordZoneChange.Modification.record", \ZoneChange.Modification.record, CKRecord.self)
        type("CKDatabase.RecordZoneChange.Deletion", ZoneChange.Deletion.self as any Sendable.Type)
        get("CKDatabase.RecordZoneChange.Deletion.recordID", \ZoneChange.Deletion.recordID, CKRecord.ID.self)
        get(
            "CKDatabase.RecordZoneChange.Deletion.recordType", \ZoneChange.Deletion.recordType,
            CKRecord.RecordType.self)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut(_ database: CKDatabase, _ query: CKQuery, _ zone: CKRecordZone.ID) async throws {
    _ = try await database.records(for: [])
    _ = try await database.modifyRecords(saving: [], deleting: [])
    let (matches, cursor) = try await database.records(matching: query, inZoneWith: zone)
    let (all, next) = try await database.records(matching: query)
    if let cursor = cursor ?? next { _ = try await database.records(continuingMatchFrom: cursor) }
    _ = matches + all
    _ = try await database.databaseChanges(since: nil)
    _ = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
    handlers(database, query, zone)
}

private func handlers(_ database: CKDatabase, _ query: CKQuery, _ zone: CKRecordZone.ID) {
    database.fetch(withRecordIDs: []) { _ in }
    database.modifyRecords(saving: [], deleting: []) { _ in }
    database.fetch(withQuery: query) { result in
        if case .success((_, let cursor?)) = result { database.fetch(withCursor: cursor) { _ in } }
    }
    database.fetchDatabaseChanges(since: nil) { _ in }
    database.fetchRecordZoneChanges(inZoneWith: zone, since: nil) { _ in }
}
