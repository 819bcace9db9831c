import CloudKitWire
import Testing

/// docs/protocol.md, "JSON", J11.
@Suite struct JSONWriterTests {
    @Test(
        "J11: escapes only what must be escaped",
        arguments: [
            ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
            ("\u{0}\u{1F}\u{1B}", #""\u0000\u001f\u001b""#), ("é漢🌱\u{7F}\u{2028}", "\"é漢🌱\u{7F}\u{2028}\""),
            ("", "\"\""),
        ]) func escapes(value: String, json: String)
    { #expect(written { $0.string(value) } == json) }

    @Test("J11: inserts commas, without white space") func commas() {
        let json = written { writer in
            writer.beginObject()
            writer.member("a", "{")
            writer.member("b", true)
            writer.key("c")
            writer.beginArray()
            writer.int64(1)
            writer.string("[")
            writer.beginArray()
            writer.endArray()
            writer.raw("{}".body)
            writer.beginObject()
            writer.endObject()
            writer.null()
            writer.endArray()
            writer.key(named: "d\"")
            writer.string(":")
            writer.member("e", Int64(5))
            writer.endObject()
        }
        #expect(json == #"{"a":"{","b":true,"c":[1,"[",[],{},{},null],"d\"":":","e":5}"#)
    }
}
