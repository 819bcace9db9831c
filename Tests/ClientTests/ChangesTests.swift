import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// Feeds of databases and of zones.
    @Suite("13.5 Change fetching") struct ChangesTests {
        let cloud: Cloud
        let database: CKDatabase

        init() throws {
            cloud = try Cloud()
            database = try cloud.device().privateCloudDatabase
        }

        @Test("Changed zones are fetched first, then the changes of each; tokens mark where to continue (S1-17)")
        func twoLevels() async throws {
            let (one, other) = (try await database.makeZone("One"), try await database.makeZone("Other"))
            try await database.save(note("a", in: one))
            let start = try await database.databaseChanges(since: nil)
            #expect(Set(start.modifications.map(\.zoneID)) == [one, other] && !start.moreComing)
            let records = try await database.recordZoneChanges(inZoneWith: one, since: nil)
            #expect(records.modificationResultsByID.count == 1 && records.deletions.isEmpty)

            try await database.save(note("b", in: other))
            let next = try await database.databaseChanges(since: start.changeToken)
            #expect(next.modifications.map(\.zoneID) == [other] && next.deletions.isEmpty)
            #expect(try await database.databaseChanges(since: next.changeToken).modifications.isEmpty)
        }

        @Test(
            "A zone's feed has each record once, in its latest state, deletions with their type, and one's own changes")
        func latest() async throws {
            let zone = try await database.makeZone("Notes")
            let (a, b) = (note("a", in: zone), note("b", in: zone))
            try await database.modifyRecords(saving: [a, b], deleting: [])
            let start = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
            a["text"] = "1"
            try await database.save(a)
            a["text"] = "2"
            try await database.save(a)
            try await database.deleteRecord(withID: b.recordID)
            let changes = try await database.recordZoneChanges(inZoneWith: zone, since: start.changeToken)
            #expect(Set(changes.modificationResultsByID.keys) == [a.recordID])
            let record = try changes.modificationResultsByID[a.recordID]?.get().record
            #expect(record?["text"] == "2" && record?.recordChangeTag == a.recordChangeTag)
            #expect(changes.deletions.map(\.recordID) == [b.recordID] && changes.deletions[0].recordType == "Note")
        }

        @Test(
            "resultsLimit sets the page size; desiredKeys yields partial records, and saving one keeps the other fields"
        )
        func pages() async throws {
            let zone = try await database.makeZone("Notes")
            for index in 0..<5 {
                let record = note("n\(index)", in: zone)
                record["count"] = index
                try await database.save(record)
            }
            var (token, seen, pages): (CKServerChangeToken?, [CKRecord], Int) = (nil, [], 0)
            repeat {
                let page = try await database.recordZoneChanges(
                    inZoneWith: zone, since: token, desiredKeys: ["count"], resultsLimit: 2)
                seen += try page.modificationResultsByID.values.map { try $0.get().record }
                (token, pages) = (page.changeToken, pages + 1)
                if !page.moreComing { break }
            } while true
            #expect(pages == 3 && seen.count == 5)
            #expect(seen.allSatisfy { $0.allKeys() == ["count"] })
            let partial = try #require(seen.first)
            partial["count"] = 100
            try await database.save(partial)
            #expect(try await database.record(for: partial.recordID)["text"] == "x")
        }

        @Test(
            "The operation fetches all pages, with tokens between them and a result for each zone, in Apple's order (S1-20)"
        )
        func operation() async throws {
            let (zone, empty) = (try await database.makeZone("Notes"), try await database.makeZone("Empty"))
            let records = (0..<5).map { note("n\($0)", in: zone) }
            try await database.modifyRecords(saving: records, deleting: [])
            let calls = Calls()
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [zone, empty, CKRecordZone.ID(zoneName: "Nowhere")],
                configurationsByRecordZoneID: [zone: .init(resultsLimit: 2)])
            operation.recordWasChangedBlock = { _, _ in calls.add("record") }
            operation.recordZoneChangeTokensUpdatedBlock = { zone, token, _ in
                calls.add("\(zone.zoneName) token \(token != nil)")
            }
            operation.recordZoneFetchResultBlock = { zone, result in
                let coming = (try? result.get().moreComing).map { " \($0)" } ?? ""
                calls.add("\(zone.zoneName) \(code(result).map { "\($0)" } ?? "ended")\(coming)")
            }
            operation.fetchRecordZoneChangesResultBlock = { calls.add("result \($0.isSuccess)") }
            await database.finish(operation)
            #expect(
                calls.list == [
                    "record", "record", "Notes token true", "Empty ended false", "Nowhere zoneNotFound", "record",
                    "record", "Notes token true", "record", "Notes ended false", "result true",
                ], "\(calls.list)")
        }

        @Test(
            "With fetchAllChanges false it fetches one page and reports whether more is coming, and a program can continue (S1-20)"
        )
        func onePage() async throws {
            let zone = try await database.makeZone("Notes")
            try await database.modifyRecords(saving: (0..<5).map { note("n\($0)", in: zone) }, deleting: [])
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [zone], configurationsByRecordZoneID: [zone: .init(resultsLimit: 2)])
            operation.fetchAllChanges = false
            let calls = Calls()
            operation.recordZoneChangeTokensUpdatedBlock = { _, _, _ in calls.add("token") }
            operation.recordZoneFetchResultBlock = { _, result in
                calls.add("more \((try? result.get().moreComing) == true)")
            }
            await database.finish(operation)
            #expect(calls.list == ["more true"])
            var (token, pages) = (CKServerChangeToken?.none, [Int]())
            repeat {
                let page = try await database.recordZoneChanges(inZoneWith: zone, since: token, resultsLimit: 2)
                pages.append(page.modificationResultsByID.count)
                token = page.moreComing ? page.changeToken : nil
            } while token != nil
            #expect(pages == [2, 2, 1])
        }

        @Test(
            "A zone that is created again is a new zone: old tokens are changeTokenExpired, and its deletion is reported"
        )
        func madeAgain() async throws {
            let zone = try await database.makeZone("Notes")
            try await database.save(note("a", in: zone))
            let start = try await database.databaseChanges(since: nil)
            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
            try await database.deleteRecordZone(withID: zone)
            let changes = try await database.databaseChanges(since: start.changeToken)
            #expect(changes.deletions.map(\.zoneID) == [zone] && changes.deletions[0].reason == .deleted)
            #expect(
                await code { _ = try await database.recordZoneChanges(inZoneWith: zone, since: token) }
                    == .zoneNotFound)
            try await database.makeZone("Notes")
            #expect(
                await code { _ = try await database.recordZoneChanges(inZoneWith: zone, since: token) }
                    == .changeTokenExpired)
        }

        @Test("Tokens of another zone, another person or the database are rejected")
        func foreignTokens() async throws {
            let (one, other) = (try await database.makeZone("One"), try await database.makeZone("Other"))
            let token = try await database.recordZoneChanges(inZoneWith: one, since: nil).changeToken
            #expect(
                await code { _ = try await database.recordZoneChanges(inZoneWith: other, since: token) }
                    == .changeTokenExpired)
            let eve = try cloud.device("eve@example.org").privateCloudDatabase
            try await eve.makeZone("One")
            #expect(
                await code { _ = try await eve.recordZoneChanges(inZoneWith: one, since: token) }
                    == .changeTokenExpired)
            #expect(await code { _ = try await database.databaseChanges(since: token) } == .invalidArguments)
        }

        @Test("The database's operation reports changed and deleted zones, then one token")
        func databaseOperation() async throws {
            let (one, other) = (try await database.makeZone("One"), try await database.makeZone("Other"))
            let start = try await database.databaseChanges(since: nil).changeToken
            try await database.save(note("a", in: one))
            try await database.deleteRecordZone(withID: other)
            let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: start)
            let calls = Calls()
            operation.recordZoneWithIDChangedBlock = { calls.add("changed \($0.zoneName)") }
            operation.recordZoneWithIDWasDeletedBlock = { calls.add("deleted \($0.zoneName)") }
            operation.changeTokenUpdatedBlock = { _ in calls.add("token") }
            operation.fetchDatabaseChangesResultBlock = { calls.add("result \((try? $0.get().moreComing) == false)") }
            await database.finish(operation)
            #expect(calls.list == ["changed One", "deleted Other", "result true"], "\(calls.list)")

            let paged = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
            paged.resultsLimit = 1
            let pages = Calls()
            for name in ["A", "B"] { try await database.makeZone(name) }
            paged.recordZoneWithIDChangedBlock = { _ in pages.add("zone") }
            paged.changeTokenUpdatedBlock = { _ in pages.add("token") }
            await database.finish(paged)
            #expect(pages.list == ["zone", "token", "zone", "token", "zone"], "\(pages.list)")
        }

        @Test("Tokens are opaque: an archived token continues where it was taken (S1-21)")
        func archives() async throws {
            let zone = try await database.makeZone("Notes")
            try await database.save(note("a", in: zone))
            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
            let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
            let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data)
            #expect(copy == token)
            try await database.save(note("b", in: zone))
            let changes = try await database.recordZoneChanges(inZoneWith: zone, since: copy)
            #expect(changes.modificationResultsByID.keys.map(\.recordName) == ["b"])
        }
    }
}
