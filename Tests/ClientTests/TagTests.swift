import CloudKit
import Foundation
import NephosTesting
import Testing

extension ClientTests {
    /// The effect of a save on the server's data: change tags and policies.
    @Suite("13.1 Change tags and save policies") struct TagTests {
        let cloud: Cloud
        let database: CKDatabase
        let zone: CKRecordZone.ID

        init() async throws {
            cloud = try Cloud()
            database = try cloud.device().privateCloudDatabase
            zone = try await database.makeZone("Notes")
        }

        @Test("Without a stored record and a tag, the record is created, and the saved object has what the server set")
        func creates() async throws {
            let record = note("A", in: zone)
            let before = Date()
            let saved = try await database.save(record)
            #expect(saved === record)
            #expect(record.recordChangeTag != nil && record.changedKeys().isEmpty)
            #expect(record.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
            #expect(record.lastModifiedUserRecordID?.recordName == CKCurrentUserDefaultName)
            let created = try #require(record.creationDate)
            #expect(abs(created.timeIntervalSince(before)) < Double(Patience.seconds))
            #expect(record.modificationDate == created)
            let fetched = try await database.record(for: record.recordID)
            #expect(fetched["text"] == "x" && fetched.recordChangeTag == record.recordChangeTag)
            #expect(fetched.recordID.zoneID == zone && fetched.recordID.zoneID.ownerName == CKCurrentUserDefaultName)
        }

        @Test("With equal tags changed fields are merged, other fields stay, and the tag is a new one")
        func updates() async throws {
            let record = note("A", in: zone)
            record["count"] = 1
            try await database.save(record)
            let tag = record.recordChangeTag
            let other = try await database.record(for: record.recordID)
            other["count"] = 2
            try await database.save(other)
            #expect(other.recordChangeTag != tag)
            let fetched = try await database.record(for: record.recordID)
            #expect(fetched["text"] == "x" && fetched["count"] == 2)
            #expect(fetched.creationDate == record.creationDate)
        }

        @Test("With different tags: serverRecordChanged with the three records; saving the server's record works")
        func conflicts() async throws {
            let mine = note("A", in: zone)
            try await database.save(mine)
            let theirs = try await database.record(for: mine.recordID)
            theirs["text"] = "theirs"
            try await database.save(theirs)
            mine["text"] = "mine"
            do {
                try await database.save(mine)
                Issue.record("a conflict was not found")
            } catch let error as CKError {
                #expect(error.code == .serverRecordChanged)
                #expect(error.clientRecord === mine && error.clientRecord?["text"] == "mine")
                #expect(error.ancestorRecord?["text"] == "x")
                let server = try #require(error.serverRecord)
                #expect(server["text"] == "theirs" && server.recordChangeTag == theirs.recordChangeTag)
                server["text"] = "merged"
                try await database.save(server)
            }
            let fetched = try await database.record(for: mine.recordID)
            #expect(fetched["text"] == "merged")
            #expect(await code { try await database.save(mine) } == .serverRecordChanged)
        }

        @Test("With a stored record but no tag: serverRecordChanged")
        func untagged() async throws {
            try await database.save(note("A", in: zone))
            do {
                try await database.save(note("A", in: zone, text: "second"))
                Issue.record("a record was saved over another")
            } catch let error as CKError {
                #expect(error.code == .serverRecordChanged && error.serverRecord?["text"] == "x")
            }
        }

        @Test("With a tag but no stored record: unknownItem")
        func deletedElsewhere() async throws {
            let record = note("A", in: zone)
            try await database.save(record)
            try await database.deleteRecord(withID: record.recordID)
            record["text"] = "again"
            #expect(await code { try await database.save(record) } == .unknownItem)
        }

        @Test("changedKeys overwrites the set fields and keeps the rest; allKeys sends all fields; neither removes any")
        func policies() async throws {
            let record = note("A", in: zone)
            record["kept"] = 1
            try await database.save(record)
            let other = try await database.record(for: record.recordID)
            other["text"] = "other"
            other["more"] = 5
            try await database.save(other)

            record["kept"] = 2
            try await database.save(record, .changedKeys)
            var fetched = try await database.record(for: record.recordID)
            #expect(fetched["text"] == "other" && fetched["kept"] == 2 && fetched["more"] == 5)
            #expect(record["text"] == "other", "the answer of a save over others' changes shows them")

            let old = CKRecord(recordType: "Note", recordID: record.recordID)
            old["text"] = "all"
            try await database.save(old, .allKeys)
            fetched = try await database.record(for: record.recordID)
            #expect(fetched["text"] == "all" && fetched["kept"] == 2 && fetched["more"] == 5)
            old["more"] = nil
            try await database.save(old, .allKeys)
            fetched = try await database.record(for: record.recordID)
            #expect(fetched["more"] == nil && fetched["kept"] == 2)
        }

        @Test("Deleting never compares tags")
        func deletes() async throws {
            let record = note("A", in: zone)
            try await database.save(record)
            let other = try await database.record(for: record.recordID)
            other["text"] = "other"
            try await database.save(other)
            #expect(try await database.deleteRecord(withID: record.recordID) == record.recordID)
            #expect(await code { _ = try await database.record(for: record.recordID) } == .unknownItem)
        }
    }
}
