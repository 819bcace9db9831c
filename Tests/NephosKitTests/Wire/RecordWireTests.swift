import CloudKit
import CloudKitWire
import NephosTesting
import Testing

@testable import NephosKit

/// Records sent to the server and back (docs/client.md, "Requests and responses").
@Suite struct RecordWireTests {
    private static let cipher = Result {
        try FieldCipher(passphrase: "open sesame", container: "test", environment: "development", user: "_me")
    }

    private func written(_ record: CKRecord, onlyChanges: Bool = false) throws -> [UInt8] {
        var writer = JSONWriter()
        try record.write(to: &writer, onlyChanges: onlyChanges, in: .private, cipher: Self.cipher.get())
        return writer.bytes
    }

    private func item(
        _ json: String, as user: String? = "_me", zone: CKRecordZone.ID? = nil
    ) throws -> RecordReader.Item {
        var reader = try JSONReader(Array(json.utf8)[...])
        return try RecordReader(.private, zone: zone, Viewer(user: user, readsUnsealed: true)).item(&reader)
    }

    private func record(_ json: String, as user: String? = "_me") throws -> CKRecord {
        guard case .record(let record) = try item(json, as: user) else { throw WireError("no record") }
        return record
    }

    @Test(arguments: 1...200) func whatIsWrittenIsReadBackAndTakenByTheServer(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let record = RandomRecord.make(&dice)
        let json = try written(record)
        let request =
            Array("{\"operations\":[{\"operationType\":\"create\",\"record\":".utf8) + json + Array("}]}".utf8)
        #expect(try RecordsModifyRequest(json: request[...]).operations.count == 1)

        var reader = try JSONReader(json[...])
        let records = RecordReader(
            .private, zone: record.recordID.zoneID, Viewer(user: "_me", cipher: try Self.cipher.get()))
        guard case .record(let copy) = try records.item(&reader) else {
            Issue.record("no record")
            return
        }
        #expect(copy.recordID == record.recordID && copy.recordType == record.recordType)
        #expect(copy.parent == record.parent && copy.changedKeys().isEmpty)
        #expect(Set(copy.allKeys()) == Set(record.allKeys()))
        #expect(Set(copy.encryptedValues.allKeys()) == Set(record.encryptedValues.allKeys()))
        for key in record.allKeys() {
            let (one, other) = (record.object(forKey: key) as? NSObject, copy.object(forKey: key) as? NSObject)
            #expect(one == other, "\(key): \(one as Any) became \(other as Any)")
        }
    }

