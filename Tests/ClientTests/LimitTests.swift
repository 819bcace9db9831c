import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// Limits (docs/protocol.md, "Limits").
    @Suite("13.7 Limits") struct LimitTests {
        let database: CKDatabase

        init() throws { database = try Cloud().device().privateCloudDatabase }

        @Test("400 items can be changed in one call, 401 are limitExceeded; 200 can be fetched, and are on a page")
        func items() async throws {
            let zone = try await database.makeZone("Notes")
            let records = (0..<400).map { note("n\($0)", in: zone) }
            let saved = try await database.modifyRecords(saving: records, deleting: []).saveResults
            #expect(saved.count == 400 && saved.values.allSatisfy { $0.isSuccess })
            let ids = records.map(\.recordID)
            let one = note("one", in: zone)
            #expect(await code { try await database.modifyRecords(saving: [one], deleting: ids) } == .limitExceeded)
            #expect(try await database.records(for: Array(ids.prefix(200))).count == 200)
            #expect(await code { try await database.records(for: Array(ids.prefix(201))) } == .limitExceeded)
            let page = try await database.recordZoneChanges(inZoneWith: zone, since: nil, resultsLimit: 1_000)
            #expect(page.modificationResultsByID.count == 200 && page.moreComing)
            let zones = (0..<401).map { CKRecordZone(zoneName: "z\($0)") }
            #expect(await code { try await database.modifyRecordZones(saving: zones, deleting: []) } == .limitExceeded)
            #expect(await code { try await database.recordZones(for: zones.map(\.zoneID)) } == .limitExceeded)
            let subscriptions = (0..<401).map { CKDatabaseSubscription(subscriptionID: "s\($0)") }
            #expect(
                await code { try await database.modifySubscriptions(saving: subscriptions, deleting: []) }
                    == .limitExceeded)
            #expect(
                await code { try await database.subscriptions(for: subscriptions.map(\.subscriptionID)) }
                    == .limitExceeded)
        }

        @Test("400 changes of a zone are all saved or none: they are one request")
        func together() async throws {
            let zone = try await database.makeZone("Notes")
            let records = (0..<400).map { note("n\($0)", in: zone) }
            // Its parent does not exist.
            records[399].setParent(CKRecord.ID(recordName: "nobody", zoneID: zone))
            let failed = try await database.modifyRecords(saving: records, deleting: []).saveResults
            #expect(failed.count == 400 && failed.values.allSatisfy { !$0.isSuccess })
            #expect(code(failed[records[0].recordID]) == .batchRequestFailed)
            #expect(code(failed[records[399].recordID]) == .referenceViolation)
            records[399].parent = nil
            let saved = try await database.modifyRecords(saving: records, deleting: []).saveResults
            #expect(saved.count == 400 && saved.values.allSatisfy { $0.isSuccess })
        }

        @Test("A record has at most 1 MB without files; a longer record or request is limitExceeded")
        func sizes() async throws {
            try await database.save(note("big", text: String(repeating: "x", count: 1_000_000)))
            let tooBig = note("bigger", text: String(repeating: "x", count: 1_100_000))
            #expect(await code { try await database.save(tooBig) } == .limitExceeded)
            let many = (0..<20).map { note("m\($0)", text: String(repeating: "x", count: 900_000)) }
            #expect(await code { try await database.modifyRecords(saving: many, deleting: []) } == .limitExceeded)
            let half = Array(many.prefix(10))
            #expect(try await database.modifyRecords(saving: half, deleting: []).saveResults.count == 10)
        }

        @Test(
            "An invalid name fails its record only",
            arguments: ["", "_hidden", "a\u{1}b", String(repeating: "n", count: 256)])
        func names(name: String) async throws {
            let (bad, good) = (note(name), note("good"))
            let saved = try? await database.modifyRecords(saving: [bad, good], deleting: []).saveResults
            #expect(saved.map { code($0[bad.recordID]) == .invalidArguments } ?? true)
            #expect(await code { try await database.save(note(name)) } == .invalidArguments)
            for key in ["", "1a", "_a", "a-b", String(repeating: "k", count: 256)] {
                let record = note("r")
                record[key] = "x"
                #expect(await code { try await database.save(record) } == .invalidArguments, "\(key)")
            }
            for type in ["", "1a", "_a", "Users"] {
                #expect(await code { try await database.save(CKRecord(recordType: type)) } == .invalidArguments)
            }
        }

        @Test("A field keeps the type of its first save: a value of another type is invalidArguments")
        func types() async throws {
            try await database.save(note("a"))
            let record = CKRecord(recordType: "Note")
            record["text"] = 5
            #expect(await code { try await database.save(record) } == .invalidArguments)
            let list = CKRecord(recordType: "Note")
            list["text"] = ["a", 1] as NSArray
            #expect(await code { try await database.save(list) } == .invalidArguments)
        }
    }
}
