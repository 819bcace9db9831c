import CloudKit
import Foundation
import NephosKit
import NephosTesting
import Testing

extension ClientTests {
    /// docs/client.md, "Encrypted values".
    @Suite("Encrypted values") struct EncryptedValueTests {
        let cloud: Cloud

        init() throws { cloud = try Cloud() }

        private func database(_ passphrase: String?) throws -> CKDatabase {
            var settings = try cloud.configuration("ada@example.org")
            settings.passphrase = passphrase
            return CKContainer(identifier: cloud.container.id, configuration: settings).privateCloudDatabase
        }

        private func secret(in zone: CKRecordZone.ID) -> CKRecord {
            let record = CKRecord(recordType: "Secret", recordID: CKRecord.ID(recordName: "a", zoneID: zone))
            record["plain"] = "seen"
            record.encryptedValues["text"] = "hidden words"
            record.encryptedValues["number"] = 7
            record.encryptedValues["date"] = Date(timeIntervalSince1970: 1_000)
            record.encryptedValues["data"] = Data([1, 2, 3])
            record.encryptedValues["list"] = ["a", "b"]
            record.encryptedValues["place"] = CLLocation(latitude: 1, longitude: 2)
            return record
        }

        @Test(
            "A value that one device encrypts is readable by another with the passphrase; the server never has the plain text"
        )
        func roundTrip() async throws {
            let first = try database("open sesame")
            let zone = try await first.makeZone("Secrets")
            let record = secret(in: zone)
            try await first.save(record)
            let fetched = try await database("open sesame").record(for: record.recordID)
            #expect(fetched["plain"] == "seen")
            #expect(fetched.encryptedValues["text"] == "hidden words" && fetched.encryptedValues["number"] == 7)
            #expect(fetched.encryptedValues["date"] == Date(timeIntervalSince1970: 1_000))
            #expect(fetched.encryptedValues["data"] == Data([1, 2, 3]))
            #expect(fetched.encryptedValues["list"] == ["a", "b"])
            #expect((fetched.encryptedValues["place"] as? CLLocation)?.coordinate.longitude == 2)
            #expect(
                Set(fetched.encryptedValues.allKeys()) == ["text", "number", "date", "data", "list", "place"])
            fetched.encryptedValues["text"] = "other words"
            try await first.save(fetched)
            #expect(try await first.record(for: record.recordID).encryptedValues["text"] == "other words")

            let stored = try cloud.container.person("ada@example.org").post(
                "records/lookup", .private,
                ["zoneID": ["zoneName": "Secrets"], "records": [["recordName": "a"]]])
            let text = String(decoding: stored.body, as: UTF8.self)
            #expect(text.contains("nephos2.") && text.contains("seen"))
            #expect(!text.contains("hidden") && !text.contains("other words"))
        }

        @Test(
            "Another passphrase is an error of the record; without one encrypted values are absent and cannot be set"
        )
        func otherPassphrases() async throws {
            let first = try database("open sesame")
            let record = secret(in: .default)
            try await first.save(record)
            let wrong = try database("wrong")
            do {
                _ = try await wrong.record(for: record.recordID)
                Issue.record("it was decrypted")
            } catch let error as CKError {
                #expect(error.code == .invalidArguments && error.localizedDescription.contains("passphrase"))
            }
            let without = try database(nil)
            let fetched = try await without.record(for: record.recordID)
            #expect(fetched["plain"] == "seen" && fetched.encryptedValues["text"] == nil)
            fetched.encryptedValues["text"] = "in the open"
            #expect(await code { try await without.save(fetched) } == .invalidArguments)
            let other = try await without.record(for: record.recordID)
            other["plain"] = "changed"
            try await without.save(other)
            #expect(try await first.record(for: record.recordID).encryptedValues["text"] == "hidden words")
        }

        @Test("References and files cannot be encrypted, and the public database has no encrypted values")
        func refused() async throws {
            let database = try database("open sesame")
            let record = CKRecord(recordType: "Secret")
            record.encryptedValues["to"] = CKRecord.Reference(recordID: record.recordID, action: .none)
            #expect(await code { try await database.save(record) } == .invalidArguments)
        }
    }
}
