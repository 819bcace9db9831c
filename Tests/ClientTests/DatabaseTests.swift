import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// The capabilities of each of the three databases.
    @Suite("13.4 Zones and databases") struct DatabaseTests {
        let cloud: Cloud
        let container: CKContainer

        init() throws {
            cloud = try Cloud(
                schema: """
                    RECORD TYPE News (text STRING QUERYABLE SORTABLE, "___recordID" REFERENCE QUERYABLE,
                    GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world");
                    """)
            container = try cloud.device()
        }

        private func news(_ text: String) -> CKRecord {
            let record = CKRecord(recordType: "News")
            record["text"] = text
            return record
        }

        @Test("Without an account public is readable, and everything else is notAuthenticated")
        func nobody() async throws {
            let item = try await container.publicCloudDatabase.save(news("hello"))
            let app = try cloud.device(nil)
            #expect(try await app.publicCloudDatabase.record(for: item.recordID)["text"] == "hello")
            let query = CKQuery(recordType: "News", predicate: NSPredicate(value: true))
            #expect(try await app.publicCloudDatabase.records(matching: query).matchResults.count == 1)
            #expect(await code { try await app.publicCloudDatabase.save(news("x")) } == .notAuthenticated)
            #expect(await code { try await app.privateCloudDatabase.save(news("x")) } == .notAuthenticated)
            #expect(await code { _ = try await app.privateCloudDatabase.allRecordZones() } == .notAuthenticated)
            #expect(
                await code { _ = try await app.sharedCloudDatabase.databaseChanges(since: nil) } == .notAuthenticated)
        }

        @Test("A record saved to public is readable by everybody and writable by its creator only (S3-11)")
        func roles() async throws {
            let item = try await container.publicCloudDatabase.save(news("mine"))
            let other = try cloud.device("eve@example.org").publicCloudDatabase
            let copy = try await other.record(for: item.recordID)
            #expect(copy["text"] == "mine")
            #expect(copy.creatorUserRecordID?.recordName.hasPrefix("_") == true)
            #expect(copy.creatorUserRecordID?.recordName != CKCurrentUserDefaultName)
            copy["text"] = "theirs"
            #expect(await code { try await other.save(copy) } == .permissionFailure)
            #expect(await code { try await other.deleteRecord(withID: item.recordID) } == .permissionFailure)
        }

        @Test("Public has one zone, no feed and no encrypted fields")
        func publicLimits() async throws {
            let database = container.publicCloudDatabase
            let zone = CKRecordZone(zoneName: "Mine")
            #expect(await code { try await database.save(zone) } == .badDatabase)
            #expect(await code { try await database.deleteRecordZone(withID: .default) } == .badDatabase)
            #expect(await code { _ = try await database.databaseChanges(since: nil) } == .invalidArguments)
            #expect(
                await code { _ = try await database.recordZoneChanges(inZoneWith: .default, since: nil) }
                    == .invalidArguments)
            let record = news("x")
            record.encryptedValues["secret"] = "s"
            #expect(await code { try await database.save(record) } == .invalidArguments)
        }

        @Test(
            "Private: a zone is created, twice without harm, a record is saved into it, and both are deleted (S3-12, S3-13)"
        )
        func zones() async throws {
            let database = container.privateCloudDatabase
            let zone = try await database.save(CKRecordZone(zoneName: "Notes"))
            #expect(zone.capabilities == [.fetchChanges, .atomic, .sharing, .zoneWideSharing])
            #expect(zone.zoneID.ownerName == CKCurrentUserDefaultName)
            let found = try await database.recordZone(for: zone.zoneID)
            #expect(found.zoneID == zone.zoneID && found.capabilities == zone.capabilities)
            #expect(try await database.recordZone(for: .default).capabilities == [])
            #expect(try await database.allRecordZones().map(\.zoneID.zoneName) == ["Notes", "_defaultZone"])

            // 13.13 (11): saving an existing zone keeps its records.
            let record = try await database.save(note("a", in: zone.zoneID))
            try await database.save(CKRecordZone(zoneID: zone.zoneID))
            #expect(try await database.record(for: record.recordID)["text"] == "x")

            #expect(try await database.deleteRecordZone(withID: zone.zoneID) == zone.zoneID)
            #expect(await code { _ = try await database.record(for: record.recordID) } == .zoneNotFound)
            #expect(await code { _ = try await database.recordZone(for: zone.zoneID) } == .zoneNotFound)
            #expect(await code { try await database.deleteRecordZone(withID: zone.zoneID) } == .zoneNotFound)
            #expect(await code { try await database.deleteRecordZone(withID: .default) } == .invalidArguments)
        }

        @Test("Several zones in one call, each with a result of its own")
        func severalZones() async throws {
            let database = container.privateCloudDatabase
            let zones = [CKRecordZone(zoneName: "A"), CKRecordZone(zoneName: "B")]
            let nowhere = CKRecordZone.ID(zoneName: "Nowhere")
            let (saved, deleted) = try await database.modifyRecordZones(saving: zones, deleting: [nowhere])
            #expect(saved.values.allSatisfy { code($0) == nil } && code(deleted[nowhere]) == .zoneNotFound)
            let found = try await database.recordZones(for: zones.map(\.zoneID) + [nowhere])
            #expect(found.count == 3 && code(found[nowhere]) == .zoneNotFound && code(found[zones[0].zoneID]) == nil)
        }

        @Test("Each person has their own private database")
        func apart() async throws {
            let record = try await container.privateCloudDatabase.save(note("a"))
            let other = try cloud.device("eve@example.org").privateCloudDatabase
            #expect(await code { _ = try await other.record(for: record.recordID) } == .unknownItem)
        }

        @Test("Shared: zones cannot be created, and a query needs one")
        func shared() async throws {
            let database = container.sharedCloudDatabase
            #expect(try await database.allRecordZones().isEmpty)
            #expect(await code { try await database.save(CKRecordZone(zoneName: "Mine")) } == .badDatabase)
            let query = CKQuery(recordType: "News", predicate: NSPredicate(value: true))
            #expect(await code { _ = try await database.records(matching: query) } == .invalidArguments)
        }

        @Test("Encryption by zone is rejected rather than ignored")
        func encryptionScope() async throws {
            let zone = CKRecordZone(zoneName: "Secret")
            zone.encryptionScope = .perZone
            #expect(await code { try await container.privateCloudDatabase.save(zone) } == .invalidArguments)
        }
    }
}
