import CloudKit
import Foundation
import NephosTesting
import Testing

extension ClientTests {
    /// Three people: one shares, one takes part, and one does not.
    @Suite("13.9 Sharing") struct SharingTests {
        private let owner, friend, third: CKContainer
        private let zone: CKRecordZone.ID

        init() async throws {
            let cloud = try Cloud(
                schema: """
                    RECORD TYPE Note (
                        "___recordID" REFERENCE QUERYABLE, text STRING, title STRING,
                        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world");
                    """)
            (owner, friend) = (try cloud.device(), try cloud.device("grace@example.org"))
            third = try cloud.device("alan@example.org")
            zone = try await owner.privateCloudDatabase.makeZone("FavZone")
        }

        /// A root with a child, and another record.
        private func tree() async throws -> (root: CKRecord, child: CKRecord) {
            let (root, child, other) = (note("root", in: zone), note("child", in: zone), note("other", in: zone))
            child.setParent(root)
            _ = try await owner.privateCloudDatabase.modifyRecords(saving: [root, child, other], deleting: [])
            return (root, child)
        }

        /// Shares a record with the friend. - Returns: The share as it was saved.
        private func share(
            _ root: CKRecord, permission: CKShare.ParticipantPermission = .readWrite
        ) async throws -> CKShare {
            let share = CKShare(rootRecord: root)
            let participant = try await owner.shareParticipant(forUserRecordID: try await friend.userRecordID())
            participant.permission = permission
            share.addParticipant(participant)
            let (saved, _) = try await owner.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
            for result in saved.values { _ = try result.get() }
            return share
        }

        /// The zone as others name it.
        private func shared(_ metadata: CKShare.Metadata) throws -> CKRecordZone.ID {
            let owner = try #require(metadata.ownerIdentity.userRecordID?.recordName)
            return CKRecordZone.ID(zoneName: zone.zoneName, ownerName: owner)
        }

