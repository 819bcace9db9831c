import CloudKit
import Foundation

/// A function of a database for one item, with its counterparts for a batch: a function, and an operation. Calls are for the same
/// item, or for a batch of only that item.
struct Counterpart: Sendable {
    typealias Call = @Sendable (CKDatabase) async throws -> Void

    /// Apple's names, as in Tests/InventoryTests/symbols.txt; the same calls with a block and as `async`.
    var one: [String]
    /// Empty if the function is for all items already, like the operation.
    var many: [String] = []
    var operation: String
    var calls: [Call]

    private static let zone = CKRecordZone.ID(zoneName: "Z")
    private static let id = CKRecord.ID(recordName: "a", zoneID: zone)
    private static var record: CKRecord { CKRecord(recordType: "Note", recordID: id) }
    private static var query: CKQuery { CKQuery(recordType: "Note", predicate: NSPredicate(value: true)) }
    private static var subscription: CKSubscription { CKDatabaseSubscription(subscriptionID: "s") }

    /// Calls a function with a block, and waits for the block.
    private static func done(_ start: (@escaping @Sendable () -> Void) -> Void) async {
        await withCheckedContinuation { continuation in start { continuation.resume() } }
    }

    /// Runs an operation with the quality of service of functions.
    private static func run(_ operation: CKDatabaseOperation, _ database: CKDatabase) async {
        operation.qualityOfService = .userInitiated
        await done { end in
            operation.completionBlock = end
            database.add(operation)
        }
    }

    @available(*, deprecated, message: "Two of them are deprecated functions.")
    static var all: [Counterpart] { records + queries + zones + subscriptions }

    private static let records = [
        Counterpart(
            one: ["fetch(withRecordID:completionHandler:)", "record(for:)"],
            many: ["fetch(withRecordIDs:desiredKeys:completionHandler:)", "records(for:desiredKeys:)"],
            operation: "CKFetchRecordsOperation.init(recordIDs:)",
            calls: [
                { db in await done { end in db.fetch(withRecordID: id) { _, _ in end() } } },
                { db in try await db.record(for: id) },
                { db in await done { end in db.fetch(withRecordIDs: [id]) { _ in end() } } },
                { db in try await db.records(for: [id]) },
                { db in await run(CKFetchRecordsOperation(recordIDs: [id]), db) },
            ]),
        Counterpart(
            one: ["save(_: CKRecord, completionHandler:)", "save(_: CKRecord)"], many: modifyRecords,
            operation: "CKModifyRecordsOperation.init(recordsToSave:recordIDsToDelete:)",
            calls: [
                { db in await done { end in db.save(record) { _, _ in end() } } },
                { db in try await db.save(record) },
                { db in await done { end in db.modifyRecords(saving: [record], deleting: []) { _ in end() } } },
                { db in try await db.modifyRecords(saving: [record], deleting: []) },
                { db in await run(CKModifyRecordsOperation(recordsToSave: [record]), db) },
            ]),
        Counterpart(
            one: ["delete(withRecordID:completionHandler:)", "deleteRecord(withID:)"], many: modifyRecords,
            operation: "CKModifyRecordsOperation.init(recordsToSave:recordIDsToDelete:)",
            calls: [
                { db in await done { end in db.delete(withRecordID: id) { _, _ in end() } } },
                { db in try await db.deleteRecord(withID: id) },
                { db in await done { end in db.modifyRecords(saving: [], deleting: [id]) { _ in end() } } },
                { db in try await db.modifyRecords(saving: [], deleting: [id]) },
                { db in await run(CKModifyRecordsOperation(recordIDsToDelete: [id]), db) },
            ]),
    ]

    private static let modifyRecords = [
        "modifyRecords(saving:deleting:savePolicy:atomically:completionHandler:)",
        "modifyRecords(saving:deleting:savePolicy:atomically:)",
    ]

    @available(*, deprecated, message: "Two of them are deprecated functions.")
    private static var queries: [Counterpart] {
        [
            Counterpart(
                one: ["perform(_:inZoneWith:completionHandler:)", "records(matching:inZoneWith:)"],
                many: [
                    "fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)",
                    "records(matching:inZoneWith:desiredKeys:resultsLimit:)",
                ], operation: "CKQueryOperation.init(query:)",
                calls: [
                    { db in await done { end in db.perform(query, inZoneWith: zone) { _, _ in end() } } },
                    { db in let _: [CKRecord] = try await db.records(matching: query, inZoneWith: zone) },
                    { db in await done { end in db.fetch(withQuery: query, inZoneWith: zone) { _ in end() } } },
                    { db in try await db.records(matching: query, inZoneWith: zone, resultsLimit: 0) },
                    { db in
                        let operation = CKQueryOperation(query: query)
                        operation.zoneID = zone
                        await run(operation, db)
                    },
                ])
        ]
    }

