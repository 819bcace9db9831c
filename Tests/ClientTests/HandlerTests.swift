import CloudKit
import Foundation
import NephosKit
import Testing

extension ClientTests {
    /// Every function of a database with a block does what its `async` form does.
    @Suite("Functions with completion handlers") struct HandlerTests {
        let database: CKDatabase
        let zone: CKRecordZone.ID

        init() async throws {
            let container = try Cloud().device()
            database = container.database(with: .private)
            zone = try await database.makeZone("Notes")
        }

        /// The values that a function passes to its block.
        private func outcome<Value>(
            _ start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
        ) async throws -> Value {
            let box: Box<Value> = await withCheckedContinuation { continuation in
                start { continuation.resume(returning: Box(value: $0, error: $1)) }
            }
            if let error = box.error { throw error }
            return try #require(box.value)
        }

        private func result<Value>(
            _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
        ) async throws -> Value {
            let box: Box<Value> = await withCheckedContinuation { continuation in
                start { result in
                    switch result {
                    case .success(let value): continuation.resume(returning: Box(value: value, error: nil))
                    case .failure(let error): continuation.resume(returning: Box(value: nil, error: error))
                    }
                }
            }
            if let error = box.error { throw error }
            return try #require(box.value)
        }

        private struct Box<Value>: @unchecked Sendable {
            var value: Value?
            var error: (any Error)?
        }

        @Test("One record, and several")
        func records() async throws {
            let record = note("a", in: zone)
            let id = record.recordID
            #expect(try await outcome { database.save(record, completionHandler: $0) } === record)
            let fetched: CKRecord = try await outcome { database.fetch(withRecordID: id, completionHandler: $0) }
            #expect(fetched["text"] == "x")
            let some = try await result { database.fetch(withRecordIDs: [id], desiredKeys: [], completionHandler: $0) }
            #expect(try some[id]?.get().allKeys() == [])
            let (saved, deleted) = try await result {
                database.modifyRecords(
                    saving: [note("b", in: zone)], deleting: [id], savePolicy: .ifServerRecordUnchanged,
                    atomically: true, completionHandler: $0)
            }
            #expect(saved.count == 1 && deleted[id]?.isSuccess == true)
            let gone: CKRecord.ID = try await outcome {
                database.delete(withRecordID: note("b", in: zone).recordID, completionHandler: $0)
            }
            #expect(gone.recordName == "b")
            #expect(
                await code { _ = try await outcome { database.fetch(withRecordID: id, completionHandler: $0) } }
                    == .unknownItem)
        }

        @Test("Queries and their cursors")
        func queries() async throws {
            try await database.modifyRecords(saving: (0..<3).map { note("n\($0)", in: zone) }, deleting: [])
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "text == 'x'"))
            let (first, cursor) = try await result {
                database.fetch(withQuery: query, inZoneWith: zone, resultsLimit: 2, completionHandler: $0)
            }
            let next = try #require(cursor)
            let (rest, end) = try await result {
                database.fetch(withCursor: next, resultsLimit: 2, completionHandler: $0)
            }
            #expect(first.count == 2 && rest.count == 1 && end == nil)
        }

        @Test("Zones")
        func zones() async throws {
            let other = CKRecordZone(zoneName: "Other")
            let saved: CKRecordZone = try await outcome { database.save(other, completionHandler: $0) }
            #expect(saved.zoneID == other.zoneID && saved.share == nil && saved.encryptionScope == .perRecord)
            let found: CKRecordZone = try await outcome {
                database.fetch(withRecordZoneID: other.zoneID, completionHandler: $0)
            }
            #expect(found.zoneID == other.zoneID)
            let all: [CKRecordZone] = try await outcome { database.fetchAllRecordZones(completionHandler: $0) }
            #expect(all.contains { $0.zoneID.zoneName == CKRecordZone.ID.defaultZoneName } && all.count == 3)
            let some = try await result { database.fetch(withRecordZoneIDs: [zone], completionHandler: $0) }
            #expect(some[zone]?.isSuccess == true)
            let (made, deleted) = try await result {
                database.modifyRecordZones(
                    saving: [CKRecordZone(zoneName: "Third")], deleting: [zone], completionHandler: $0)
            }
            #expect(made.count == 1 && deleted[zone]?.isSuccess == true)
            let gone: CKRecordZone.ID = try await outcome {
                database.delete(withRecordZoneID: other.zoneID, completionHandler: $0)
            }
            #expect(gone == other.zoneID)
        }

        @Test("Subscriptions")
        func subscriptions() async throws {
            let subscription = CKDatabaseSubscription(subscriptionID: "d")
            let id: CKSubscription.ID = subscription.subscriptionID
            let saved: CKSubscription = try await outcome { database.save(subscription, completionHandler: $0) }
            #expect(saved.subscriptionID == id)
            let found: CKSubscription = try await outcome {
                database.fetch(withSubscriptionID: id, completionHandler: $0)
            }
            #expect(found is CKDatabaseSubscription)
            let all: [CKSubscription] = try await outcome { database.fetchAllSubscriptions(completionHandler: $0) }
            #expect(all.map(\.subscriptionID) == [id])
            let some = try await result { database.fetch(withSubscriptionIDs: [id], completionHandler: $0) }
            #expect(some[id]?.isSuccess == true)
            let (made, deleted) = try await result {
                database.modifySubscriptions(
                    saving: [CKRecordZoneSubscription(zoneID: zone, subscriptionID: "z")], deleting: [id],
                    completionHandler: $0)
            }
            #expect(made["z"]?.isSuccess == true && deleted[id]?.isSuccess == true)
            let gone: String = try await outcome { database.delete(withSubscriptionID: "z", completionHandler: $0) }
            #expect(gone == "z")
        }

        @Test("Changes of the database and of a zone")
        func changes() async throws {
            try await database.save(note("a", in: zone))
            let (changed, deleted, token, more) = try await result {
                database.fetchDatabaseChanges(since: nil, completionHandler: $0)
            }
            #expect(changed.map(\.zoneID) == [zone] && deleted.isEmpty && !more)
            let records = try await result {
                database.fetchRecordZoneChanges(inZoneWith: zone, since: nil, completionHandler: $0)
            }
            #expect(records.modificationResultsByID.count == 1 && records.deletions.isEmpty && !records.moreComing)
            let later = try await result { database.fetchDatabaseChanges(since: token, completionHandler: $0) }
            #expect(later.modifications.isEmpty && later.changeToken == token)
        }
    }
}
