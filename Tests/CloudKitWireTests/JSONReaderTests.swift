import CloudKitWire
import Foundation
import Testing

/// docs/protocol.md, "JSON", J1 to J6, J10.
@Suite struct JSONReaderTests {
    static let refusedBytes: [(String, [UInt8])] = [
        ("J1 overlong form", [0x22, 0xC0, 0x80, 0x22]), ("J1 surrogate in UTF-8", [0x22, 0xED, 0xA0, 0x80, 0x22]),
        ("J1 beyond U+10FFFF", [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22]), ("J1 cut sequence", [0x22, 0xE6, 0xBC, 0x22]),
        ("J1 stray continuation", [0x22, 0x80, 0x22]), ("J1 0xFF", [0x22, 0xFF, 0x22]),
        ("J1 overlong three", [0x22, 0xE0, 0x9F, 0xBF, 0x22]),
        ("J1 overlong four", [0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22]),
        ("J1 byte order mark", [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]),
    ]

    static let refusedTexts: [(String, String)] = [
        ("J1 two documents", "{}{}"), ("J1 letter behind", "{} x"), ("J1 NUL behind", "{}\u{0}"),
        ("J3 raw control character", "\"a\u{1}b\""), ("J3 raw newline", "\"a\nb\""),
        ("J3 high surrogate alone", #""\ud83d""#), ("J3 low surrogate alone", #""\udf31""#),
        ("J3 two high surrogates", #""\ud83d\ud83d""#), ("J3 high then letter", #""\ud83dx""#),
        ("J3 unknown escape", #""\x41""#), ("J3 upper-case escape", #""\U0041""#), ("J3 short escape", #""\u00f""#),
        ("J3 sign in an escape", #""\u+041""#), ("J3 no end", "\"abc"), ("J3 escaped end", #""abc\""#),
        ("J4 leading zero", "01"), ("J4 minus zero one", "-01"), ("J4 plus", "+1"), ("J4 point first", ".5"),
        ("J4 point last", "1."), ("J4 bare minus", "-"), ("J4 bare exponent", "1e"), ("J4 signed bare exponent", "1e+"),
        ("J4 NaN", "NaN"), ("J4 Infinity", "Infinity"), ("J4 minus Infinity", "-Infinity"), ("J4 hex", "0x1"),
        ("comma first", "[,1]"), ("comma last", "[1,]"), ("comma last in object", #"{"a":1,}"#), ("no comma", "[1 2]"),
        ("no colon", #"{"a" 1}"#), ("no value", #"{"a":}"#), ("number as key", "{1:2}"), ("single quotes", "{'a':1}"),
        ("wrong close", "[1}"), ("open array", "[1"), ("open object", #"{"a":1"#), ("comment", "[1/**/]"),
        ("half literal", "tru"), ("longer literal", "nulll"), ("nothing", ""), ("space", "  "),
        ("form feed as space", "[1,\u{C}2]"), ("no-break space", "[1,\u{A0}2]"),
        ("J5 twice", #"{"a":1,"a":1}"#), ("J5 twice by escape", #"{"a":1,"\u0061":1}"#),
        ("J5 empty twice", #"{"":1,"":1}"#),
        ("J2 number of 1,025 bytes", String(repeating: "1", count: 1025)),
        ("J2 33 deep", String(repeating: "[", count: 33) + String(repeating: "]", count: 33)),
    ]

    static let refused = refusedBytes + refusedTexts.map { ($0.0, Array($0.1.utf8)) }

    @Test(arguments: refused.indices) func refuses(_ index: Int) {
        let (rule, json) = Self.refused[index]
        #expect(throws: WireError.self, "\(rule)") { try JSONTree(reading: json[...]) }
        // Skipped values are checked in the same way (J6), except for duplicate keys.
        if rule.hasPrefix("J5") || json.contains(0xEF) || rule == "nothing" || rule == "space" { return }
        let wrapped = Array("{\"unknown\":".utf8) + json + Array("}".utf8)
        #expect(throws: WireError.self, "\(rule), skipped") { try DatabaseChangesRequest(json: wrapped[...]) }
    }

    static let read: [(json: String, tree: JSONTree)] = [
        (#""a\/b""#, .string("a/b")), (#""\u0000""#, .string("\u{0}")), (#""\ud83c\udf31""#, .string("🌱")),
        (#""\"\\\b\f\n\r\tA\u00e9\u6F22""#, .string("\"\\\u{8}\u{C}\n\r\tAé漢")), ("\"\u{7F}\"", .string("\u{7F}")),
        (" \t\r\n[ 1 , 2 ] ", .array([.int(1), .int(2)])), ("{ }", .object([:])), ("[ ]", .array([])),
        ("0", .int(0)), ("-0", .int(0)), ("1e2", .int(100)), ("3.0", .int(3)), ("1.5E1", .int(15)),
        ("0.5", .double(0.5)),
        ("1e-400", .double(0)),
        (#"{"a":{"a":1},"b":{"a":1}}"#, .object(["a": .object(["a": .int(1)]), "b": .object(["a": .int(1)])])),
    ]

    @Test(arguments: read.indices) func reads(_ index: Int) throws {
        #expect(try JSONTree(reading: Self.read[index].json.body) == Self.read[index].tree)
    }

    @Test("J2: 32 nested containers are accepted, also where they are skipped")
    func depth() throws {
        let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        _ = try JSONTree(reading: deep.body)
        let skipped = "{\"x\":" + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"
        _ = try DatabaseChangesRequest(json: skipped.body)
        let tooDeep = "{\"x\":" + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}"
        #expect(throws: WireError.self) { try DatabaseChangesRequest(json: tooDeep.body) }
    }

    @Test("J2: the reader's own limit on strings applies")
    func stringLimit() throws {
        var reader = try JSONReader(#"["abcd","abcde"]"#.body, limits: JSONLimits(stringBytes: 4))
        #expect(throws: WireError.self) {
            try reader.readArray { reader, _ throws(WireError) in _ = try reader.readString() }
        }
    }

    @Test("J3: finds the end of plain text at each of 40 offsets, in strings of each length")
    func specialCharactersAtEveryOffset() throws {
        for length in 0...40 {
            for place in 0..<max(length, 1) {
                var plain = [Character](repeating: "x", count: length)
                if length > 0 { plain[place] = "é" }
                let expected = String(plain) + "\n\"" + String(plain)
                let json = "\"\(String(plain))\\n\\\"\(String(plain))\""
                #expect(try JSONTree(reading: json.body) == .string(expected))
                #expect(written { $0.string(expected) } == json)
                let broken = Array("\"\(String(plain))".utf8) + [0x1F] + Array("\"".utf8)
                #expect(throws: WireError.self) { try JSONTree(reading: broken[...]) }
            }
        }
    }

    @Test("J3: strings without escapes share the document's memory")
    func slices() throws {
        let body = #"  {"zoneName":"Notebook"}"#.body
        var reader = try JSONReader(body)
        try reader.readObject { reader, _ throws(WireError) in
            let name = try reader.readString()
            #expect(name.startIndex > 0 && text(body[name.startIndex..<name.endIndex]) == "Notebook")
        }
    }

    @Test(
        "J5: finds a duplicate among a thousand keys", arguments: [2, 31, 32, 33, 34, 1000])
    func duplicateAmongMany(count: Int) {
        let keys = (0..<count).map { "\"key-number-\($0)\":1" }
        #expect(throws: Never.self) { try JSONTree(reading: "{\(keys.joined(separator: ","))}".body) }
        for again in [0, count / 2, count - 1] {
            let json = "{\((keys + [keys[again]]).joined(separator: ","))}"
            #expect(throws: WireError.self) { try JSONTree(reading: json.body) }
        }
    }

    @Test("An unreadable value is skipped, and everything after it is read correctly")
    func replacing() throws {
        /// Whole numbers under `n`; for anything else, the text of the element.
        func read(_ json: String) throws(WireError) -> [String] {
            var (reader, found) = (try JSONReader(json.body), [String]())
            try reader.readObject { reader, key throws(WireError) in
                guard case "all" = key else { return found.append("\(try reader.readInt64())") }
                try reader.readArray { reader, _ throws(WireError) in
                    try reader.read { reader throws(WireError) in
                        var number: Int64 = 0
                        try reader.readObject { reader, _ throws(WireError) in
                            try reader.readObject { reader, _ throws(WireError) in number = try reader.readInt64() }
                        }
                        found.append("\(number)")
                    } orElse: { reader, error throws(WireError) in
                        var reader = reader
                        #expect(!error.reason.isEmpty)
                        found.append(text(try reader.skipValue()))
                    }
                }
            }
            return found
        }
        let bad = [#"{"a":{"n":"x"},"b":[1]}"#, #"{"a":{"n":1,"n":2}}"#, "5", "[[]]", #"{"a":{"all":{}}}"#]
        for bad in bad {
            let all = #"[{"a":{"n":1}}, \#(bad) ,{"a":{"n":3}}]"#
            #expect(try read(#"{"all":\#(all),"last":4}"#) == ["1", bad, "3", "4"])
            // Neither the open containers nor the keys are lost.
            #expect(throws: WireError.self) { try read(#"{"all":\#(all),"all":[]}"#) }
            #expect(throws: WireError.self) { try read(#"{"all":\#(all)]"#) }
        }
        for broken in [#"{"a":{"n":"x"}"#, "{]", "tru"] {
            #expect(throws: WireError.self) { try read(#"{"all":[\#(broken)],"last":4}"#) }
        }
        let deep = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
        #expect(throws: WireError.self) { try read(#"{"all":[\#(deep)]}"#) }
    }

    @Test("J10: a reason contains the position, the cause and the byte, and little of the input")
    func reasons() {
        let long = String(repeating: "s", count: 5000)
        let bodies = [
            #"{"operations":[{"operationType":"create","record":{"recordName":7}}]}"#,
            #"{"operations":[{"operationType":"\#(long)","record":{}}]}"#,
            "{\"operations\":[],\"\(long)\":1,\"\(long)\":2}", "[]", "{operations:[]}",
        ]
        let reasons = bodies.map { body in
            do throws(WireError) {
                _ = try RecordsModifyRequest(json: body.body)
                return ""
            } catch {
                return error.reason
            }
        }
        #expect(reasons[0] == "operations[0].record.recordName: expected a string (byte 64)")
        #expect(
            reasons[1].contains("unknown operationType 's") && !reasons[1].contains(String(repeating: "s", count: 41)))
        #expect(reasons[3] == "the body must be a JSON object, such as {}: expected an object (byte 0)")
        #expect(reasons[4] == "expected a key in double quotes (byte 1)")
        #expect(reasons[2].contains("twice") && !reasons[2].contains(String(repeating: "s", count: 41)))
    }
}

extension JSONReaderTests {
    @Test("docs/protocol.md J2: an object has at most 1,024 keys, known or not")
    func tooManyKeys() {
        func body(_ count: Int) -> ArraySlice<UInt8> {
            let keys = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
            return ArraySlice("{\(keys)}".utf8)
        }
        #expect(throws: Never.self) { try DatabaseChangesRequest(json: body(1_024)) }
        #expect(throws: WireError.self) { try DatabaseChangesRequest(json: body(1_025)) }
    }
}
