import CloudKit
import Testing

/// What is archived comes back as it was (docs/client.md, "Archives").
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
}
