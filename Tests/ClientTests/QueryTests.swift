import CloudKit
import Foundation
import NephosTesting
import Testing

extension ClientTests {
    /// Queries as programs write them. The meaning of predicates is also tested without a server (NephosKitTests).
    @Suite("13.6 Query language") struct QueryTests {
        let cloud: Cloud
        let database: CKDatabase

        init() async throws {
            cloud = try Cloud(
                schema: TestContainer.recordType(
                    "Article",
                    [
                        "title STRING QUERYABLE SORTABLE SEARCHABLE", "count INT64 QUERYABLE SORTABLE",
                        "date TIMESTAMP QUERYABLE SORTABLE", "tags LIST<STRING> QUERYABLE",
                        "place LOCATION QUERYABLE", "owner REFERENCE QUERYABLE", "plain STRING",
                        "\"___recordID\" REFERENCE QUERYABLE", "\"___createTime\" TIMESTAMP QUERYABLE SORTABLE",
                    ]))
            database = try cloud.device().publicCloudDatabase
            let records = (0..<5).map { number in
                let record = CKRecord(recordType: "Article", recordID: CKRecord.ID(recordName: "a\(number)"))
                record["title"] = ["Red apple", "Green pear", "Red cherry", "Blue plum", "An orange"][number]
                record["count"] = number
                record["date"] = Date(timeIntervalSince1970: Double(number) * 1_000)
                record["tags"] = number.isMultiple(of: 2) ? ["even", "fruit"] : ["odd"]
                record["place"] = CLLocation(latitude: 50 + Double(number), longitude: 10)
                record["owner"] = CKRecord.Reference(
                    recordID: CKRecord.ID(recordName: "owner\(number % 2)"), action: .none)
                return record
            }
            let saved = try await database.modifyRecords(saving: records, deleting: []).saveResults
            try #require(saved.values.allSatisfy { $0.isSuccess })
        }

        private func names(_ query: CKQuery) async throws -> [String] {
            try await database.records(matching: query).matchResults.map { $0.0.recordName }
        }

        private func names(_ format: String, _ arguments: any CVarArg...) async throws -> [String] {
            let predicate = NSPredicate(format: format, argumentArray: arguments.map { $0 as Any })
            let query = CKQuery(recordType: "Article", predicate: predicate)
            query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
            return try await names(query)
        }

        @Test("Comparisons, ranges, sets, lists, prefixes, words, places, references and system fields")
        func filters() async throws {
            #expect(try await names("title == %@", "Green pear") == ["a1"])
            #expect(try await names("count >= %d AND count < %d", 1, 3) == ["a1", "a2"])
            #expect(try await names("count BETWEEN {3, 9}") == ["a3", "a4"])
            #expect(try await names("count IN %@", [0, 4]) == ["a0", "a4"])
            #expect(try await names("count != 2 AND NOT (count == 3)") == ["a0", "a1", "a4"])
            #expect(try await names("date > %@", Date(timeIntervalSince1970: 2_500) as NSDate) == ["a3", "a4"])
            #expect(try await names("tags CONTAINS %@", "even") == ["a0", "a2", "a4"])
            #expect(try await names("ANY tags == 'odd'") == ["a1", "a3"])
            #expect(try await names("title BEGINSWITH %@", "Red") == ["a0", "a2"])
            #expect(try await names("self CONTAINS %@", "red") == ["a0", "a2"])
            #expect(try await names("allTokens TOKENMATCHES[cdl] %@", "cherry") == ["a2"])
            let place = CLLocation(latitude: 50, longitude: 10)
            #expect(
                try await names("distanceToLocation:fromLocation:(place, %@) < %f", place, 150_000.0) == ["a0", "a1"])
            let owner = CKRecord.Reference(recordID: CKRecord.ID(recordName: "owner1"), action: .none)
            #expect(try await names("owner == %@", owner) == ["a1", "a3"])
            #expect(try await names("recordID == %@", CKRecord.ID(recordName: "a2")) == ["a2"])
            #expect(try await names("creationDate > %@", Date(timeIntervalSince1970: 0) as NSDate).count == 5)
            #expect(try await names("TRUEPREDICATE").count == 5)
            #expect(try await names("FALSEPREDICATE").isEmpty)
        }