    private static let zones = [
        Counterpart(
            one: ["fetchAllRecordZones(completionHandler:)", "allRecordZones()"],
            operation: "CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()",
            calls: [
                { db in await done { end in db.fetchAllRecordZones { _, _ in end() } } },
                { db in try await db.allRecordZones() },
                { db in await run(CKFetchRecordZonesOperation.fetchAllRecordZonesOperation(), db) },
            ]),
        Counterpart(
            one: ["fetch(withRecordZoneID:completionHandler:)", "recordZone(for:)"],
            many: ["fetch(withRecordZoneIDs:completionHandler:)", "recordZones(for:)"],
            operation: "CKFetchRecordZonesOperation.init(recordZoneIDs:)",
            calls: [
                { db in await done { end in db.fetch(withRecordZoneID: zone) { _, _ in end() } } },
                { db in try await db.recordZone(for: zone) },
                { db in await done { end in db.fetch(withRecordZoneIDs: [zone]) { _ in end() } } },
                { db in try await db.recordZones(for: [zone]) },
                { db in await run(CKFetchRecordZonesOperation(recordZoneIDs: [zone]), db) },
            ]),
        Counterpart(
            one: ["save(_: CKRecordZone, completionHandler:)", "save(_: CKRecordZone)"], many: modifyZones,
            operation: "CKModifyRecordZonesOperation.init(recordZonesToSave:recordZoneIDsToDelete:)",
            calls: [
                { db in await done { end in db.save(CKRecordZone(zoneID: zone)) { _, _ in end() } } },
                { db in try await db.save(CKRecordZone(zoneID: zone)) },
                { db in
                    await done { end in
                        db.modifyRecordZones(saving: [CKRecordZone(zoneID: zone)], deleting: []) { _ in end() }
                    }
                },
                { db in try await db.modifyRecordZones(saving: [CKRecordZone(zoneID: zone)], deleting: []) },
                { db in
                    await run(CKModifyRecordZonesOperation(recordZonesToSave: [CKRecordZone(zoneID: zone)]), db)
                },
            ]),
        Counterpart(
            one: ["delete(withRecordZoneID:completionHandler:)", "deleteRecordZone(withID:)"], many: modifyZones,
            operation: "CKModifyRecordZonesOperation.init(recordZonesToSave:recordZoneIDsToDelete:)",
            calls: [
                { db in await done { end in db.delete(withRecordZoneID: zone) { _, _ in end() } } },
                { db in try await db.deleteRecordZone(withID: zone) },
                { db in await done { end in db.modifyRecordZones(saving: [], deleting: [zone]) { _ in end() } } },
                { db in try await db.modifyRecordZones(saving: [], deleting: [zone]) },
                { db in await run(CKModifyRecordZonesOperation(recordZoneIDsToDelete: [zone]), db) },
            ]),
    ]

    private static let modifyZones = [
        "modifyRecordZones(saving:deleting:completionHandler:)", "modifyRecordZones(saving:deleting:)",
    ]

    private static let subscriptions = [
        Counterpart(
            one: ["fetchAllSubscriptions(completionHandler:)", "allSubscriptions()"],
            operation: "CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()",
            calls: [
                { db in await done { end in db.fetchAllSubscriptions { _, _ in end() } } },
                { db in try await db.allSubscriptions() },
                { db in await run(CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation(), db) },
            ]),
        Counterpart(
            one: ["fetch(withSubscriptionID:completionHandler:)", "subscription(for:)"],
            many: ["fetch(withSubscriptionIDs:completionHandler:)", "subscriptions(for:)"],
            operation: "CKFetchSubscriptionsOperation.init(subscriptionIDs:)",
            calls: [
                { db in await done { end in db.fetch(withSubscriptionID: "s") { _, _ in end() } } },
                { db in try await db.subscription(for: "s") },
                { db in await done { end in db.fetch(withSubscriptionIDs: ["s"]) { _ in end() } } },
                { db in try await db.subscriptions(for: ["s"]) },
                { db in await run(CKFetchSubscriptionsOperation(subscriptionIDs: ["s"]), db) },
            ]),
        Counterpart(
            one: ["save(_: CKSubscription, completionHandler:)", "save(_: CKSubscription)"],
            many: modifySubscriptions,
            operation: "CKModifySubscriptionsOperation.init(subscriptionsToSave:subscriptionIDsToDelete:)",
            calls: [
                { db in await done { end in db.save(subscription) { _, _ in end() } } },
                { db in try await db.save(subscription) },
                { db in
                    await done { end in db.modifySubscriptions(saving: [subscription], deleting: []) { _ in end() } }
                },
                { db in try await db.modifySubscriptions(saving: [subscription], deleting: []) },
                { db in await run(CKModifySubscriptionsOperation(subscriptionsToSave: [subscription]), db) },
            ]),
        Counterpart(
            one: ["delete(withSubscriptionID:completionHandler:)", "deleteSubscription(withID:)"],
            many: modifySubscriptions,
            operation: "CKModifySubscriptionsOperation.init(subscriptionsToSave:subscriptionIDsToDelete:)",
            calls: [
                { db in await done { end in db.delete(withSubscriptionID: "s") { _, _ in end() } } },
                { db in try await db.deleteSubscription(withID: "s") },
                { db in await done { end in db.modifySubscriptions(saving: [], deleting: ["s"]) { _ in end() } } },
                { db in try await db.modifySubscriptions(saving: [], deleting: ["s"]) },
                { db in await run(CKModifySubscriptionsOperation(subscriptionIDsToDelete: ["s"]), db) },
            ]),
    ]

    private static let modifySubscriptions = [
        "modifySubscriptions(saving:deleting:completionHandler:)", "modifySubscriptions(saving:deleting:)",
    ]
}
