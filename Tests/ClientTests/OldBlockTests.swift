import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// Blocks of operations, both newer and older ones, for all fetching and modifying operations (docs/client.md, "Operations").
    @Suite("Completion blocks of operations") struct OldBlockTests {
        let cloud: Cloud
        let database: CKDatabase
        let zone: CKRecordZone.ID
        let nowhere = CKRecordZone.ID(zoneName: "Nowhere")
        let calls = Calls()

        init() async throws {
            cloud = try Cloud()
            database = try cloud.device().privateCloudDatabase
            zone = try await database.makeZone("Notes")
        }

        private func partial(_ error: (any Error)?) -> String {
            guard let error = error as? CKError else { return "whole" }
            return "\(error.code) \(error.partialErrorsByItemID?.count ?? 0)"
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("Records are fetched by id")
        func records() async throws {
            let record = try await database.save(note("a", in: zone))
            let missing = note("none", in: zone).recordID
            let operation = CKFetchRecordsOperation(recordIDs: [])
            operation.recordIDs = [record.recordID, missing]
            operation.desiredKeys = ["text"]
            operation.perRecordResultBlock = { calls.add("new \($0.recordName) \($1.isSuccess)") }
            operation.perRecordCompletionBlock = { calls.add("old \($0 != nil) \($1?.recordName ?? "") \($2 == nil)") }
            operation.fetchRecordsResultBlock = { calls.add("new result \($0.isSuccess)") }
            operation.fetchRecordsCompletionBlock = { calls.add("old result \($0?.count ?? -1) \(partial($1))") }
            await database.finish(operation)
            #expect(
                calls.list == [
                    "new a true", "old true a true", "new none false", "old false none false", "new result true",
                    "old result 1 partialFailure 1",
                ], "\(calls.list)")
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("Records are modified")
        func changes() async throws {
            let operation = CKModifyRecordsOperation()
            operation.recordsToSave = [note("a", in: zone)]
            operation.recordIDsToDelete = [note("b", in: nowhere).recordID]
            operation.savePolicy = .ifServerRecordUnchanged
            operation.isAtomic = false
            operation.clientChangeTokenData = Data([1])
            operation.modifyRecordsCompletionBlock = {
                calls.add("\($0?.count ?? -1) \($1?.count ?? -1) \(partial($2))")
            }
            await database.finish(operation)
            #expect(calls.list == ["1 0 partialFailure 1"], "\(calls.list)")
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("Zones are fetched and modified")
        func zones() async throws {
            let fetch = CKFetchRecordZonesOperation(recordZoneIDs: [])
            fetch.recordZoneIDs = [zone, nowhere]
            fetch.perRecordZoneResultBlock = { calls.add("\($0.zoneName) \($1.isSuccess)") }
            fetch.fetchRecordZonesResultBlock = { calls.add("new \($0.isSuccess)") }
            fetch.fetchRecordZonesCompletionBlock = { calls.add("old \($0?.count ?? -1) \(partial($1))") }
            await database.finish(fetch)
            #expect(
                calls.list == ["Notes true", "Nowhere false", "new true", "old 1 partialFailure 1"], "\(calls.list)")

            let modify = CKModifyRecordZonesOperation()
            modify.recordZonesToSave = [CKRecordZone(zoneName: "New")]
            modify.recordZoneIDsToDelete = [zone, nowhere]
            let others = Calls()
            modify.perRecordZoneSaveBlock = { others.add("saved \($0.zoneName) \($1.isSuccess)") }
            modify.perRecordZoneDeleteBlock = { others.add("deleted \($0.zoneName) \($1.isSuccess)") }
            modify.modifyRecordZonesCompletionBlock = {
                others.add("\($0?.count ?? -1) \($1?.count ?? -1) \(partial($2))")
            }
            await database.finish(modify)
            #expect(
                others.list == [
                    "saved New true", "deleted Notes true", "deleted Nowhere false", "1 1 partialFailure 1",
                ], "\(others.list)")
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("Subscriptions are modified and fetched")
        func subscriptions() async throws {
            let modify = CKModifySubscriptionsOperation()
            modify.subscriptionsToSave = [CKDatabaseSubscription(subscriptionID: "d")]
            modify.subscriptionIDsToDelete = ["none"]
            modify.perSubscriptionSaveBlock = { calls.add("saved \($0) \($1.isSuccess)") }
            modify.perSubscriptionDeleteBlock = { calls.add("deleted \($0) \($1.isSuccess)") }
            modify.modifySubscriptionsCompletionBlock = {
                calls.add("\($0?.count ?? -1) \($1?.count ?? -1) \(partial($2))")
            }
            await database.finish(modify)
            #expect(calls.list == ["saved d true", "deleted none false", "1 0 partialFailure 1"], "\(calls.list)")

            let fetch = CKFetchSubscriptionsOperation(subscriptionIDs: [])
            fetch.subscriptionIDs = ["d", "none"]
            let others = Calls()
            fetch.perSubscriptionResultBlock = { others.add("\($0) \($1.isSuccess)") }
            fetch.fetchSubscriptionsResultBlock = { others.add("new \($0.isSuccess)") }
            fetch.fetchSubscriptionCompletionBlock = { others.add("old \($0?.count ?? -1) \(partial($1))") }
            await database.finish(fetch)
            #expect(
                others.list == ["d true", "none false", "new true", "old 1 partialFailure 1"], "\(others.list)")
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("Changes of zones are fetched")
        func zoneChanges() async throws {
            let (kept, gone) = (note("kept", in: zone), note("gone", in: zone))
            try await database.modifyRecords(saving: [kept, gone], deleting: [])
            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
            kept["text"] = "new"
            let change = CKModifyRecordsOperation(recordsToSave: [kept], recordIDsToDelete: [gone.recordID])
            change.clientChangeTokenData = Data([1, 2])
            await database.finish(change)
            let wanted = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
            wanted.previousServerChangeToken = token
            wanted.resultsLimit = 10
            wanted.desiredKeys = []
            #expect(wanted.resultsLimit == 10 && wanted.desiredKeys == [] && wanted.previousServerChangeToken == token)
            let options: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions] = [zone: wanted]
            let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [zone], optionsByRecordZoneID: options)
            #expect(operation.recordZoneIDs == [zone] && operation.optionsByRecordZoneID?.count == 1)
            operation.recordZoneIDs = [zone, nowhere]
            operation.configurationsByRecordZoneID = options
            operation.optionsByRecordZoneID = options
            operation.recordChangedBlock = { calls.add("old \($0.recordID.recordName) \($0.allKeys())") }
            operation.recordWithIDWasDeletedBlock = { calls.add("deleted \($0.recordName) \($1)") }
            operation.recordZoneFetchCompletionBlock = {
                calls.add("\($0.zoneName) \($1 != nil) \($2.map(Array.init) ?? []) \($3) \($4 == nil)")
            }
            operation.fetchRecordZoneChangesCompletionBlock = { calls.add(partial($0)) }
            await database.finish(operation)
            #expect(
                calls.list == [
                    "old kept []", "deleted gone Note", "Notes true [1, 2] false true", "Nowhere false [] false false",
                    "partialFailure 1",
                ], "\(calls.list)")
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("Changes of the database are fetched")
        func databaseChanges() async throws {
            let operation = CKFetchDatabaseChangesOperation()
            operation.previousServerChangeToken = nil
            operation.fetchAllChanges = false
            operation.recordZoneWithIDWasPurgedBlock = { calls.add("purged \($0.zoneName)") }
            operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = { calls.add("reset \($0.zoneName)") }
            operation.recordZoneWithIDChangedBlock = { calls.add("changed \($0.zoneName)") }
            operation.fetchDatabaseChangesCompletionBlock = { calls.add("\($0 != nil) \($1) \($2 == nil)") }
            await database.finish(operation)
            #expect(calls.list == ["changed Notes", "true false true"], "\(calls.list)")
            let deletion = try await deletion()
            #expect(!deletion.purged && deletion.reason != .purged && deletion.reason != .encryptedDataReset)
        }

        private func deletion() async throws -> CKDatabase.DatabaseChange.Deletion {
            let token = try await database.databaseChanges(since: nil).changeToken
            try await database.deleteRecordZone(withID: zone)
            return try #require(try await database.databaseChanges(since: token).deletions.first)
        }

        @available(*, deprecated, message: "All of it is old.")
        @Test("The older operation for changes: one page of one zone")
        func recordChanges() async throws {
            try await database.modifyRecords(saving: (0..<3).map { note("n\($0)", in: zone) }, deleting: [])
            let operation = CKFetchRecordChangesOperation(recordZoneID: zone, previousServerChangeToken: nil)
            operation.resultsLimit = 2
            operation.desiredKeys = ["text"]
            operation.recordChangedBlock = { calls.add("changed \($0.recordID.recordName)") }
            operation.recordWithIDWasDeletedBlock = { calls.add("deleted \($0.recordName)") }
            operation.fetchRecordChangesCompletionBlock = { calls.add("\($0 != nil) \($1 == nil) \($2 == nil)") }
            await database.finish(operation)
            #expect(calls.list == ["changed n0", "changed n1", "true true true"], "\(calls.list)")
            #expect(operation.moreComing && operation.recordZoneID == zone)
            #expect(operation.previousServerChangeToken == nil)

            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil, resultsLimit: 1).changeToken
            try await database.deleteRecord(withID: note("n0", in: zone).recordID)
            let next = CKFetchRecordChangesOperation()
            next.recordZoneID = zone
            next.previousServerChangeToken = token
            let others = Calls()
            next.recordWithIDWasDeletedBlock = { others.add("deleted \($0.recordName)") }
            await database.finish(next)
            #expect(others.list == ["deleted n0"] && !next.moreComing)
        }

        @Test("A query continues from a cursor, in a zone, with some fields")
        func queries() async throws {
            try await database.modifyRecords(saving: (0..<3).map { note("n\($0)", in: zone) }, deleting: [])
            let first = CKQueryOperation()
            first.query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "text == 'x'"))
            first.zoneID = zone
            first.resultsLimit = 2
            first.desiredKeys = []
            #expect(first.query?.recordType == "Note" && first.zoneID == zone && first.desiredKeys == [])
            let cursors = Locker<CKQueryOperation.Cursor>()
            first.recordMatchedBlock = { calls.add("\($0.recordName) \((try? $1.get().allKeys()) ?? ["?"])") }
            first.queryResultBlock = { cursors.value = try? $0.get() }
            await database.finish(first)
            let second = CKQueryOperation(cursor: try #require(cursors.value))
            second.cursor = cursors.value
            #expect(second.cursor == cursors.value)
            second.recordMatchedBlock = { calls.add("\($0.recordName) \($1.isSuccess)") }
            await database.finish(second)
            #expect(calls.list.count == 3 && calls.list.first == "n0 []", "\(calls.list)")
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("A token for a web page")
        func webAuthToken() async throws {
            let operation = CKFetchWebAuthTokenOperation()
            operation.apiToken = cloud.container.apiToken
            #expect(operation.apiToken == cloud.container.apiToken)
            operation.fetchWebAuthTokenCompletionBlock = { calls.add("\($0?.isEmpty == false) \($1 == nil)") }
            await database.finish(operation)
            #expect(calls.list == ["true true"])
        }
    }
}

/// The values passed to a block.
final class Locker<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value?

    var value: Value? {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}