        @Test("Sorted by several keys, up and down, and by distance")
        func sorts() async throws {
            let query = CKQuery(recordType: "Article", predicate: NSPredicate(value: true))
            query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: false)]
            #expect(try await names(query) == ["a4", "a3", "a2", "a1", "a0"])
            query.sortDescriptors = [
                NSSortDescriptor(key: "creationDate", ascending: true), NSSortDescriptor(key: "title", ascending: true),
            ]
            #expect(try await names(query).count == 5)
            query.sortDescriptors = [
                CKLocationSortDescriptor(key: "place", relativeLocation: CLLocation(latitude: 52, longitude: 10))
            ]
            #expect(try await names(query).first == "a2")
        }

        @Test("Pages: a limit, a cursor that can be archived, and the end; zero leaves the size to the server")
        func pages() async throws {
            let query = CKQuery(recordType: "Article", predicate: NSPredicate(value: true))
            query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
            var (matches, cursor) = try await database.records(
                matching: query, desiredKeys: ["title"], resultsLimit: 2)
            var names = matches.map { $0.0.recordName }
            #expect(matches.allSatisfy { (try? $0.1.get().allKeys()) == ["title"] })
            while let next = cursor {
                let data = try NSKeyedArchiver.archivedData(withRootObject: next, requiringSecureCoding: true)
                let copy = try #require(
                    try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQueryOperation.Cursor.self, from: data))
                #expect(copy == next)
                (matches, cursor) = try await database.records(continuingMatchFrom: copy, resultsLimit: 2)
                names += matches.map { $0.0.recordName }
            }
            #expect(names == ["a0", "a1", "a2", "a3", "a4"])
            #expect(CKQueryOperation.maximumResults == 0)
        }

        @Test("The operation calls a block for each in order, then one with the cursor")
        func operation() async throws {
            let query = CKQuery(recordType: "Article", predicate: NSPredicate(value: true))
            query.sortDescriptors = [NSSortDescriptor(key: "count", ascending: false)]
            let operation = CKQueryOperation(query: query)
            operation.resultsLimit = 2
            let calls = Calls()
            operation.recordMatchedBlock = { calls.add("\($0.recordName) \($1.isSuccess)") }
            operation.queryResultBlock = { calls.add("cursor \((try? $0.get()) != nil)") }
            await database.finish(operation)
            #expect(calls.list == ["a4 true", "a3 true", "cursor true"], "\(calls.list)")
        }

        @Test(
            "A query that CloudKit rejects is rejected before it is sent",
            arguments: [
                "count == 1 OR count == 2", "title LIKE 'a*'", "title ENDSWITH 'x'", "title ==[c] 'x'",
                "owner.name == 'x'", "count + 1 == 2", "ALL tags == 'x'", "title == nil",
            ])
        func refused(format: String) async throws {
            #expect(await code { _ = try await names(format) } == .invalidArguments)
            #expect(
                await code {
                    let query = CKQuery(recordType: "Article", predicate: NSPredicate { _, _ in true })
                    _ = try await names(query)
                } == .invalidArguments)
        }

        @Test("A field without an index is invalidArguments with the reason, and so is an unknown type")
        func indexes() async throws {
            do {
                _ = try await names("plain == 'x'")
                Issue.record("a field without an index was searched")
            } catch let error as CKError {
                #expect(error.code == .invalidArguments)
                #expect(error.localizedDescription.contains("Field 'plain' is not marked queryable"))
            }
            let query = CKQuery(recordType: "Nothing", predicate: NSPredicate(value: true))
            #expect(await code { _ = try await names(query) } == .unknownItem)
        }

        @Test("A query covers all zones, or one; querying everything in one needs an index (S3-17)")
        func zones() async throws {
            let own = try cloud.device().privateCloudDatabase
            let zone = try await own.makeZone("Mine")
            for zone in [zone, .default] {
                let record = CKRecord(recordType: "Article", recordID: CKRecord.ID(recordName: "x", zoneID: zone))
                record["count"] = 1
                try await own.save(record)
            }
            let query = CKQuery(recordType: "Article", predicate: NSPredicate(format: "count == 1"))
            #expect(try await own.records(matching: query).matchResults.count == 2)
            let inside = try await own.records(matching: query, inZoneWith: zone, resultsLimit: 10).matchResults
            #expect(inside.map(\.0.zoneID) == [zone])

            try await own.save(note("y", in: zone))
            let everything = CKQuery(recordType: "Article", predicate: NSPredicate(value: true))
            #expect(
                try await own.records(matching: everything, inZoneWith: zone).matchResults.map(\.0.zoneID) == [zone])
            let unlisted = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            let refusal = await #expect(throws: CKError.self) {
                try await own.records(matching: unlisted, inZoneWith: zone, resultsLimit: 10)
            }
            #expect(refusal?.code == .invalidArguments)
            #expect(refusal?.localizedDescription.contains("Field 'recordName' is not marked queryable") == true)
            #expect(refusal?.localizedDescription.contains(#""___recordID" REFERENCE QUERYABLE"#) == true)
        }

        @available(*, deprecated, message: "It calls old functions too.")
        @Test("The older functions return one page")
        func older() async throws {
            let query = CKQuery(recordType: "Article", predicate: NSPredicate(format: "count > 2"))
            let found: [CKRecord]? = await withCheckedContinuation { continuation in
                database.perform(query, inZoneWith: nil) { records, _ in continuation.resume(returning: records) }
            }
            #expect(found?.count == 2)
            let records: [CKRecord] = try await database.records(matching: query, inZoneWith: nil)
            #expect(records.count == 2)
            let calls = Calls()
            let operation = CKQueryOperation(query: query)
            operation.recordFetchedBlock = { _ in calls.add("record") }
            operation.queryCompletionBlock = { calls.add("\($0 == nil) \($1 == nil)") }
            await database.finish(operation)
            #expect(calls.list == ["record", "record", "true true"])
        }
    }
}