    @Test func onlyWhatWasSetIsSentAndWhatWasRemovedAsNull() throws {
        let record = try record(
            #"{"recordName":"a","recordType":"T","recordChangeTag":"7","fields":{"x":{"value":"1","type":"STRING"},"#
                + #""y":{"value":2,"type":"INT64"},"z":{"value":0.5,"type":"DOUBLE"}}}"#)
        record["y"] = 3
        record["z"] = nil
        let text = String(decoding: try written(record, onlyChanges: true), as: UTF8.self)
        #expect(
            text == #"{"recordName":"a","recordType":"T","recordChangeTag":"7","fields":{"#
                + #""y":{"value":3,"type":"INT64"},"z":null}}"#)
        #expect(Set(record.changedKeys()) == ["y", "z"])
    }

    @Test func whatIsOnesOwnShowsWithoutOnesName() throws {
        let json =
            #"{"recordName":"a","recordType":"T","fields":{},"created":{"timestamp":1500,"userRecordName":"_me"},"#
            + #""modified":{"timestamp":2500.0,"userRecordName":"_other"},"#
            + #""zoneID":{"zoneName":"Z","ownerRecordName":"_me"}}"#
        let own = try record(json)
        #expect(own.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
        #expect(own.lastModifiedUserRecordID?.recordName == "_other")
        #expect(own.creationDate == Date(timeIntervalSince1970: 1.5))
        #expect(own.modificationDate == Date(timeIntervalSince1970: 2.5))
        #expect(own.recordID.zoneID == CKRecordZone.ID(zoneName: "Z"))
        let foreign = try record(json, as: "_other")
        #expect(foreign.recordID.zoneID == CKRecordZone.ID(zoneName: "Z", ownerName: "_me"))
    }

    @Test func filesPlacesAndUntypedValues() throws {
        let record = try record(
            #"{"recordName":"a","recordType":"T","fields":{"#
                + #""file":{"value":{"fileChecksum":"AQ==","size":5,"downloadURL":"http://x/${f}"},"type":"ASSETID"},"#
                + #""place":{"value":{"latitude":1,"longitude":2.5,"timestamp":1000},"type":"LOCATION"},"#
                + #""plain":{"value":5},"half":{"value":0.5},"flag":{"value":true},"none":{"value":null,"type":"STRING"},"#
                + #""list":{"value":[],"type":"STRING_LIST"},"secret":{"value":"s","type":"STRING","isEncrypted":true}}}"#
        )
        let file = try #require(record["file"] as? CKAsset)
        #expect(file.fileURL == nil && file.stored?.size == 5 && file.stored?.downloadURL == "http://x/${f}")
        #expect((record["place"] as? CLLocation)?.coordinate.longitude == 2.5)
        #expect(record["plain"] as? Int == 5 && record["half"] as? Double == 0.5 && record["flag"] as? Int == 1)
        #expect(record["none"] as? String == nil && (record["list"] as? [String])?.isEmpty == true)
        #expect(record.encryptedValues.allKeys() == ["secret"])
    }

    @Test func aDeletedRecordAndAFailedOne() throws {
        guard case .deleted(let id, type: "T") = try item(#"{"recordName":"a","recordType":"T","deleted":true}"#) else {
            Issue.record("it is not deleted")
            return
        }
        #expect(id.recordName == "a")
        let failed = try item(
            #"{"recordName":"b","serverErrorCode":"TRY_AGAIN_LATER","reason":"busy","retryAfter":3,"uuid":"u"}"#)
        guard case .failed(let name, let error) = failed else {
            Issue.record("it did not fail")
            return
        }
        #expect(name?.recordName == "b" && error.ckError.code == .serviceUnavailable)
        #expect(error.ckError.retryAfterSeconds == 3 && error.ckError.localizedDescription == "busy")
    }

    @Test func aConflictBringsTheThreeRecords() throws {
        let mine = try record(
            #"{"recordName":"a","recordType":"T","recordChangeTag":"1","fields":{"x":{"value":"old","type":"STRING"}}}"#
        )
        mine["x"] = "mine"
        let failed = try item(
            #"{"recordName":"a","serverErrorCode":"CONFLICT","reason":"changed","ckErrorCode":14,"serverRecord":"#
                + #"{"recordName":"a","recordType":"T","recordChangeTag":"2","fields":{"x":{"value":"theirs","type":"STRING"}}}}"#
        )
        guard case .failed(_, let server) = failed else {
            Issue.record("no conflict")
            return
        }
        let error = server.ckError(saving: mine, RecordReader(.private, zone: .default, Viewer()))
        #expect(error.code == .serverRecordChanged && error.clientRecord === mine)
        #expect(error.serverRecord?["x"] as? String == "theirs" && error.serverRecord?.recordChangeTag == "2")
        #expect(error.ancestorRecord?["x"] as? String == "old")
    }

    @Test func everyCodeOfTheServerIsOneOfPrograms() {
        for code in ServerErrorCode.allCases {
            #expect(ServerError(code: code.rawValue, reason: "").ckCode != .internalError, "\(code)")
        }
        #expect(ServerError(code: "SOMETHING_NEW", reason: "").ckCode == .internalError)
        #expect(ServerError(code: "CONFLICT", reason: "", ckErrorCode: 999).ckCode == .serverRecordChanged)
    }

    @Test func whatNoRecordCanHoldIsToldWithItsField() {
        for (value, word) in [
            (Double.nan, "nan"), (Double.infinity, "inf"), (["a", 1] as NSArray, "one type"),
            (CKAsset(fileURL: URL(fileURLWithPath: "/tmp/cat.png")), "cat.png"),
            (Date.distantFuture.addingTimeInterval(1e30), "date"),
        ] as [(any CKRecordValueProtocol, String)] {
            let record = CKRecord(recordType: "T")
            record["bad"] = value
            let error = #expect(throws: UnusableValue.self) { try written(record) }
            #expect(
                error?.reason.contains("the field bad") == true && error?.reason.contains(word) == true,
                "\(error as Any)")
        }
    }

    @Test(arguments: 1...40) func noAnswerStopsTheProgram(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let good = try written(RandomRecord.make(&dice))
        let records = RecordReader(.private, zone: nil, Viewer(user: "_me", cipher: try Self.cipher.get()))
        func read(_ bytes: [UInt8]) {
            // Whether it can be read is not checked: only that this returns.
            guard var reader = try? JSONReader(bytes[...]) else { return }
            _ = try? records.item(&reader)
        }
        for end in stride(from: 0, to: good.count, by: max(good.count / 60, 1)) { read(Array(good[..<end])) }
        for _ in 0..<200 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &dice) where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &dice)] =
                    Array(#"{}[]",:01-.eEntf\ua"#.utf8)
                    .randomElement(using: &dice) ?? 0
            }
            read(bytes)
        }
    }
}
