import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// Limits (docs/protocol.md, "Limits").
    @Suite("13.7 Limits") struct LimitTests {
        let database: CKDatabase

        init() throws { database = try Cloud().device().privateCloudDatabase }

        @Test("200 records, zones or subscriptions are accepted, 201 are limitExceeded; a page has at most 200")
        func items() async throws {
            let zone = try await database.makeZone("Notes")
            let records = (0..<200).map { note("n\($0)", in: zone) }
            let saved = try await database.modifyRecords(saving: records, deleting: []).saveResults
            #expect(saved.count == 200 && saved.values.allSatisfy { $0.isSuccess })
            #expect(try await database.records(for: records.map(\.recordID)).count == 200)
            try await database.save(note("last", in: zone))
            let page = try await database.recordZoneChanges(inZoneWith: zone, since: nil, resultsLimit: 1_000)
            #expect(page.modificationResultsByID.count == 200 && page.moreComing)
            let zones = (0..<201).map { CKRecordZone(zoneName: "z\($0)") }
            #expect(await code { try await database.modifyRecordZones(saving: zones, deleting: []) } == .limitExceeded)
            #expect(await code { try await database.recordZones(for: zones.map(\.zoneID)) } == .limitExceeded)
            let subscriptions = (0..<201).map { CKDatabaseSubscription(subscriptionID: "s\($0)") }
            #expect(
                await code { try await database.modifySubscriptions(saving: subscriptions, deleting: []) }
                    == .limitExceeded)
            #expect(
                await code { try await database.subscriptions(for: subscriptions.map(\.subscriptionID)) }
                    == .limitExceeded)
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
