import CloudKit
import Testing

@testable import NephosKit

/// Archived values are restored unchanged (docs/client.md, "Archives").
@Suite struct ArchiveTests {
    private func archived<Value: NSObject & NSCoding>(_ value: Value, as type: Value.Type = Value.self) throws -> Value?
    {
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
    }

    @Test func idsReferencesZonesPlacesAndTokens() throws {
        let id = CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "z", ownerName: "_1"))
        #expect(try archived(id) == id)
        #expect(try archived(id.zoneID) == id.zoneID)
        let reference = CKRecord.Reference(recordID: id, action: .deleteSelf)
        #expect(try archived(reference) == reference)
        #expect(try archived(CKRecordZone(zoneName: "z"))?.zoneID.zoneName == "z")
        let place = CLLocation(latitude: 48.1, longitude: 11.6)
        #expect(try archived(place) == place)
    }

    @Test func aWholeRecordWithItsChanges() throws {
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a"))
        record["text"] = "x"
        record["list"] = [1, 2]
        record.encryptedValues["secret"] = "s"
        record.setParent(CKRecord.ID(recordName: "p"))
        let copy = try #require(try archived(record))
        #expect(copy.recordType == "Note" && copy.recordID == record.recordID && copy.parent == record.parent)
        #expect(copy["text"] as? String == "x" && copy["list"] as? [Int] == [1, 2])
        #expect(Set(copy.changedKeys()) == ["text", "list", "secret"] && copy.encryptedValues.allKeys() == ["secret"])
    }

    @Test("Every value comes back as it was, also those that no request can contain") func exactValues() throws {
        let elsewhere = CKRecordZone.ID(zoneName: "z", ownerName: "_other")
        let here = CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "z"))
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 48.125, longitude: -11.5), altitude: 520,
            horizontalAccuracy: 3,
            verticalAccuracy: -1, course: 90, speed: 1.5, timestamp: Date(timeIntervalSinceReferenceDate: 0.1))
        let values: [(String, any CKRecordValueProtocol)] = [
            ("text", "quote \" \\ line\n\u{0} \u{1F600}"), ("empty", ""), ("whole", Int64.min), ("half", 0.1),
            ("small", -0.0), ("infinite", -Double.infinity), ("date", Date(timeIntervalSinceReferenceDate: 1.0 / 3)),
            ("bytes", Data([0, 255, 10])), ("place", place),
            (
                "link",
                CKRecord.Reference(recordID: CKRecord.ID(recordName: "b", zoneID: elsewhere), action: .deleteSelf)
            ),
            ("texts", ["a", "", "b"]), ("numbers", [1.5, 2]), ("dates", [Date(timeIntervalSinceReferenceDate: 0.3)]),
            ("none", [String]()),
        ]
        let record = CKRecord(recordType: "Note", recordID: here)
        for (key, value) in values { record[key] = value as? any __CKRecordObjCValue }
        record["nan"] = Double.nan
        let copy = try #require(try archived(record))
        #expect(Set(copy.allKeys()) == Set(record.allKeys()) && copy.allKeys().count == values.count + 1)
        for (key, _) in values {
            #expect((copy[key] as? NSObject) == (record[key] as? NSObject), "\(key)")
        }
        #expect((copy["small"] as? Double)?.sign == .minus && (copy["nan"] as? Double)?.isNaN == true)
    }

    @Test("What the server had is archived too, once if it is unchanged") func originalValues() throws {
        let record = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "a"),
            contents: RecordContents(
                RecordContents.System(changeTag: "1"), parent: nil,
                fields: ["kept": .string("k"), "set": .string("old"), "gone": .int64(1)]))
        record["set"] = "new"
        record["gone"] = nil
        record["added"] = 2
        let copy = try #require(try archived(record)).contents.value
        #expect(copy.changed == ["set", "gone", "added"] && copy.system.changeTag == "1")
        #expect(Set(copy.fields.keys) == ["kept", "set", "added"])
        #expect(Set(copy.original.keys) == ["kept", "set", "gone"])
        #expect((copy.original["set"]?.object as? String) == "old" && (copy.fields["set"]?.object as? String) == "new")
        #expect((copy.original["kept"]?.object as? String) == "k" && (copy.fields["kept"]?.object as? String) == "k")
    }

    @Test("A file that was set is not set in the archived record, whose save then does not remove the server's file")
    func filesAreNotSet() throws {
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a"))
        record["text"] = "x"
        record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/a"))
        record["files"] = [CKAsset(fileURL: URL(fileURLWithPath: "/tmp/b"))]
        let copy = try #require(try archived(record))
        #expect(copy.allKeys() == ["text"] && copy.changedKeys() == ["text"])
    }

    @Test("An archive that was damaged contains nothing") func damaged() throws {
        let id = CKRecord.ID(recordName: "a")
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        id.encode(with: archiver)
        archiver.finishEncoding()
        let text = String(decoding: archiver.encodedData, as: UTF8.self)
        let block = try #require(text.firstMatch(of: #/<data>\s*([^<]+?)\s*</data>/#))
        var bytes = try #require(Data(base64Encoded: String(block.1), options: .ignoreUnknownCharacters))
        #expect(CKRecord.ID(coder: try NSKeyedUnarchiver(forReadingFrom: Data(text.utf8))) == id)
        bytes[bytes.count - 3] ^= 1
        let other = text.replacingOccurrences(of: String(block.1), with: bytes.base64EncodedString())
        #expect(CKRecord.ID(coder: try NSKeyedUnarchiver(forReadingFrom: Data(other.utf8))) == nil)
    }

    @Test func systemFieldsAloneAsProgramsKeepThem() throws {
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a"))
        record["text"] = "x"
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        let copy = try #require(CKRecord(coder: unarchiver))
        unarchiver.finishDecoding()
        #expect(copy.recordID == record.recordID && copy.recordType == "Note" && copy.allKeys().isEmpty)
    }

    /// A record stored by a server.
    private func stored() -> CKRecord {
        let id = CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "z", ownerName: "o"))
        let share = CKRecord.ID(recordName: "s", zoneID: CKRecordZone.ID(zoneName: "z", ownerName: "o"))
        let system = RecordContents.System(
            changeTag: "1z", creator: CKRecord.ID(recordName: CKCurrentUserDefaultName),
            created: Date(milliseconds: 1_700_000_000_123), modifier: CKRecord.ID(recordName: "_b"),
            modified: Date(milliseconds: 1_700_000_000_457), share: CKRecord.Reference(recordID: share, action: .none))
        let parent = CKRecord.Reference(recordID: CKRecord.ID(recordName: "a", zoneID: id.zoneID), action: .none)
        return CKRecord(
            recordType: "Note", recordID: id, contents: RecordContents(system, parent: parent, fields: [:]))
    }

    private func systemFields(_ record: CKRecord) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    @Test func equalSystemFieldsAreEqualBytes() throws {
        let first = systemFields(stored())
        // The hash seeds of dictionaries depend on their addresses, so each archive is created elsewhere.
        var kept: [Any] = []
        for number in 0..<200 {
            kept.append([UInt8](repeating: 1, count: number * 37 % 3_000))
            let record = stored()
            record["text"] = "\(number)"
            kept.append(record)
            #expect(systemFields(record) == first)
        }
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: first)
        unarchiver.requiresSecureCoding = true
        let copy = try #require(CKRecord(coder: unarchiver))
        #expect(systemFields(copy) == first)
        let record = stored()
        #expect(copy.recordChangeTag == "1z" && copy.creationDate == record.creationDate)
        #expect(copy.modificationDate == record.modificationDate && copy.parent == record.parent)
        #expect(copy.share == record.share && copy.lastModifiedUserRecordID == record.lastModifiedUserRecordID)
    }

    @Test func valuesOfARecordWithFilesAmongThem() throws {
        let record = CKRecord(recordType: "Note")
        record["text"] = "x"
        record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/a b"))
        record["files"] = [CKAsset(fileURL: URL(fileURLWithPath: "/tmp/c"))]
        let values = NSMutableDictionary()
        for key in record.allKeys() { values[key] = record[key] }
        let data = try NSKeyedArchiver.archivedData(withRootObject: values, requiringSecureCoding: true)
        let classes: [AnyClass] = [NSDictionary.self, NSArray.self, NSString.self, CKAsset.self]
        let copy = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSDictionary)
        #expect(copy["text"] as? String == "x")
        #expect((copy["file"] as? CKAsset)?.fileURL?.path == "/tmp/a b")
        #expect((copy["files"] as? [CKAsset])?.map(\.fileURL?.path) == ["/tmp/c"])
        #expect(try archived(CKAsset(StoredAsset(fileChecksum: "c", size: 1), fileURL: nil))?.fileURL == nil)
    }
}
