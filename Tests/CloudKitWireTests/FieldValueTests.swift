import CloudKitWire
import Foundation
import Testing

/// docs/protocol.md, "Field values".
@Suite struct FieldValueTests {
    @Test(
        "F1: the type is read from its key, or inferred",
        arguments: [
            (#"{"value":"x"}"#, #"{"type":"STRING","value":"x"}"#), (#"{"value":7}"#, #"{"type":"INT64","value":7}"#),
            (#"{"value":7.0}"#, #"{"type":"DOUBLE","value":7.0}"#),
            (#"{"value":0.5}"#, #"{"type":"DOUBLE","value":0.5}"#),
            (#"{"value":1e3}"#, #"{"type":"DOUBLE","value":1000.0}"#),
            (#"{"value":true}"#, #"{"type":"INT64","value":1}"#),
            (#"{"value":false}"#, #"{"type":"INT64","value":0}"#),
            (
                #"{"value":{"latitude":1,"longitude":2}}"#,
                #"{"type":"LOCATION","value":{"latitude":1.0,"longitude":2.0}}"#
            ),
            (
                #"{"value":{"recordName":"r"}}"#,
                #"{"type":"REFERENCE","value":{"action":"NONE","recordName":"r","zoneID":{"ownerRecordName":"_owner","zoneName":"Notebook","zoneType":"REGULAR_CUSTOM_ZONE"}}}"#
            ),
            (#"{"value":["a","b"]}"#, #"{"type":"STRING_LIST","value":["a","b"]}"#),
            (#"{"value":[1,2]}"#, #"{"type":"INT64_LIST","value":[1,2]}"#),
            (#"{"value":[true]}"#, #"{"type":"INT64_LIST","value":[1]}"#),
            (#"{"value":[0.5,2]}"#, #"{"type":"DOUBLE_LIST","value":[0.5,2.0]}"#),
            (#"{"value":[]}"#, #"{"type":"UNKNOWN_LIST","value":[]}"#),
            (#"{"value":[],"type":"STRING_LIST"}"#, #"{"type":"STRING_LIST","value":[]}"#),
            (#"{"value":["a"],"type":"LIST"}"#, #"{"type":"STRING_LIST","value":["a"]}"#),
            (#"{"value":[1],"type":"UNKNOWN_LIST"}"#, #"{"type":"INT64_LIST","value":[1]}"#),
            (#"{"type":"DOUBLE","value":3}"#, #"{"type":"DOUBLE","value":3.0}"#),
            (#"{"value":"a\/b"}"#, #"{"type":"STRING","value":"a/b"}"#),
            (#"{"value":"\u0041\u00e9\u0000\u001F"}"#, #"{"type":"STRING","value":"Aé\u0000\u001f"}"#),
            (#"{"value":7,"type":null,"isEncrypted":null,"other":{"a":1}}"#, #"{"type":"INT64","value":7}"#),
        ] as [(String, String)]) func types(input: String, canonical: String)
    { #expect(stored(input) == canonical) }

    @Test(
        "F1: a value has the same meaning in every spelling",
        arguments: [
            (#""x""#, "STRING"), (#""a\"}b\n""#, "STRING"), ("7", "INT64"), ("7", "DOUBLE"), ("true", "INT64"),
            (#"{"latitude":1,"longitude":2}"#, "LOCATION"), (#"{"recordName":"r"}"#, "REFERENCE"),
            (#""AA==""#, "BYTES"), (#"["a","]}"]"#, "STRING_LIST"), ("[]", "TIMESTAMP_LIST"), ("[1]", "LIST"),
        ]) func spellings(value: String, tag: String)
    {
        let usual = stored(#"{"value":\#(value),"type":"\#(tag)"}"#)
        #expect(usual != nil)
        let escaped = tag.replacingOccurrences(of: "T", with: #"\u0054"#)
        for other in [
            #"{"type":"\#(tag)","value":\#(value)}"#, #"{"value": \#(value),"type":"\#(tag)"}"#,
            #"{ "value":\#(value),"type":"\#(tag)"}"#, #"{"value":\#(value) ,"type":"\#(tag)"}"#,
            #"{"value":\#(value), "type":"\#(tag)"}"#, #"{"value":\#(value),"type":"\#(tag)" }"#,
            #"{"value":\#(value),"type":"\#(escaped)"}"#, #"{"value":\#(value),"type":"\#(tag)","isEncrypted":false}"#,
            #"{"value":\#(value),"more":[{}],"type":"\#(tag)"}"#, #"{"valu\u0065":\#(value),"type":"\#(tag)"}"#,
        ] { #expect(stored(other) == usual, "\(other)") }
        #expect(stored(#"{"value":\#(value)}"#) == stored(#"{ "value" : \#(value) }"#))
        for twice in [
            #"{"value":\#(value),"value":\#(value)}"#, #"{"value":\#(value),"type":"\#(tag)","type":"\#(tag)"}"#,
            #"{"value":\#(value),"type":"\#(tag)","value":\#(value)}"#,
        ] { #expect(refusal(twice)?.contains("appears twice") == true, "\(twice)") }
    }

    @Test(
        "F1: an INT64 can be called NUMBER_INT64, and any type can have the prefix ENCRYPTED_; the stored value is the same"
    )
    func otherTags() {
        #expect(stored(#"{"value":7,"type":"NUMBER_INT64"}"#) == #"{"type":"INT64","value":7}"#)
        #expect(stored(#"{"value":"7","type":"NUMBER_INT64"}"#) == #"{"type":"INT64","value":7}"#)
        for (tag, value) in [
            ("STRING", #""x""#), ("INT64", "7"), ("DOUBLE", "0.5"), ("TIMESTAMP", "12"), ("BYTES", #""AA==""#),
            ("LOCATION", #"{"latitude":1,"longitude":2}"#), ("BYTES_LIST", #"["AA=="]"#), ("STRING_LIST", "[]"),
            ("INT64_LIST", "[7]"), ("LIST", #"["x"]"#),
        ] {
            let plain = stored(#"{"value":\#(value),"type":"\#(tag)","isEncrypted":true}"#)
            #expect(
                plain?.hasPrefix(#"{"isEncrypted":true,"type":""#) == true && plain?.contains("ENCRYPTED_") == false)
            for more in ["", #","isEncrypted":true"#, #","isEncrypted":false"#] {
                #expect(stored(#"{"value":\#(value),"type":"ENCRYPTED_\#(tag)"\#(more)}"#) == plain, "\(tag)\(more)")
                #expect(stored(#"{"type":"ENCRYPTED_\#(tag)","value":\#(value)\#(more)}"#) == plain, "\(tag)\(more)")
            }
        }
        #expect(
            stored(#"{"value":7,"type":"ENCRYPTED_NUMBER_INT64"}"#) == #"{"isEncrypted":true,"type":"INT64","value":7}"#
        )
        #expect(
            refusal(#"{"value":"x","type":"ENCRYPTED_STRING"}"#, in: publicZone)?.contains("public database") == true)
        let plainField = KnownField(.string)
        #expect(
            refusal(#"{"value":"x","type":"ENCRYPTED_STRING"}"#, known: plainField)?.contains("non encrypted") == true)
        #expect(
            refusal(#"{"value":{"recordName":"r"},"type":"ENCRYPTED_REFERENCE"}"#)
                == "values of type REFERENCE cannot be encrypted")
    }

    @Test(
        "F1: rejects values whose type is unknown or does not fit",
        arguments: [
            #"{"value":1,"type":"INT"}"#, #"{"value":1,"type":"string"}"#, #"{"value":"x","type":7}"#, #"{"value":{}}"#,
            #"{"value":{"a":1}}"#, #"{"value":[[1]]}"#, #"{"value":[null]}"#, "7", #""x""#, "[]", "true",
            #"{"value":"x","type":"UNKNOWN_LIST"}"#, #"{"value":9223372036854775808}"#, #"{"value":1e400}"#,
            #"{"value":1,"isEncrypted":1}"#, #"{"value":1,"type":"ENCRYPTED_"}"#,
            #"{"value":1,"type":"NUMBER_STRING"}"#,
            #"{"value":1,"type":"ENCRYPTED_ENCRYPTED_INT64"}"#, #"{"value":1,"type":"encrypted_INT64"}"#,
        ]) func noType(input: String)
    { #expect(refusal(input) != nil) }

    @Test(
        "F2: a value is converted to the type of the schema if nothing is lost",
        arguments: [
            (#"{"value":3}"#, .double, #"{"type":"DOUBLE","value":3.0}"#),
            (#"{"value":3}"#, .timestamp, #"{"type":"TIMESTAMP","value":3}"#),
            (#"{"value":3.0}"#, .int64, #"{"type":"INT64","value":3}"#),
            (#"{"value":"AA=="}"#, .bytes, #"{"type":"BYTES","value":"AA=="}"#),
            (#"{"value":[1,2.5]}"#, .doubleList, #"{"type":"DOUBLE_LIST","value":[1.0,2.5]}"#),
            (#"{"value":[]}"#, .timestampList, #"{"type":"TIMESTAMP_LIST","value":[]}"#),
            (#"{"value":[1],"type":"LIST"}"#, .timestampList, #"{"type":"TIMESTAMP_LIST","value":[1]}"#),
            (#"{"value":["AA=="]}"#, .bytesList, #"{"type":"BYTES_LIST","value":["AA=="]}"#),
            (#"{"value":true}"#, .int64, #"{"type":"INT64","value":1}"#),
            (#"{"value":["a"]}"#, .unknownList, #"{"type":"STRING_LIST","value":["a"]}"#),
        ] as [(String, FieldType, String)]) func schema(input: String, type: FieldType, canonical: String)
    {
        #expect(stored(input, known: KnownField(type)) == canonical)
    }

    @Test(
        "F2: a value that contradicts the schema is rejected with Apple's message",
        arguments: [
            (#"{"value":"x"}"#, .int64, "STRING", "INT64"), (#"{"value":"7"}"#, .int64, "STRING", "INT64"),
            (#"{"value":7}"#, .string, "INT64", "STRING"), (#"{"value":7,"type":"INT64"}"#, .double, "INT64", "DOUBLE"),
            (#"{"value":[1]}"#, .int64, "INT64_LIST", "INT64"), (#"{"value":1}"#, .int64List, "INT64", "INT64_LIST"),
            (#"{"value":[]}"#, .string, "UNKNOWN_LIST", "STRING"),
            (#"{"value":["x"]}"#, .int64List, "STRING_LIST", "INT64_LIST"),
            (#"{"value":{"recordName":"r"}}"#, .location, "REFERENCE", "LOCATION"),
            (#"{"value":"x","type":"STRING"}"#, .bytes, "STRING", "BYTES"),
        ] as [(String, FieldType, String, String)]) func contradictions(
            input: String, type: FieldType, got: String, defined: String
        )
    {
        #expect(
            refusal(input, known: KnownField(type))
                == "invalid attempt to set value type \(got) for field f of type Note, defined to be: \(defined)")
    }

    @Test(
        "F2: a value that does not match its type is rejected",
        arguments: [
            (#"{"value":1e19,"type":"TIMESTAMP"}"#, "TIMESTAMP"), (#"{"value":"x","type":"INT64"}"#, "INT64"),
            (#"{"value":1.5,"type":"INT64"}"#, "INT64"),
            (#"{"value":true,"type":"DOUBLE"}"#, "DOUBLE"), (#"{"value":1,"type":"STRING"}"#, "STRING"),
            (#"{"value":1e400,"type":"DOUBLE"}"#, "DOUBLE"),
            (#"{"value":"a","type":"STRING_LIST"}"#, "STRING_LIST"),
            (#"{"value":["a",1],"type":"STRING_LIST"}"#, "STRING"),
            (#"{"value":["a",null],"type":"STRING_LIST"}"#, "STRING"),
            (#"{"value":[[1]],"type":"INT64_LIST"}"#, "INT64"), (#"{"value":"x","type":"LOCATION"}"#, "LOCATION"),
            (#"{"value":"r","type":"REFERENCE"}"#, "REFERENCE"),
            (#"{"value":"A","type":"BYTES"}"#, "BYTES. It must be Base64"),
            (#"{"value":9223372036854775808,"type":"INT64"}"#, "INT64"),
            (#"{"value":" 7","type":"INT64"}"#, "INT64"), (#"{"value":"7 ","type":"INT64"}"#, "INT64"),
            (#"{"value":"","type":"DOUBLE"}"#, "DOUBLE"),
            (#"{"value":"NaN","type":"DOUBLE"}"#, "DOUBLE"), (#"{"value":"0x1","type":"DOUBLE"}"#, "DOUBLE"),
            (#"{"value":[1,"x"]}"#, "INT64"),
        ]) func invalid(input: String, type: String)
    {
        let forms = [
            "TIMESTAMP": " Send milliseconds since 1970, such as 1804579200000.",
            "REFERENCE": #" Send an object, such as {"recordName":"NAME"}."#,
        ]
        #expect(refusal(input) == "Invalid value, expected type \(type)." + (forms[type] ?? ""))
    }

    @Test(
        "F2: a date or a record name that is sent as a string without a tag is rejected with the form to send",
        arguments: [
            (FieldType.timestamp, "TIMESTAMP. Send milliseconds since 1970, such as 1804579200000."),
            (.reference, #"REFERENCE. Send an object, such as {"recordName":"NAME"}."#),
        ]) func forms(type: FieldType, end: String)
    {
        #expect(
            refusal(#"{"value":"2027-03-09"}"#, known: KnownField(type))
                == "invalid attempt to set value type STRING for field f of type Note, defined to be: " + end)
    }

    @Test("F2: an unknown tag is rejected with those that exist, a plain object with what to store instead")
    func advice() {
        let tag = refusal(#"{"value":1,"type":"DATE"}"#)
        #expect(tag?.contains("unknown field type 'DATE': use one of STRING, INT64, DOUBLE, TIMESTAMP, ") == true)
        let object = refusal(#"{"value":{"a":1}}"#)
        #expect(object?.contains("store JSON as a STRING; for a file, pass the value of singleFile") == true)
    }

    @Test(
        "F3: every spelling of a removal",
        arguments: [
            "null", "{}", #"{"value":null}"#, #"{"type":"TIMESTAMP"}"#, #"{"type":"TIMESTAMP","value":null}"#,
            #"{"isEncrypted":true}"#,
        ]) func removal(input: String) throws
    {
        let patch = try patched("{\"f\":\(input),\"a\":{\"value\":1}}").get()
        #expect(patch.removed == ["f"] && patch.fields.map(\.name) == ["a"])
    }

    @Test(
        "F4: names of fields",
        arguments: [
            ("a", true), ("Z9_", true), ("cloudkit.title", true), (String(repeating: "a", count: 255), true),
            (String(repeating: "a", count: 256), false), ("", false), ("_a", false), ("___recordID", false),
            ("9a", false), ("a b", false),
            ("a.b", false), ("cloudkit.", false), ("cloudkit._a", false), ("cloudkit.a.b", false), ("é", false),
            ("a-b", false),
        ]) func names(name: String, isValid: Bool)
    {
        guard case .success = patched("{\"\(name)\":{\"value\":1}}") else { return #expect(!isValid) }
        #expect(isValid)
    }

    @Test("F4: a record has up to 512 fields, each once") func counts() {
        func json(_ count: Int) -> String {
            "{\((0..<count).map { "\"f\($0)\":{\"value\":\($0)}" }.joined(separator: ","))}"
        }
        #expect((try? patched(json(512)).get())?.fields.count == 512)
        guard case .failure = patched(json(513)) else { Issue.record("513 fields"); return }
        guard case .failure(let twice) = patched(#"{"a":{"value":1},"b":null,"\u0061":null}"#) else {
            Issue.record("a twice"); return
        }
        #expect(twice.reason.contains("twice"))
    }

    @Test(
        "F5: numbers, also as strings when they have a type",
        arguments: [
            (#"{"value":"9007199254740993","type":"INT64"}"#, "9007199254740993"),
            (#"{"value":"-9223372036854775808","type":"INT64"}"#, "-9223372036854775808"),
            (#"{"value":"1.50","type":"DOUBLE"}"#, "1.5"),
            (#"{"value":"1735689600000","type":"TIMESTAMP"}"#, "1735689600000"),
            (#"{"value":1.7356896e12,"type":"TIMESTAMP"}"#, "1735689600000"),
            (#"{"value":1735689600123.987,"type":"TIMESTAMP"}"#, "1735689600123"),
            (#"{"value":[1.5,"-0.5"],"type":"TIMESTAMP_LIST"}"#, "[1,0]"),
            (#"{"value":-0.0,"type":"DOUBLE"}"#, "-0.0"),
            (#"{"value":["1",2],"type":"INT64_LIST"}"#, "[1,2]"),
            (#"{"value":9007199254740993,"type":"DOUBLE"}"#, "9007199254740992.0"),
        ]) func numbers(input: String, value: String)
    { #expect(stored(input)?.hasSuffix("\"value\":\(value)}") == true, "\(stored(input) ?? "-")") }

    @Test(
        "F6: bytes are base64 and are normalized",
        arguments: [
            ("", ""), ("AA==", "AA=="), ("AB==", "AA=="), ("AAB=", "AAA="), ("////", "////"), (#"\/\/\/\/"#, "////"),
            ("+/+/", "+/+/"), ("AAAA", "AAAA"),
        ]) func bytes(input: String, output: String)
    {
        #expect(stored("{\"value\":\"\(input)\",\"type\":\"BYTES\"}") == "{\"type\":\"BYTES\",\"value\":\"\(output)\"}")
    }

    @Test(
        "F6: rejects invalid base64",
        arguments: ["A", "AA", "AAA", "A===", "====", "AA=A", "AA==AAAA", "-_-_", "AA =", "AAA\\n", "é==="])
    func noBytes(input: String) { #expect(refusal("{\"value\":\"\(input)\",\"type\":\"BYTES\"}") != nil) }

    @Test("F7: a location keeps its members in the order given") func location() {
        #expect(
            stored(
                #"{"value":{"timestamp":1735603200123,"longitude":-180,"speed":0.5,"latitude":90,"x":[],"altitude":null}}"#
            )
                == #"{"type":"LOCATION","value":{"latitude":90.0,"longitude":-180.0,"speed":0.5,"timestamp":1735603200123}}"#
        )
        let all =
            #"{"altitude":1.0,"course":2.0,"horizontalAccuracy":3.0,"latitude":4.0,"longitude":5.0,"speed":6.0,"timestamp":7.5,"verticalAccuracy":8.0}"#
        #expect(stored("{\"value\":\(all)}") == "{\"type\":\"LOCATION\",\"value\":\(all)}")
    }

    @Test(
        "F7: rejects invalid locations",
        arguments: [
            #"{"latitude":90.1,"longitude":0}"#, #"{"latitude":-91,"longitude":0}"#,
            #"{"latitude":0,"longitude":180.5}"#, #"{"latitude":0}"#,
            #"{"longitude":0}"#, #"{"latitude":"1","longitude":0}"#, #"{"latitude":0,"longitude":0,"speed":"x"}"#,
            #"{"latitude":0,"longitude":0,"altitude":1e400}"#, #"{"latitude":0,"longitude":0,"latitude":0}"#,
            #"{"latitude":null,"longitude":0}"#,
        ]) func noLocation(value: String)
    { #expect(refusal("{\"value\":\(value),\"type\":\"LOCATION\"}") != nil) }

    @Test(
        "F8: references, their actions and their zone",
        arguments: [
            (#"{"recordName":"r","action":"DELETE_SELF"}"#, "DELETE_SELF"),
            (#"{"recordName":"r","action":"VALIDATE","fieldName":"x"}"#, "VALIDATE"),
            (#"{"recordName":"r","action":null,"zoneID":null}"#, "NONE"),
            (#"{"recordName":"r","zoneID":{"zoneName":"Notebook"}}"#, "NONE"),
            (#"{"recordName":"r","zoneID":{"zoneName":"Notebook","ownerRecordName":"_owner","zoneType":"X"}}"#, "NONE"),
            (#"{"recordName":"r","zoneID":{"zoneName":"Notebook","ownerRecordName":"_defaultOwner"}}"#, "NONE"),
            (#"{"zoneID":{"ownerRecordName":"__defaultOwner__","zoneName":"Notebook"},"recordName":"r"}"#, "NONE"),
        ]) func references(value: String, action: String) throws
    {
        let patch = try patched("{\"f\":{\"value\":\(value)},\"g\":{\"value\":[\(value)]}}").get()
        let target = FieldReference(target: "r", action: try #require(ReferenceAction(rawValue: action)))
        #expect(patch.references == [target, target] && CanonicalFields.references(in: patch.set) == [target, target])
        #expect(
            stored("{\"value\":\(value)}")?.contains("\"action\":\"\(action)\",\"recordName\":\"r\",\"zoneID\":{")
                == true)
    }

    @Test(
        "F8: rejects invalid references",
        arguments: [
            #"{"recordName":""}"#, #"{"recordName":"r","action":"None"}"#, #"{"recordName":"r","action":1}"#,
            #"{"recordName":1}"#, #"{"action":"NONE"}"#,
            #"{"recordName":"r","zoneID":{"zoneName":"Other"}}"#,
            #"{"recordName":"r","zoneID":{"zoneName":"Notebook","ownerRecordName":"_other"}}"#,
            #"{"recordName":"r","zoneID":{}}"#, #"{"recordName":"r","zoneID":"Notebook"}"#,
            "{\"recordName\":\"\(String(repeating: "r", count: 256))\"}",
        ]) func noReference(value: String)
    { #expect(refusal("{\"value\":\(value),\"type\":\"REFERENCE\"}") != nil) }

    @Test("F8: in a public database the zone is omitted") func publicReference() {
        #expect(
            stored(#"{"value":{"recordName":"r","zoneID":{"zoneName":"_defaultZone"}}}"#, in: publicZone)
                == #"{"type":"REFERENCE","value":{"action":"NONE","recordName":"r"}}"#)
    }

    @Test(
        "F10: encrypted values are stored unchanged",
        arguments: [
            (#"{"value":"hi","isEncrypted":true}"#, nil, #"{"isEncrypted":true,"type":"STRING","value":"hi"}"#),
            (
                #"{"value":"not base64","type":"BYTES","isEncrypted":true}"#, nil,
                #"{"isEncrypted":true,"type":"BYTES","value":"not base64"}"#
            ),
            (#"{"value":5,"type":"INT64","isEncrypted":true}"#, nil, #"{"isEncrypted":true,"type":"INT64","value":5}"#),
            (
                #"{"value":"zzz","type":"INT64_LIST","isEncrypted":true}"#, nil,
                #"{"isEncrypted":true,"type":"INT64_LIST","value":"zzz"}"#
            ),
            (#"{"value":"zzz"}"#, .location, #"{"isEncrypted":true,"type":"LOCATION","value":"zzz"}"#),
            (#"{"value":7}"#, .double, #"{"isEncrypted":true,"type":"DOUBLE","value":7.0}"#),
            (#"{"value":"x","isEncrypted":false}"#, nil, #"{"type":"STRING","value":"x"}"#),
        ] as [(String, FieldType?, String)]) func encrypted(input: String, type: FieldType?, canonical: String)
    {
        #expect(stored(input, known: type.map { KnownField($0, isEncrypted: true) }) == canonical)
    }

    @Test("F10: encryption is rejected where it is not available") func notEncrypted() {
        #expect(
            refusal(#"{"value":"x","isEncrypted":true}"#, in: publicZone)
                == "encrypted fields are not supported in the public database")
        #expect(
            refusal(#"{"value":"x","isEncrypted":true}"#, known: KnownField(.string))
                == "Attempt to save encrypted data in non encrypted field type")
        #expect(
            refusal(#"{"value":{"recordName":"r"},"isEncrypted":true}"#)
                == "values of type REFERENCE cannot be encrypted")
        #expect(refusal(#"{"value":["x"],"type":"ASSETID_LIST","isEncrypted":true}"#) != nil)
    }

    @Test("F11: assets are stored as an upload or a record returned them, with only checksum and size added")
    func assets() throws {
        let checksum = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB"
        let value = #"{"size":3,"receipt":"r","fileChecksum":"\#(checksum)","downloadURL":"u"}"#
        let kept = #"{"fileChecksum":"\#(checksum)","size":3}"#
        #expect(stored(#"{"value":\#(value)}"#) == #"{"type":"ASSETID","value":\#(kept)}"#)
        #expect(
            stored(#"{"value":[\#(value),\#(value)],"type":"ASSET_LIST"}"#)
                == #"{"type":"ASSETID_LIST","value":[\#(kept),\#(kept)]}"#)
        let patch = try patched(#"{"a":{"value":\#(value)}}"#).get()
        let asset = FieldAsset(address: Array(repeating: 1, count: 32), size: 3, receipt: Array("r".utf8))
        #expect(patch.assets == [asset])
        let found = CanonicalFields.assets(in: patch.set)
        #expect(found.map(\.place) == [AssetPlace(field: "a", index: 0)])
        #expect(found.map(\.asset) == [FieldAsset(address: asset.address, size: 3)])
    }

    @Test("F11: a response adds the location to an asset and changes nothing else")
    func assetsInAnswers() throws {
        let value = #"{"fileChecksum":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB","size":3,"receipt":"r"}"#
        let patch = try patched(
            #"{"a":{"value":\#(value)},"b":{"value":7},"c":{"value":[\#(value),\#(value)],"type":"ASSET_LIST"}}"#
        ).get()
        var writer = JSONWriter()
        CanonicalFields.write(
            patch.set, numbersAsStrings: true,
            assets: { place, asset in
                AssetMembers(
                    downloadURL: "u/\(place.field)/\(place.index)/${f}", wrappingKey: place.index == 0 ? [1] : nil)
            }, to: &writer)
        let stored = #"{"fileChecksum":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB","size":3,"downloadURL":"u"#
        let expected =
            #"{"a":{"type":"ASSETID","value":\#(stored)/a/0/${f}","wrappingKey":"AQ=="}},"#
            + #""b":{"type":"INT64","value":"7"},"c":{"type":"ASSETID_LIST","value":["#
            + #"\#(stored)/c/0/${f}","wrappingKey":"AQ=="},\#(stored)/c/1/${f}"}]}}"#
        #expect(text(writer.bytes[...]) == expected)
    }

    private static let badReceipt =
        "bad upload receipt (did_not_validate): send singleFile exactly as the upload returned it"

    @Test("F11: a size can be a string that contains exactly the number")
    func sizesOfAssets() {
        func value(_ size: String) -> String {
            #"{"value":{"fileChecksum":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB","size":\#(size),"receipt":"r"}}"#
        }
        #expect(stored(value(#""3""#)) == stored(value("3")))
        for size in [
            #""""#, #""!""#, #"" 3""#, #""3 ""#, #""-""#, #""3e""#, #""\u0000""#, #""0x3""#, #""-1""#, "-1", "1.5",
            "1e99",
        ] { #expect(refusal(value(size)) == Self.badReceipt, "\(size)") }
        for size in ["true", "[]", "{}"] { #expect(refusal(value(size)) != nil, "\(size)") }
    }

    @Test("F11: an asset that was not uploaded is rejected, but assets can be cleared") func badAssets() {
        for type in ["ASSET", "ASSETID"] {
            #expect(
                refusal("{\"value\":{\"receipt\":\"r\"},\"type\":\"\(type)\"}")
                    == Self.badReceipt)
            #expect(stored("{\"type\":\"\(type)\"}") == "removed")
        }
        #expect(refusal(#"{"value":{"fileChecksum":"c","recordName":"x"}}"#) == Self.badReceipt)
        #expect(refusal(#"{"value":[{"receipt":"r"}],"type":"ASSET_LIST"}"#) == Self.badReceipt)
    }

    @Test("A reason names the field") func problem() {
        guard case .failure(let problem) = patched(#"{"a":{"value":1},"due":{"value":1e19,"type":"TIMESTAMP"}}"#) else {
            Issue.record("accepted"); return
        }
        #expect(
            problem.field == "due"
                && problem.reason
                    == "Invalid value, expected type TIMESTAMP. Send milliseconds since 1970, such as 1804579200000. (field 'due')"
        )
    }

    @Test("A reason names the field even if its name is a part of another word") func shortName() {
        guard case .failure(let problem) = patched(#"{"l":{"value":{"latitude":100,"longitude":0}}}"#) else {
            Issue.record("accepted"); return
        }
        #expect(problem.reason == "latitude 100.0 is not from -90 to 90 (field 'l')")
    }

    @Test func aPatchTellsWhatTheSchemaMayGrowBy() throws {
        let patch = try patched(#"{"b":{"value":"x","isEncrypted":true},"c":null,"a":{"value":[]}}"#).get()
        #expect(patch.fields.map(\.name) == ["a", "b"] && patch.fields.map(\.type) == [.unknownList, .string])
        #expect(patch.fields.map(\.isEncrypted) == [false, true] && patch.hasEncrypted && patch.assets.isEmpty)
        #expect(
            text(patch.set)
                == #"{"a":{"type":"UNKNOWN_LIST","value":[]},"b":{"isEncrypted":true,"type":"STRING","value":"x"}}"#)
    }

    @Test("The stored size counts, not the received size: a record is rejected at the first element beyond its limit")
    func size() throws {
        let zone = ReferenceZone(
            zoneName: Name(String(repeating: "z", count: 255)), ownerRecordName: "_owner", isPublic: false)
        func patch(_ count: Int, rest: String = "", bytesMax: Int) throws -> Int {
            let list = Array(repeating: #"{"recordName":"a"}"#, count: count).joined(separator: ",") + rest
            let input = try FieldsInput(json: #"{"f":{"value":[\#(list)],"type":"REFERENCE_LIST"}}"#.body)
            return try input.patch(recordType: "N", zone: zone, bytesMax: bytesMax, known: { _ in nil }).set.count
        }
        let size = try patch(100, bytesMax: .max)
        #expect(size > 15 * 100 * #"{"recordName":"a"},"#.utf8.count)
        #expect(try patch(100, bytesMax: size) == size)
        // If reading continued, the last element would be rejected as invalid.
        for (bytesMax, reason) in [(size, "Invalid value"), (size / 2, "a record can have at most \(size / 2) bytes")] {
            let problem = #expect(throws: FieldProblem.self) { try patch(100, rest: ",5", bytesMax: bytesMax) }
            #expect(problem?.message.hasPrefix(reason) == true)
        }
    }
}
