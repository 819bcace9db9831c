import NephosTesting
import Testing

/// Bodies that are not valid JSON, or JSON with a wrong structure (docs/protocol.md, J1 to J10).
extension BadInput {
    @Suite(.inside) struct JSONText {
        static let refused = Row.Answer.refused(400, "BAD_REQUEST", "")

        private static func lookup(_ description: String, _ body: String, _ reason: String = "") -> Row {
            .body(description, "records/lookup", Array(body.utf8), .refused(400, "BAD_REQUEST", reason))
        }

        private static func bytes(_ description: String, _ bytes: [UInt8]) -> Row {
            .body(description, "records/lookup", bytes, refused)
        }

        /// A lookup whose record name is these bytes, in quotation marks.
        private static func text(_ description: String, _ bytes: [UInt8]) -> Row {
            .body(
                description, "records/lookup",
                Array(#"{"records":[{"recordName":""#.utf8) + bytes + Array(#""}]}"#.utf8), refused)
        }

        private static func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            #"{"records":[],"x":"# + String(repeating: open, count: depth) + "1"
                + String(repeating: close, count: depth) + "}"
        }

        static let syntax: [Row] = [
            lookup("a word", "hello"), lookup("an open object", "{"), lookup("an open string", #"{"records":""#),
            lookup("a comma too many", #"{"records":[],}"#), lookup("a comma too few", #"{"records":[] "x":1}"#),
            lookup("bytes behind", #"{"records":[]} x"#), lookup("two documents", #"{"records":[]}{"records":[]}"#),
            lookup("single quotes", "{'records':[]}"), lookup("a comment", #"{"records":[] /* none */}"#),
            lookup("no quotes", "{records:[]}"), lookup("an array", "[]"), lookup("a string", #""records""#),
            lookup("a number", "1"), lookup("null", "null"), lookup("true", "true"),
            lookup("NaN", #"{"records":[],"x":NaN}"#), lookup("Infinity", #"{"records":[],"x":Infinity}"#),
            lookup("a plus sign", #"{"records":[],"x":+1}"#), lookup("a leading zero", #"{"records":[],"x":01}"#),
            lookup("a bare fraction", #"{"records":[],"x":.5}"#), lookup("an open fraction", #"{"records":[],"x":1.}"#),
            lookup("an open exponent", #"{"records":[],"x":1e}"#), lookup("hexadecimal", #"{"records":[],"x":0x10}"#),
            lookup("a minus alone", #"{"records":[],"x":-}"#), lookup("True", #"{"records":[],"x":True}"#),
            lookup("a number of 2,000 digits", #"{"records":[],"x":"# + String(repeating: "1", count: 2_000) + "}"),
            lookup("a key twice", #"{"records":[],"records":[]}"#, "records"),
            lookup("a key twice, escaped once", #"{"records":[],"r\u0065cords":[]}"#, "records"),
            lookup("an unknown key twice", #"{"records":[],"x":1,"x":2}"#),
            lookup("the records missing", "{}", "records"), lookup("an empty body", "", "records"),
            lookup("33 objects deep", nested(32, #"{"x":"#, "}"), "32"),
            lookup("33 arrays deep", nested(32, "[", "]"), "32"),
            lookup("100,000 arrays deep", nested(100_000, "[", "]"), "32"),
            lookup("a million open arrays", String(repeating: "[", count: 1_000_000)),
            lookup("a million open objects", String(repeating: #"{"x":"#, count: 1_000_000)),
        ]

        static let texts: [Row] = [
            bytes("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(#"{"records":[]}"#.utf8)),
            bytes("UTF-16", Array(#"{"records":[]}"#.utf8).flatMap { [$0, 0] }), bytes("a NUL", [0]),
            text("a lone continuation byte", [0x80]), text("an open sequence", [0xE2, 0x82]),
            text("an overlong slash", [0xC0, 0xAF]), text("an overlong NUL", [0xC0, 0x80]),
            text("a surrogate in UTF-8", [0xED, 0xA0, 0x80]), text("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]),
            text("the byte FF", [0xFF]), text("a raw newline", [0x0A]), text("a raw NUL", [0x00]),
            text("a lone high surrogate", Array(#"\ud83d"#.utf8)), text("a lone low surrogate", Array(#"\ude00"#.utf8)),
            text("surrogates the wrong way round", Array(#"\ude00\ud83d"#.utf8)),
            text("an unknown escape", Array(#"\x"#.utf8)), text("a short escape", Array(#"\u12"#.utf8)),
            text("an escape of letters", Array(#"\u12zz"#.utf8)),
        ]

        @Test(arguments: syntax) func whatIsNoJSONIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: texts) func whatIsNoUnicodeIsRefused(_ row: Row) throws { try row.prove() }
    }
}
