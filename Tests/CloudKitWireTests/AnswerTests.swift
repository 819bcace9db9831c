import CloudKitWire
import Testing

/// The dictionaries of responses.
@Suite struct AnswerTests {
    private let stamp = RecordStamp(timestamp: 1_735_603_200_123, user: UserID(high: 0x0f3a, low: 0xff))
    private let zoneID = ZoneIDDictionary.encoded(zoneName: "Notebook", ownerRecordName: "_o")

    @Test func aRecordHasEveryKeyThatClientsNeed() {
        var record = RecordDictionary(
            recordName: "a\"b", recordType: "Note", changeTag: 46,
            fields: #"{"t":{"type":"STRING","value":"x"},"u":{"type":"INT64","value":1}}"#.body,
            desiredKeys: ["u"], numbersAsStrings: true, created: stamp, modified: stamp, zoneID: zoneID, parent: "P")
        let who =
            #"{"timestamp":1735603200123,"userRecordName":"_0000000000000f3a00000000000000ff","deviceID":"iCloud"}"#
        let json = written { record.write(to: &$0) }
        #expect(
            json == """
                {"recordName":"a\\"b","recordType":"Note","recordChangeTag":"1a","fields":{"u":{"type":"INT64","value":"1"}},"pluginFields":{},\
                "created":\(who),"modified":\(who),"deleted":false,"zoneID":{"zoneName":"Notebook","ownerRecordName":"_o",\
                "zoneType":"REGULAR_CUSTOM_ZONE"},"parent":{"recordName":"P"}}
                """)
        record.parent = nil
        #expect(!written { record.write(to: &$0) }.contains("parent"))
        #expect(json.utf8.count <= record.bytesEstimate)
    }

    @Test func deletionsAndTombstones() {
        #expect(
            written { DeletedRecordDictionary(recordName: "X").write(to: &$0) } == #"{"recordName":"X","deleted":true}"#
        )
        #expect(
            written {
                DeletedRecordDictionary(recordName: "X", recordType: "N", zoneID: zoneID).write(to: &$0)
            }
                == #"{"recordName":"X","recordType":"N","deleted":true,"zoneID":{"zoneName":"Notebook","ownerRecordName":"_o","zoneType":"REGULAR_CUSTOM_ZONE"}}"#
        )
    }

    @Test func zones() {
        #expect(
            written { ZoneDictionary(zoneID: zoneID, syncToken: "AA==".body, atomic: true).write(to: &$0) }
                == #"{"zoneID":{"zoneName":"Notebook","ownerRecordName":"_o","zoneType":"REGULAR_CUSTOM_ZONE"},"syncToken":"AA==","atomic":true,"deleted":false}"#
        )
        #expect(
            text(ZoneIDDictionary.encoded(zoneName: "_defaultZone", ownerRecordName: nil))
                == #"{"zoneName":"_defaultZone","zoneType":"DEFAULT_ZONE"}"#)
    }

    @Test func identities() {
        let person = UserIdentity(
            userRecordName: UserID(high: 0, low: 1), givenName: "Ada", familyName: "L", emailAddress: "a@b.c")
        let name = "_00000000000000000000000000000001"
        #expect(
            written { person.write(to: &$0) }
                == #"{"userRecordName":"\#(name)","nameComponents":{"givenName":"Ada","familyName":"L"},"lookupInfo":{"emailAddress":"a@b.c"}}"#
        )
        #expect(
            written { person.writeUser(to: &$0) }
                == #"{"userRecordName":"\#(name)","firstName":"Ada","lastName":"L","emailAddress":"a@b.c"}"#)
        #expect(
            written { UserIdentity(userRecordName: person.userRecordName).write(to: &$0) }
                == #"{"userRecordName":"\#(name)"}"#)
    }

    @Test(
        "A change tag is a number in base 36",
        arguments: [
            (0, "0"), (35, "z"), (36, "10"), (46, "1a"), (.max, "1y2p0ij32e8e7"), (1_000_000, "lfls"),
        ] as [(Int64, String)]) func changeTags(sequence: Int64, tag: String)
    {
        #expect(ChangeTag.text(of: sequence) == tag && ChangeTag.sequence(of: Name(tag)) == sequence)
    }

    @Test(arguments: ["", "01", "1A", "-1", " 1", "1y2p0ij32e8e8", "zzzzzzzzzzzzz", "10000000000000", "é"])
    func noChangeTag(tag: String) { #expect(ChangeTag.sequence(of: Name(tag)) == nil) }
}
