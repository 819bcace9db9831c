import CloudKit
import Foundation
import NephosTesting
import Testing

extension ClientTests {
    /// Files of records.
    @Suite("13.8 Assets") struct AssetTests {
        let cloud: Cloud
        let container: CKContainer
        let folder: URL
        var database: CKDatabase { container.privateCloudDatabase }

        init() throws {
            cloud = try Cloud()
            container = try cloud.device()
            folder = URL(fileURLWithPath: cloud.folder.path)
        }

        private func file(_ name: String, _ bytes: Int, seed: UInt64 = 1) throws -> (URL, Data) {
            var dice = SeededGenerator(seed: seed)
            let data = Data((0..<bytes).map { _ in UInt8.random(in: 0...255, using: &dice) })
            let url = folder.appendingPathComponent(name)
            try data.write(to: url)
            return (url, data)
        }

        private func picture(_ url: URL) -> CKRecord {
            let record = CKRecord(recordType: "Picture")
            record["file"] = CKAsset(fileURL: url)
            return record
        }

        private func content(_ record: CKRecord, _ field: String = "file") throws -> Data? {
            try (record[field] as? CKAsset)?.fileURL.map { try Data(contentsOf: $0) }
        }

        @Test(
            "13.13 (12): a file is read when it is saved, and fetched into a file of its own",
            arguments: [0, 1, 100_000, 3_000_000])
        func roundTrip(bytes: Int) async throws {
            let (url, data) = try file("a", bytes)
            let record = picture(url)
            try await database.save(record)
            #expect((record["file"] as? CKAsset)?.fileURL == url)
            let fetched = try await database.record(for: record.recordID)
            let place = try #require((fetched["file"] as? CKAsset)?.fileURL)
            #expect(place != url && place.path.hasPrefix(folder.path))
            #expect(try content(fetched) == data)
            let again = try await database.record(for: record.recordID)
            #expect((again["file"] as? CKAsset)?.fileURL != place, "two fetches may be moved apart")
        }

        @Test("Progress goes up to 1 in both directions")
        func progress() async throws {
            let (url, _) = try file("a", 2_000_000)
            let record = picture(url)
            let sent = Shares()
            let save = CKModifyRecordsOperation(recordsToSave: [record])
            save.perRecordProgressBlock = { sent.add($1) }
            await database.finish(save)
            let fetch = CKFetchRecordsOperation(recordIDs: [record.recordID])
            let got = Shares()
            fetch.perRecordProgressBlock = { got.add($1) }
            await database.finish(fetch)
            for shares in [sent.list, got.list] {
                #expect(shares.last == 1 && shares.count > 1 && shares == shares.sorted(), "\(shares)")
                #expect(shares.allSatisfy { (0...1).contains($0) })
            }
        }

        @Test("A missing file is assetFileNotFound for its record, and the other records are saved")
        func missing() async throws {
            let bad = picture(folder.appendingPathComponent("none"))
            let good = note("good")
            let saved = try await database.modifyRecords(saving: [bad, good], deleting: []).saveResults
            #expect(code(saved[bad.recordID]) == .assetFileNotFound && code(saved[good.recordID]) == nil)
            #expect(
                await code { try await database.save(picture(folder)) } == .assetFileNotFound, "a folder is no file")
            let zone = try await database.makeZone("Atomic")
            let record = CKRecord(recordType: "Picture", recordID: CKRecord.ID(zoneID: zone))
            record["file"] = CKAsset(fileURL: folder.appendingPathComponent("none"))
            let beside = note("beside", in: zone)
            let atomic = try await database.modifyRecords(saving: [record, beside], deleting: []).saveResults
            #expect(code(atomic[record.recordID]) == .assetFileNotFound)
            #expect(code(atomic[beside.recordID]) == .batchRequestFailed)
        }

        @Test("A saved file is not sent again; another record gets its own copy")
        func kept() async throws {
            let (url, data) = try file("a", 10_000)
            let record = picture(url)
            try await database.save(record)
            try FileManager.default.removeItem(at: url)
            try await database.save(record, .allKeys)
            let fetched = try await database.record(for: record.recordID)
            let other = CKRecord(recordType: "Picture")
            other["file"] = fetched["file"] as? CKAsset
            try await database.save(other)
            try await database.deleteRecord(withID: record.recordID)
            #expect(try content(try await database.record(for: other.recordID)) == data)
        }

        @Test("Lists of files, and a file that replaces another")
        func lists() async throws {
            let files = try (0..<3).map { try file("f\($0)", 100, seed: UInt64($0)) }
            let record = CKRecord(recordType: "Picture")
            record["files"] = files.map { CKAsset(fileURL: $0.0) }
            try await database.save(record)
            var fetched = try await database.record(for: record.recordID)
            let assets = try #require(fetched["files"] as? [CKAsset])
            #expect(try assets.map { try $0.fileURL.map { try Data(contentsOf: $0) } } == files.map(\.1))
            fetched["files"] = [CKAsset(fileURL: files[2].0)]
            try await database.save(fetched)
            fetched = try await database.record(for: record.recordID)
            #expect((fetched["files"] as? [CKAsset])?.count == 1)
            fetched["files"] = nil
            try await database.save(fetched)
            #expect(try await database.record(for: record.recordID)["files"] == nil)
        }

        @Test("desiredKeys without the field fetch no file; queries and feeds fetch files")
        func desiredKeys() async throws {
            let zone = try await database.makeZone("Pictures")
            let (url, data) = try file("a", 1_000)
            let record = CKRecord(recordType: "Picture", recordID: CKRecord.ID(zoneID: zone))
            record["file"] = CKAsset(fileURL: url)
            record["name"] = "a"
            try await database.save(record)
            let partial = try await database.records(for: [record.recordID], desiredKeys: ["name"])
            #expect(try partial[record.recordID]?.get().allKeys() == ["name"])
            let changes = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
            #expect(try content(try #require(changes.modificationResultsByID[record.recordID]).get().record) == data)
        }

        @Test("The server's record of a conflict has no local file; saving it keeps the file")
        func conflicts() async throws {
            let (url, data) = try file("a", 1_000)
            let record = picture(url)
            try await database.save(record)
            let other = try await database.record(for: record.recordID)
            other["name"] = "other"
            try await database.save(other)
            record["name"] = "mine"
            do {
                try await database.save(record)
                Issue.record("a conflict was not found")
            } catch let error as CKError {
                let server = try #require(error.serverRecord)
                #expect((server["file"] as? CKAsset)?.fileURL == nil)
                server["name"] = "merged"
                try await database.save(server)
            }
            let fetched = try await database.record(for: record.recordID)
            #expect(fetched["name"] == "merged")
            #expect(try content(fetched) == data)
        }

        @Test("Files of the public database are fetched without an account")
        func publicFiles() async throws {
            let (url, data) = try file("a", 5_000)
            let record = picture(url)
            try await container.publicCloudDatabase.save(record)
            let app = try cloud.device(nil).publicCloudDatabase
            #expect(try content(try await app.record(for: record.recordID)) == data)
        }
    }
}

/// Progress values, in the order reported.
final class Shares: @unchecked Sendable {
    private let lock = NSLock()
    private var shares: [Double] = []

    func add(_ share: Double) { lock.withLock { shares.append(share) } }
    var list: [Double] { lock.withLock { shares } }
}
