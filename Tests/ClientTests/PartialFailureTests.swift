import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// The effect of one failing item on the others.
    @Suite("13.2 Partial failure and atomic zones") struct PartialFailureTests {
        let cloud: Cloud
        let database: CKDatabase

        init() throws {
            cloud = try Cloud()
            database = try cloud.device().privateCloudDatabase
        }

        /// An existing record, and another object with the same name but without a tag, whose save must fail.
        private func taken(_ name: String, in zone: CKRecordZone.ID) async throws -> CKRecord {
            try await database.save(note(name, in: zone))
            return note(name, in: zone, text: "second")
        }

        @Test(
            "An atomic zone stores nothing when one record fails: that one has the reason, the others batchRequestFailed"
        )
        func atomicZone() async throws {
            let zone = try await database.makeZone("Atomic")
            let gone = note("gone", in: zone)
            try await database.save(gone)
            let (good, bad) = (note("good", in: zone), try await taken("bad", in: zone))
            let (saved, deleted) = try await database.modifyRecords(saving: [good, bad], deleting: [gone.recordID])
            #expect(code(saved[bad.recordID]) == .serverRecordChanged)
            #expect(code(saved[good.recordID]) == .batchRequestFailed)
            #expect(code(deleted[gone.recordID]) == .batchRequestFailed)
            #expect(await code { _ = try await database.record(for: good.recordID) } == .unknownItem)
            #expect(await code { _ = try await database.record(for: gone.recordID) } == nil)
            #expect(good.recordChangeTag == nil && Set(good.changedKeys()) == ["text"])
        }

        @Test("Without atomicity the valid records are saved")
        func byThemselves() async throws {
            let zone = try await database.makeZone("Single")
            let (good, bad) = (note("good", in: zone), try await taken("bad", in: zone))
            let saved = try await database.modifyRecords(saving: [good, bad], deleting: [], atomically: false)
                .saveResults
            #expect(code(saved[bad.recordID]) == .serverRecordChanged && code(saved[good.recordID]) == nil)
            #expect(try await database.record(for: good.recordID)["text"] == "x")
        }

        @Test("The default zone saves each record by itself, even when atomicity was requested")
        func defaultZone() async throws {
            let (good, bad) = (note("good"), try await taken("bad", in: .default))
            let saved = try await database.modifyRecords(saving: [good, bad], deleting: [], atomically: true)
                .saveResults
            #expect(code(saved[bad.recordID]) == .serverRecordChanged && code(saved[good.recordID]) == nil)
        }

        @Test("13.13 (5): of two zones in one atomic call, one can fail while the other is saved")
        func twoZones() async throws {
            let (one, other) = (try await database.makeZone("One"), try await database.makeZone("Other"))
            let (good, bad) = (note("good", in: one), try await taken("bad", in: other))
            let beside = note("beside", in: other)
            let saved = try await database.modifyRecords(saving: [bad, good, beside], deleting: []).saveResults
            #expect(code(saved[good.recordID]) == nil)
            #expect(code(saved[bad.recordID]) == .serverRecordChanged)
            #expect(code(saved[beside.recordID]) == .batchRequestFailed)
        }

        @Test("A missing zone fails its records only, one by one")
        func missingZone() async throws {
            let nowhere = CKRecordZone.ID(zoneName: "Nowhere")
            let (good, bad) = (note("good"), note("bad", in: nowhere))
            let (saved, deleted) = try await database.modifyRecords(
                saving: [good, bad], deleting: [CKRecord.ID(recordName: "x", zoneID: nowhere)])
            #expect(code(saved[good.recordID]) == nil && code(saved[bad.recordID]) == .zoneNotFound)
            #expect(deleted.values.allSatisfy { code($0) == .zoneNotFound })
        }

        @available(*, deprecated, message: "It sets old blocks too.")
        @Test("Older blocks get partialFailure with the errors by id, along with what was saved; newer ones succeed")
        func olderBlocks() async throws {
            let (good, bad) = (note("good"), try await taken("bad", in: .default))
            let operation = CKModifyRecordsOperation(recordsToSave: [good, bad])
            let calls = Calls()
            operation.perRecordSaveBlock = { id, _ in calls.add("new \(id.recordName)") }
            operation.perRecordCompletionBlock = { calls.add("old \($0.recordID.recordName) \($1 == nil)") }
            operation.modifyRecordsResultBlock = { calls.add("new result \($0.isSuccess)") }
            let (saved, failure) = await withCheckedContinuation { continuation in
                operation.modifyRecordsCompletionBlock = { saved, _, error in
                    continuation.resume(returning: (saved ?? [], error as? CKError))
                }
                database.add(operation)
            }
            #expect(
                calls.list == ["new good", "old good true", "new bad", "old bad false", "new result true"],
                "\(calls.list)")
            #expect(saved.map(\.recordID) == [good.recordID])
            let error = try #require(failure)
            #expect(error.code == .partialFailure && error.partialErrorsByItemID?.count == 1)
            #expect((error.partialErrorsByItemID?[bad.recordID] as? CKError)?.code == .serverRecordChanged)
            #expect((error.userInfo[CKPartialErrorsByItemIDKey] as? NSDictionary)?.count == 1)
        }

        @Test("Functions for one item throw its own error, in the older style too")
        func oneItem() async throws {
            let bad = try await taken("bad", in: .default)
            #expect(await code { try await database.save(bad) } == .serverRecordChanged)
            let error: (any Error)? = await withCheckedContinuation { continuation in
                database.save(bad) { _, error in continuation.resume(returning: error) }
            }
            #expect((error as? CKError)?.code == .serverRecordChanged)
        }

        @Test("An error that concerns all items, such as too many of them, is the operation's")
        func tooMany() async throws {
            let records = (0..<401).map { note("n\($0)") }
            #expect(await code { try await database.modifyRecords(saving: records, deleting: []) } == .limitExceeded)
            #expect(await code { _ = try await database.records(for: records.map(\.recordID)) } == .limitExceeded)
        }
    }
}