        private func names(_ database: CKDatabase, _ zone: CKRecordZone.ID) async throws -> Set<String> {
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "TRUEPREDICATE"))
            let found = try await database.records(matching: query, inZoneWith: zone).matchResults
            return Set(found.map(\.0.recordName))
        }

        private func failure(_ body: () async throws -> Void) async -> CKError? {
            do {
                try await body()
                return nil
            } catch {
                return error as? CKError
            }
        }

        @Test(
            "The saved object has url, owner and participants; who is named accepts by the URL and sees what is below, and others nothing (S0-3, S0-6, S1-4, S1-31, S3-14, S3-15, S3-21, S3-22, S3-23)"
        )
        func joining() async throws {
            let (root, child) = try await tree()
            let share = try await share(root)
            let url = try #require(share.url)
            #expect(url.absoluteString.contains("/share/") && share.recordChangeTag != nil)
            #expect(
                share.owner.role == .owner
                    && share.owner.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)
            #expect(share.currentUserParticipant?.role == .owner && share.publicPermission == .none)
            #expect(share.participants.map(\.acceptanceStatus) == [.accepted, .pending])
            #expect(root.share?.recordID == share.recordID)
            let fetched = try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare
            #expect(fetched?.url == url && fetched?.participants == share.participants)

            let metadata = try await friend.shareMetadata(for: url)
            #expect(metadata.participantStatus == .pending && metadata.participantRole == .privateUser)
            #expect(
                metadata.participantPermission == .readWrite
                    && metadata.containerIdentifier == owner.containerIdentifier)
            #expect(metadata.hierarchicalRootRecordID?.recordName == "root" && metadata.rootRecord == nil)
            let there = try shared(metadata)
            #expect(await code { _ = try await names(friend.sharedCloudDatabase, there) } == .zoneNotFound)
            let accepted = try await friend.accept(metadata)
            #expect(accepted.currentUserParticipant?.acceptanceStatus == .accepted)
            #expect(accepted.owner.userIdentity.userRecordID?.recordName == there.ownerName)
            #expect(try await names(friend.sharedCloudDatabase, there) == ["root", "child"])
            #expect(try await friend.shareMetadata(for: url).participantStatus == .accepted)
            #expect(try await friend.sharedCloudDatabase.allRecordZones().map(\.zoneID) == [there])

            #expect(await code { _ = try await third.shareMetadata(for: url) } == .unknownItem)
            #expect(await code { _ = try await third.accept(metadata) } == .permissionFailure)
            #expect(await code { _ = try await names(third.sharedCloudDatabase, there) } == .zoneNotFound)

            // What a participant writes, its owner has.
            let mine = try await friend.sharedCloudDatabase.record(
                for: CKRecord.ID(recordName: "child", zoneID: there))
            mine["title"] = "by a friend"
            try await friend.sharedCloudDatabase.save(mine)
            let own = try await owner.privateCloudDatabase.record(for: child.recordID)
            #expect(own["title"] as? String == "by a friend")
            let id = try await friend.userRecordID()
            #expect(own.lastModifiedUserRecordID == id)
        }

        @Test("The owner takes access back, and a participant leaves")
        func ending() async throws {
            let (root, _) = try await tree()
            let share = try await share(root, permission: .readOnly)
            let url = try #require(share.url)
            let metadata = try await friend.shareMetadata(for: url)
            let there = try shared(metadata)
            let accepted = try await friend.accept(metadata)
            let record = try await friend.sharedCloudDatabase.record(
                for: CKRecord.ID(recordName: "root", zoneID: there))
            record["title"] = "x"
            #expect(await code { try await friend.sharedCloudDatabase.save(record) } == .permissionFailure)
            // The acceptance has changed the share.
            let error = await failure { try await owner.privateCloudDatabase.save(share) }
            #expect(error?.code == .serverRecordChanged)
            #expect((error?.serverRecord as? CKShare)?.participants.last?.acceptanceStatus == .accepted)
            #expect(error?.sharedRecord?.recordID == root.recordID)
            let current = try #require(try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            try await friend.sharedCloudDatabase.deleteRecord(withID: accepted.recordID)
            #expect(await code { _ = try await names(friend.sharedCloudDatabase, there) } == .zoneNotFound)
            #expect(await code { try await owner.privateCloudDatabase.save(current) } == .serverRecordChanged)
            let later = try #require(try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            #expect(later.participants.count == 1)
            let again = try await owner.shareParticipant(forEmailAddress: "alan@example.org")
            later.addParticipant(again)
            try await owner.privateCloudDatabase.save(later)
            #expect(later.participants.last?.userIdentity.lookupInfo?.emailAddress == "alan@example.org")
            _ = try await third.accept(try await third.shareMetadata(for: url))
            #expect(try await names(third.sharedCloudDatabase, there) == ["root", "child"])
            try await owner.privateCloudDatabase.deleteRecord(withID: share.recordID)
            #expect(await code { _ = try await names(third.sharedCloudDatabase, there) } == .zoneNotFound)
        }

        @Test("A zone is shared as a whole; changes are followed as in one's own database (S1-18)")
        func zones() async throws {
            _ = try await tree()
            let share = CKShare(recordZoneID: zone)
            share.publicPermission = .readWrite
            share[CKShare.SystemFieldKey.title] = "Favorites"
            try await owner.privateCloudDatabase.save(share)
            let metadata = try await third.shareMetadata(for: try #require(share.url))
            #expect(metadata.hierarchicalRootRecordID == nil && metadata.participantRole == .publicUser)
            #expect(metadata.share[CKShare.SystemFieldKey.title] as? String == "Favorites")
            let there = try shared(metadata)
            try await third.accept(metadata)
            let database = third.sharedCloudDatabase
            let changes = try await database.databaseChanges(since: nil)
            #expect(changes.modifications.map(\.zoneID) == [there])
            let first = try await database.recordZoneChanges(inZoneWith: there, since: nil)
            #expect(
                Set(first.modificationResultsByID.keys.map(\.recordName)) == [
                    "root", "child", "other", "cloudkit.zoneshare",
                ])
            try await owner.privateCloudDatabase.deleteRecord(withID: CKRecord.ID(recordName: "other", zoneID: zone))
            try await database.save(note("new", in: there))
            let second = try await database.recordZoneChanges(inZoneWith: there, since: first.changeToken)
            #expect(second.deletions.map(\.recordID.recordName) == ["other"])
            #expect(second.modificationResultsByID.keys.map(\.recordName) == ["new"])
            #expect(
                try await owner.privateCloudDatabase.record(for: CKRecord.ID(recordName: "new", zoneID: zone))
                    .recordType == "Note")
        }

        @Test("Files of shared records, and subscriptions to what is shared, work as in one's own database (S1-8)")
        func filesAndSubscriptions() async throws {
            let folder = try TemporaryFolder()
            func file(_ content: String) throws -> CKAsset {
                let url = URL(filePath: folder.path).appending(path: "\(content).txt")
                try Data(content.utf8).write(to: url)
                return CKAsset(fileURL: url)
            }
            func content(_ record: CKRecord) throws -> String {
                let url = try #require((record["file"] as? CKAsset)?.fileURL)
                return String(decoding: try Data(contentsOf: url), as: UTF8.self)
            }
            let (root, child) = try await tree()
            child["file"] = try file("of the owner")
            try await owner.privateCloudDatabase.save(child)
            let share = try await share(root)
            let metadata = try await friend.shareMetadata(for: try #require(share.url))
            try await friend.accept(metadata)
            let id = CKRecord.ID(recordName: "child", zoneID: try shared(metadata))
            let theirs = try await friend.sharedCloudDatabase.record(for: id)
            #expect(try content(theirs) == "of the owner")
            theirs["file"] = try file("of a friend")
            try await friend.sharedCloudDatabase.save(theirs)
            #expect(try content(try await owner.privateCloudDatabase.record(for: child.recordID)) == "of a friend")
            #expect(try content(try await friend.sharedCloudDatabase.record(for: id)) == "of a friend")

            let subscription = CKDatabaseSubscription(subscriptionID: "what others share")
            try await friend.sharedCloudDatabase.save(subscription)
            let found = try await friend.sharedCloudDatabase.allSubscriptions()
            #expect(found.map(\.subscriptionID) == ["what others share"] && found[0] is CKDatabaseSubscription)
            #expect(try await friend.privateCloudDatabase.allSubscriptions().isEmpty)
            try await friend.sharedCloudDatabase.deleteSubscription(withID: "what others share")
            #expect(try await friend.sharedCloudDatabase.allSubscriptions().isEmpty)
        }

        @Test("Errors are those of Apple's framework")
        func errors() async throws {
            let (root, child) = try await tree()
            let share = try await share(root)
            let database = owner.privateCloudDatabase
            func failure(_ share: CKShare, _ record: CKRecord) async throws -> CKError.Code? {
                let saved = try await database.modifyRecords(saving: [record, share], deleting: [], atomically: false)
                return code(saved.saveResults[share.recordID])
            }
            let fresh = try await database.record(for: child.recordID)
            #expect(try await failure(CKShare(rootRecord: fresh), fresh) == .alreadyShared)
            // A program that does not know of the share yet.
            let second = CKShare(rootRecord: note("root", in: zone))
            let twice = await self.failure { try await database.save(second) }
            #expect(twice?.code == .alreadyShared && twice?.serverRecord?.recordID == share.recordID, "\(twice as Any)")
            let many = CKShare(rootRecord: note("lone", in: zone))
            for number in 0..<100 {
                let name = "_" + String(repeating: "0", count: 29) + String(100 + number)
                many.addParticipant(try await owner.shareParticipant(forUserRecordID: CKRecord.ID(recordName: name)))
            }
            #expect(try await failure(many, note("lone", in: zone)) == .tooManyParticipants)
            let nowhere = try #require(URL(string: "https://example.org/share/none"))
            let results = try await owner.shareMetadatas(for: [nowhere, try #require(share.url)])
            #expect(code(results[nowhere]) == .unknownItem)
            #expect(try results[try #require(share.url)]?.get().participantRole == .owner)
            let inDefault = note("d", in: .default)
            let lone = CKShare(rootRecord: inDefault)
            let refused = try await database.modifyRecords(saving: [inDefault, lone], deleting: [])
            #expect(code(refused.saveResults[lone.recordID]) == .invalidArguments)
        }
    }
}
