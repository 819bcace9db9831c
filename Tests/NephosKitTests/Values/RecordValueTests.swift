import CloudKit
import Testing

@testable import NephosKit

/// How code written for Apple's platforms uses the fields of a record (docs/client.md, "Values").
@Suite struct RecordValueTests {
    private let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a"))

    @Test func valuesAreSetAndReadInEverySpelling() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let other = CKRecord.Reference(recordID: CKRecord.ID(recordName: "b"), action: .none)
        record["text"] = "x"
        record["whole"] = 5
        record["half"] = 0.5
        record["flag"] = true
        record["date"] = now
        record["bytes"] = Data([1, 2])
        record["list"] = ["a", "b"]
        record["link"] = other
        record["place"] = CLLocation(latitude: 1, longitude: 2)
        record.setObject("y" as CKRecordValue, forKey: "object")
        record["bridged"] = 7 as CKRecordValue
        record["number"] = NSNumber(value: 8)

        let text: String? = record["text"]
        #expect(text == "x" && record["text"] as? String == "x" && record.object(forKey: "text") as? NSString == "x")
        #expect(record["whole"] as? Int == 5 && record["whole"] as? Int64 == 5 && record["whole"] as? Double == 5)
        #expect(record["half"] as? Double == 0.5 && record["half"] as? Int == nil)
        #expect(record["flag"] as? Bool == true && record["flag"] as? Int == 1)
        #expect(record["date"] as? Date == now && record["date"] as? NSDate == now as NSDate)
        #expect(record["bytes"] as? Data == Data([1, 2]))
        #expect(record["list"] as? [String] == ["a", "b"])
        #expect(record["link"] as? CKRecord.Reference == other)
        #expect((record["place"] as? CLLocation)?.coordinate.longitude == 2)
        #expect(record["object"] as? String == "y" && record["bridged"] as? Int == 7 && record["number"] as? Int == 8)
        #expect(record["text"] as? Int == nil && record["none"] as? String == nil)
        let absent: String? = record["whole"]
        #expect(absent == nil)
        #expect(Set(record.allKeys()).count == 12 && Set(record.changedKeys()) == Set(record.allKeys()))
        var seen: Set<String> = []
        for (key, value) in record { if !"\(value)".isEmpty { seen.insert(key) } }
        #expect(seen == Set(record.allKeys()))
    }

    @Test func withoutATypeAFieldIsACKRecordValue() {
        record["text"] = "x"
        record.encryptedValues["secret"] = 5
        let text = record["text"]
        let secret = record.encryptedValues["secret"]
        let protocolValue = (record as any CKRecordKeyValueSetting)["text"]
        // It can be passed on as one, which a CKRecordValueProtocol cannot.
        let values: [CKRecordValue?] = [text, secret, protocolValue]
        #expect(values[0] as? String == "x" && values[1] as? Int == 5 && values[2] as? String == "x")
        #expect(type(of: text) == Optional<any CKRecordValue>.self)
        record["copy"] = text
        record["text"] = record["none"]
        record["count"] = (record["count"] ?? 0) + 1
        #expect(record["copy"] == "x" && record["text"] == nil && record["count"] == 1)
    }

    @Test func fieldsAreSetAndReadByKeyAsAnyValue() {
        let none: String? = nil
        record.setValue("x", forKey: "text")
        record.setValue([1, 2], forKey: "list")
        record.setValue(NSNumber(value: 7), forKey: "number")
        record.setValue("gone", forKey: "none")
        record.setValue(none, forKey: "none")
        #expect(record.value(forKey: "text") as? String == "x" && record.value(forKey: "list") as? [Int] == [1, 2])
        #expect(record["number"] as? Int == 7 && record.value(forKey: "none") == nil)
        #expect(Set(record.changedKeys()) == ["text", "list", "number"])
        record.setValue(["key": "value"], forKey: "unfit")
        guard case .unsupported? = record.contents.value.fields["unfit"] else {
            Issue.record("a dictionary is taken")
            return
        }
    }

    @Test func initializersWithFewerArgumentsAreFunctionsToo() {
        let ids = ["a", "b"].map(CKRecord.ID.init(recordName:))
        #expect(ids == [CKRecord.ID(recordName: "a"), CKRecord.ID(recordName: "b")])
        #expect(["A", "B"].map(CKRecord.init(recordType:)).map(\.recordType) == ["A", "B"])
    }

    @Test func nilRemovesAFieldAndIsAChangeOnlyWhereTheServerHadOne() {
        record["a"] = "1"
        record["a"] = nil
        record["b"] = nil
        #expect(record.allKeys().isEmpty && record.changedKeys().isEmpty)
    }

    @Test func encryptedFieldsAreSetApart() {
        record.encryptedValues["secret"] = "s"
        record["plain"] = "p"
        #expect(record.encryptedValues["secret"] as? String == "s")
        #expect(record.encryptedValues["plain"] as? String == nil)
        #expect(record.encryptedValues.allKeys() == ["secret"])
    }

    @Test func aParentIsAReferenceWithoutAnAction() {
        record.setParent(CKRecord.ID(recordName: "parent"))
        #expect(
            record.parent?.recordID.recordName == "parent" && record.parent?.action == CKRecord.ReferenceAction.none)
        record.setParent(nil as CKRecord?)
        #expect(record.parent == nil)
    }

    @Test func idsAndReferencesAreValuesAndRecordsAreNot() {
        let (one, other) = (CKRecord.ID(recordName: "a"), CKRecord.ID(recordName: "a"))
        #expect(one == other && one.hash == other.hash && [one: 1][other] == 1)
        #expect(one != CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "z")))
        #expect(CKRecordZone.ID(zoneName: "x").ownerName == CKCurrentUserDefaultName)
        #expect(CKRecord(recordType: "T", recordID: one) != CKRecord(recordType: "T", recordID: one))
        #expect(UUID(uuidString: CKRecord.ID().recordName) != nil)
    }

    @Test("Names are compared by their bytes: two spellings of a text are two IDs")
    func spellings() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let (one, other) = (CKRecord.ID(recordName: composed), CKRecord.ID(recordName: decomposed))
        #expect(composed == decomposed && one != other && Set([one, other]).count == 2)
        #expect(CKRecordZone.ID(zoneName: composed) != CKRecordZone.ID(zoneName: decomposed))
        #expect(
            CKRecordZone.ID(zoneName: "z", ownerName: composed) != CKRecordZone.ID(zoneName: "z", ownerName: decomposed)
        )
        let references = [one, other].map { CKRecord.Reference(recordID: $0, action: .none) }
        #expect(references[0] != references[1] && Set(references).count == 2)
    }

    @Test func aCopyIsARecordOfItsOwn() throws {
        record["a"] = "1"
        let copy = try #require(record.copy() as? CKRecord)
        copy["a"] = "2"
        #expect(record["a"] as? String == "1" && copy["a"] as? String == "2" && copy.recordID == record.recordID)
    }

    @Test func whatNoRecordCanHoldIsKeptAndSaysWhy() {
        record["mixed"] = [1, "a"] as NSArray
        record["lists"] = [["a"]] as [[String]]
        record["large"] = UInt64.max
        for key in ["mixed", "lists", "large"] {
            guard case .unsupported(_, let reason)? = record.contents.value.fields[key] else {
                Issue.record("\(key) is taken")
                continue
            }
            #expect(!reason.isEmpty)
        }
    }
}
