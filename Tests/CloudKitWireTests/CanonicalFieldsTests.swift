import CloudKitWire
import NephosTesting
import Testing

/// docs/protocol.md, "Field values", canonical form.
@Suite struct CanonicalFieldsTests {
    static let sample = """
        {"big":{"type":"INT64","value":9007199254740993},"ciphers":{"isEncrypted":true,"type":"INT64","value":"x,[1]"},\
        "due":{"type":"TIMESTAMP","value":5},"halves":{"type":"DOUBLE_LIST","value":[0.5,-1.0]},"none":{"type":"INT64_LIST","value":[]},\
        "place":{"type":"LOCATION","value":{"latitude":1.0,"longitude":2.0}},"t":{"type":"STRING","value":"a}\\"{,é"}}
        """

    private func write(_ fields: String, _ keys: DesiredKeys? = nil, strings: Bool = false) -> String {
        written { CanonicalFields.write(fields.body, selecting: keys, numbersAsStrings: strings, to: &$0) }
    }

    @Test func canonicalBytesAreRecognised() {
        #expect(CanonicalFields.formatVersion == 1)
        for fields in ["{}", Self.sample] { #expect(CanonicalFields.isCanonical(fields.body)) }
    }

    @Test(
        "Any other spelling is not canonical",
        arguments: [
            "", "[]", "{ }", #"{"b":{"type":"INT64","value":1},"a":{"type":"INT64","value":1}}"#,
            #"{"a":{"value":1,"type":"INT64"}}"#, #"{"a":{"value":1}}"#,
            #"{"a":{"type":"INT64","value":1.0}}"#, #"{"a":{"type":"DOUBLE","value":1}}"#,
            #"{"a":{"type":"STRING","value":"\/"}}"#, #"{"a":null}"#,
            #"{"a":{"type":"STRING","value":"\u0041"}}"#, #"{"a":{"type":"BYTES","value":"AB=="}}"#,
            #"{"a":{"isEncrypted":false,"type":"INT64","value":1}}"#,
            #"{"a":{"type":"REFERENCE","value":{"recordName":"r"}}}"#, #"{"a":{"type":"ASSET_LIST","value":[]}}"#,
            #"{"a":{"type":"INT64","value":1}} "#,
        ]) func notCanonical(fields: String)
    { #expect(!CanonicalFields.isCanonical(fields.body)) }

    @Test func fieldsAreFoundWithoutReadingThem() {
        let fields = Self.sample.body
        #expect(CanonicalFields.names(in: fields) == ["big", "ciphers", "due", "halves", "none", "place", "t"])
        #expect(CanonicalFields.count(in: fields) == 7 && CanonicalFields.count(in: CanonicalFields.empty) == 0)
        #expect(CanonicalFields.value(of: "due", in: fields).map { text($0) } == #"{"type":"TIMESTAMP","value":5}"#)
        for name in ["", "a", "dud", "duf", "zz"] as [Name] {
            #expect(CanonicalFields.value(of: name, in: fields) == nil)
        }
    }

    @Test func aSelectionWritesThoseFields() {
        #expect(write(Self.sample) == Self.sample)
        #expect(write(Self.sample, []) == "{}")
        #expect(
            write(Self.sample, ["zz", "due", "big", "Ü", "due"])
                == #"{"big":{"type":"INT64","value":9007199254740993},"due":{"type":"TIMESTAMP","value":5}}"#)
    }

    @Test("numbersAsStrings quotes INT64, DOUBLE, TIMESTAMP and their lists") func numbersAsStrings() {
        #expect(
            write(Self.sample, strings: true) == """
                {"big":{"type":"INT64","value":"9007199254740993"},"ciphers":{"isEncrypted":true,"type":"INT64","value":"x,[1]"},\
                "due":{"type":"TIMESTAMP","value":"5"},"halves":{"type":"DOUBLE_LIST","value":["0.5","-1.0"]},"none":{"type":"INT64_LIST","value":[]},\
                "place":{"type":"LOCATION","value":{"latitude":1.0,"longitude":2.0}},"t":{"type":"STRING","value":"a}\\"{,é"}}
                """)
        #expect(
            write(Self.sample, ["halves"], strings: true)
                == #"{"halves":{"type":"DOUBLE_LIST","value":["0.5","-1.0"]}}"#)
    }

    /// Random fields of a request, and their meaning: name → canonical dictionary, nil for a removal.
    private func randomFields(using random: inout SeededGenerator) -> (json: String, meaning: [String: String?]) {
        var members: [(String, String)] = []
        var meaning: [String: String?] = [:]
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let name =
                ["a", "b", "B", "ab", "a_", "c9", "cloudkit.title", "zz", "due", "d"].randomElement(using: &random)
                ?? "a"
            if meaning[name] != nil { continue }
            let value = written { $0.string(JSONTree.randomString(using: &random)) }
            let number = Int64.random(in: .min ... .max, using: &random)
            let forms: [(String, String?)] = [
                ("{\"value\":\(value)}", "{\"type\":\"STRING\",\"value\":\(value)}"),
                ("{\"type\":\"INT64\",\"value\":\"\(number)\"}", "{\"type\":\"INT64\",\"value\":\(number)}"),
                (" { \"value\" : [ \(number) , 1 ] } ", "{\"type\":\"INT64_LIST\",\"value\":[\(number),1]}"),
                ("null", nil), ("{}", nil),
                ("{\"value\":[\(value)]}", "{\"type\":\"STRING_LIST\",\"value\":[\(value)]}"),
                (
                    "{\"value\":\(value),\"isEncrypted\":true}",
                    "{\"isEncrypted\":true,\"type\":\"STRING\",\"value\":\(value)}"
                ),
            ]
            guard let form = forms.randomElement(using: &random) else { continue }
            members.append((name, form.0))
            meaning[name] = .some(form.1)
        }
        return ("{\(members.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}", meaning)
    }

    @Test("Saves merge like dictionaries and stay canonical", arguments: seeds) func merging(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var fields = CanonicalFields.empty
        var model: [String: String] = [:]
        for _ in 0..<200 {
            let (json, meaning) = randomFields(using: &random)
            let patch = try patched(json).get()
            #expect(CanonicalFields.isCanonical(patch.set))
            fields = CanonicalFields.merge(stored: fields, patch: patch)
            for (name, value) in meaning { model[name] = value }
            let expected = model.sorted { Name($0.key) < Name($1.key) }.map { "\"\($0.key)\":\($0.value)" }
            #expect(text(fields) == "{\(expected.joined(separator: ","))}")
            #expect(CanonicalFields.isCanonical(fields), "\(text(fields))")
        }
    }

    @Test("Reading bytes that are not canonical never goes past their end", arguments: seeds) func strangers(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var bytes = Array(Self.sample.utf8.prefix(Int.random(in: 0...Self.sample.utf8.count, using: &random)))
            for _ in 0..<3 where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &random)] =
                    Array("{}[]\",:\\a0".utf8).randomElement(using: &random) ?? 0
            }
            let fields = ([UInt8(ascii: "{")] + bytes)[1...]
            let names = CanonicalFields.names(in: fields)
            #expect(names.count == CanonicalFields.count(in: fields))
            _ = CanonicalFields.references(in: fields)
            _ = CanonicalFields.merge(stored: fields, patch: FieldsPatch(set: Self.sample.body, removed: names))
            _ = written {
                CanonicalFields.write(fields, selecting: DesiredKeys(names), numbersAsStrings: true, to: &$0)
            }
        }
    }
}
