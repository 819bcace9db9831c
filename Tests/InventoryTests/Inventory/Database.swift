import CloudKit

/// Databases: functions for one item.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func database() {
        topic("Database")
        type("CKDatabase", CKDatabase.self as any (NSObject & Sendable).Type)
        type("CKDatabase.Scope", CKDatabase.Scope.self as any Sendable.Type)
        raw("CKDatabase.Scope.public", CKDatabase.Scope.public, Int(1))
        raw("CKDatabase.Scope.private", CKDatabase.Scope.private, Int(2))
        raw("CKDatabase.Scope.shared", CKDatabase.Scope.shared, Int(3))
        get("CKDatabase.databaseScope", \CKDatabase.databaseScope, CKDatabase.Scope.self)
        function("CKDatabase.add(_:)", CKDatabase.add(_:) as (CKDatabase) -> (CKDatabaseOperation) -> Void)
        function(
            "CKDatabase.configuredWith(configuration:group:body:)",
            CKDatabase.configuredWith(configuration:group:body:)
                as (CKDatabase) -> (CKOperation.Configuration?, CKOperationGroup?, (CKDatabase) throws -> Int) throws
                -> Int)
        function(
            "CKDatabase.configuredWith(configuration:group:body:) async",
            CKDatabase.configuredWith(configuration:group:body:)
                as (CKDatabase) -> (
                    CKOperation.Configuration?, CKOperationGroup?, @Sendable (CKDatabase) async throws -> Int
                ) async throws -> Int)
    }

    mutating func oneRecord() {
        topic("Database: one record")
        function(
            "CKDatabase.fetch(withRecordID:completionHandler:)",
            CKDatabase.fetch(withRecordID:completionHandler:)
                as (CKDatabase) -> (CKRecord.ID, @escaping Handler<CKRecord>) -> Void)
        function(
            "CKDatabase.record(for:)",
            CKDatabase.record(for:) as (CKDatabase) -> (CKRecord.ID) async throws -> CKRecord)
        function(
            "CKDatabase.save(_: CKRecord, completionHandler:)",
            CKDatabase.save(_:completionHandler:) as (CKDatabase) -> (CKRecord, @escaping Handler<CKRecord>) -> Void)
        function(
            "CKDatabase.save(_: CKRecord)",
            CKDatabase.save(_:) as (CKDatabase) -> (CKRecord) async throws -> CKRecord)
        function(
            "CKDatabase.delete(withRecordID:completionHandler:)",
            CKDatabase.delete(withRecordID:completionHandler:)
                as (CKDatabase) -> (CKRecord.ID, @escaping Handler<CKRecord.ID>) -> Void)
        function(
            "CKDatabase.deleteRecord(withID:)",
            CKDatabase.deleteRecord(withID:) as (CKDatabase) -> (CKRecord.ID) async throws -> CKRecord.ID)
        function(
            "CKDatabase.perform(_:inZoneWith:completionHandler:)",
            CKDatabase.perform(_:inZoneWith:completionHandler:)
                as (CKDatabase) -> (CKQuery, CKRecordZone.ID?, @escaping Handler<[CKRecord]>) -> Void)
        function(
            "CKDatabase.records(matching:inZoneWith:)",
            CKDatabase.records(matching:inZoneWith:)
                as (CKDatabase) -> (CKQuery, CKRecordZone.ID?) async throws -> [CKRecord])
    }

    mutating func oneZone() {
        topic("Database: one zone")
        function(
            "CKDatabase.fetchAllRecordZones(completionHandler:)",
            CKDatabase.fetchAllRecordZones(completionHandler:)
                as (CKDatabase) -> (@escaping Handler<[CKRecordZone]>) -> Void)
        function(
            "CKDatabase.allRecordZones()",
            CKDatabase.allRecordZones as (CKDatabase) -> () async throws -> [CKRecordZone])
        function(
            "CKDatabase.fetch(withRecordZoneID:completionHandler:)",
            CKDatabase.fetch(withRecordZoneID:completionHandler:)
                as (CKDatabase) -> (CKRecordZone.ID, @escaping Handler<CKRecordZone>) -> Void)
        function(
            "CKDatabase.recordZone(for:)",
            CKDatabase.recordZone(for:) as (CKDatabase) -> (CKRecordZone.ID) async throws -> CKRecordZone)
        function(
            "CKDatabase.save(_: CKRecordZone, completionHandler:)",
            CKDatabase.save(_:completionHandler:)
                as (CKDatabase) -> (CKRecordZone, @escaping Handler<CKRecordZone>) -> Void)
        function(
            "CKDatabase.save(_: CKRecordZone)",
            CKDatabase.save(_:) as (CKDatabase) -> (CKRecordZone) async throws -> CKRecordZone)
        function(
            "CKDatabase.delete(withRecordZoneID:completionHandler:)",
            CKDatabase.delete(withRecordZoneID:completionHandler:)
                as (CKDatabase) -> (CKRecordZone.ID, @escaping Handler<CKRecordZone.ID>) -> Void)
        function(
            "CKDatabase.deleteRecordZone(withID:)",
            CKDatabase.deleteRecordZone(withID:) as (CKDatabase) -> (CKRecordZone.ID) async throws -> CKRecordZone.ID)
    }

    mutating func oneSubscription() {
        topic("Database: one subscription")
        function(
            "CKDatabase.fetch(withSubscriptionID:completionHandler:)",
            CKDatabase.fetch(withSubscriptionID:completionHandler:)
                as (CKDatabase) -> (CKSubscription.ID, @escaping Handler<CKSubscription>) -> Void)
        function(
            "CKDatabase.subscription(for:)",
            CKDatabase.subscription(for:) as (CKDatabase) -> (CKSubscription.ID) async throws -> CKSubscription)
        function(
            "CKDatabase.fetchAllSubscriptions(completionHandler:)",
            CKDatabase.fetchAllSubscriptions(completionHandler:)
                as (CKDatabase) -> (@escaping Handler<[CKSubscription]>) -> Void)
        function(
            "CKDatabase.allSubscriptions()",
            CKDatabase.allSubscriptions as (CKDatabase) -> () async throws -> [CKSubscription])
        function(
            "CKDatabase.save(_: CKSubscription, completionHandler:)",
            CKDatabase.save(_:completionHandler:)
                as (CKDatabase) -> (CKSubscription, @escaping Handler<CKSubscription>) -> Void)
        function(
            "CKDatabase.save(_: CKSubscription)",
            CKDatabase.save(_:) as (CKDatabase) -> (CKSubscription) async throws -> CKSubscription)
        function(
            "CKDatabase.delete(withSubscriptionID:completionHandler:)",
            CKDatabase.delete(withSubscriptionID:completionHandler:)
                as (CKDatabase) -> (CKSubscription.ID, @escaping Handler<String>) -> Void)
        function(
            "CKDatabase.deleteSubscription(withID:)",
            CKDatabase.deleteSubscription(withID:)
                as (CKDatabase) -> (CKSubscription.ID) async throws -> CKSubscription.ID)
    }
}

/// Results that may be ignored: compiled, not run.
private func leftOut(_ database: CKDatabase, _ record: CKRecord, _ zone: CKRecordZone) async throws {
    try await database.record(for: record.recordID)
    try await database.save(record)
    try await database.deleteRecord(withID: record.recordID)
    try await database.allRecordZones()
    try await database.recordZone(for: zone.zoneID)
    try await database.save(zone)
    try await database.deleteRecordZone(withID: zone.zoneID)
    try await database.subscription(for: "")
    try await database.allSubscriptions()
    try await database.save(CKDatabaseSubscription(subscriptionID: ""))
    try await database.deleteSubscription(withID: "")
}
