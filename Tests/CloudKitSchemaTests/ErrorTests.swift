import CloudKitSchema
import CloudKitWire
import Testing

/// Errors in a file, their places, and hints.
@Suite struct ErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let column: Int
        let message: String
        var hint = ""
        var testDescription: String { text }

        init(_ text: String, _ line: Int, _ column: Int, _ message: String, hint: String = "") {
            self.text = text
            (self.line, self.column) = (line, column)
            self.message = message
            self.hint = hint
        }

        func check() throws {
            let error = try #require(refusal(text))
            #expect(error.line == line && error.column == column, "\(error)")
            #expect(error.message.contains(message) && (error.hint ?? "").contains(hint), "\(error)")
        }
    }

    // docs/schema.md L25
    @Test("A syntax error has the format of Apple's tool")
    func form() throws {
        let bad = try #require(refusal("DEFINE SCHEMA\n\nRECORD TYPE T (\n\n\n                a       BADTYPE\n);"))
        #expect(
            bad.description.hasPrefix(
                """
                Encountered " <IDENTIFIER> "BADTYPE "" at line 6, column 25.
                Was expecting:
                    "LIST" ...

                """))
        let end = try #require(refusal("DEFINE SCHEMA RECORD TYPE T (a STRING"))
        #expect(
            end.description == """
                Encountered "<EOF>" at line 1, column 38.
                Was expecting one of:
                    "QUERYABLE" ...
                    "SEARCHABLE" ...
                    "SORTABLE" ...
                    "," ...
                    ")" ...
                The record type is not closed: close it with );
                """)
    }

    // docs/schema.md L1, L4, L25, L27
    @Test("A syntax error is reported with its position and a hint", arguments: syntax)
    func grammar(example: Case) throws { try example.check() }

    static let syntax = [
        Case("", 1, 1, "<EOF>", hint: "DEFINE SCHEMA"),
        Case("{\"isIndexed\": true}", 1, 1, "\"{ \"", hint: "JSON"),
        Case("DEFINE TABLE", 1, 8, "<IDENTIFIER> \"TABLE \"", hint: "DEFINE SCHEMA"),
        Case("DEFINE SCHEMA;", 1, 14, "\";\"", hint: "DEFINE SCHEMA does not"),
        Case("DEFINE SCHEMA CREATE ROLE a", 1, 28, "<EOF>", hint: "';' is missing"),
        Case("DEFINE SCHEMA RECORD TYPE A ()\nRECORD TYPE B ();", 2, 1, "\"RECORD\"", hint: "';' is missing"),
        Case("DEFINE SCHEMA CREATE RECORD TYPE A ();", 1, 22, "\"RECORD\"", hint: "RECORD TYPE"),
        Case("DEFINE SCHEMA SECURITY ROLE x ();", 1, 15, "SECURITY", hint: "CREATE ROLE name;"),
        Case("DEFINE SCHEMA RECORD TYPE T {", 1, 29, "\"{ \"", hint: "parentheses"),
        Case("DEFINE SCHEMA RECORD TYPE T;", 1, 28, "\";\"", hint: "parentheses"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING,);", 1, 39, "\")\"", hint: "Remove the ','"),
        Case("DEFINE SCHEMA RECORD TYPE T (,a STRING);", 1, 30, "\",\"", hint: "too many"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING b STRING);", 1, 39, "\"b \"", hint: "',' is missing"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING; b STRING);", 1, 38, "\";\"", hint: "separated by ','"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING NOT NULL);", 1, 39, "\"NOT \"", hint: "no such rule"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING INDEXED);", 1, 39, "INDEXED", hint: "QUERYABLE"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING [QUERYABLE]);", 1, 39, "\"[ \"", hint: "Brackets"),
        Case("DEFINE SCHEMA RECORD TYPE T (a QUERYABLE);", 1, 32, "\"QUERYABLE\"", hint: "type is missing"),
        Case("DEFINE SCHEMA RECORD TYPE T (a);", 1, 31, "\")\"", hint: "type is missing"),
        Case("DEFINE SCHEMA RECORD TYPE T (\"a\" RECORD ID);", 1, 34, "\"RECORD\"", hint: "\"___recordID\" REFERENCE"),
        Case("DEFINE SCHEMA RECORD TYPE T (a Bool);", 1, 32, "<IDENTIFIER>", hint: "INT64, 0 or 1"),
        Case("DEFINE SCHEMA RECORD TYPE T (a \"STRING\");", 1, 32, "\"\\\"STRING\\\" \"", hint: "Types are"),
        Case("DEFINE SCHEMA RECORD TYPE T (a LIST);", 1, 36, "\")\"", hint: "LIST<type>"),
        Case("DEFINE SCHEMA RECORD TYPE T (a LIST<LIST<STRING>>);", 1, 37, "\"LIST\"", hint: "cannot contain lists"),
        Case("DEFINE SCHEMA RECORD TYPE T (a LIST<STRING);", 1, 43, "\")\"", hint: "LIST<type>"),
        Case("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED ASSET);", 1, 42, "ASSET", hint: "always encrypted"),
        Case("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED REFERENCE);", 1, 42, "REFERENCE", hint: "cannot be encrypted"),
        Case("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED LIST<STRING>);", 1, 42, "LIST", hint: "LIST<ENCRYPTED type>"),
        Case("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED NUMBER);", 1, 42, "NUMBER", hint: "ENCRYPTED INT64"),
        Case(
            "DEFINE SCHEMA RECORD TYPE T (a NUMBER PREFERRED AS STRING);", 1, 52, "STRING", hint: "PREFERRED AS INT64"),
        Case(
            "DEFINE SCHEMA RECORD TYPE T (GRANT UPDATE TO \"_icloud\");", 1, 36, "UPDATE",
            hint: "WRITE is the right to change"),
        Case("DEFINE SCHEMA RECORD TYPE T (GRANT READ \"_icloud\");", 1, 41, "_icloud", hint: "GRANT READ, WRITE TO"),
        Case(
            "DEFINE SCHEMA RECORD TYPE T (GRANT READ TO _world);", 1, 44, "<UNKNOWN>",
            hint: "must be quoted: \"_world\""),
        Case("DEFINE SCHEMA RECORD TYPE T (grant STRING);", 1, 36, "STRING", hint: "must be quoted: \"grant\""),
        Case(
            "DEFINE SCHEMA RECORD TYPE T (sortable STRING);", 1, 30, "\"SORTABLE\"",
            hint: "quote it to use it as a name, \"sortable\""),
        Case("DEFINE SCHEMA RECORD TYPE T (___recordID REFERENCE);", 1, 30, "<UNKNOWN>", hint: "\"___recordID\""),
        Case("DEFINE SCHEMA RECORD TYPE T (2nd STRING);", 1, 30, "<UNKNOWN>", hint: "begin with a letter"),
        Case("DEFINE SCHEMA RECORD TYPE T (“a” STRING);", 1, 30, "“", hint: "straight double quotes"),
        Case("DEFINE SCHEMA\r\n+RECORD TYPE T ();", 2, 1, "\"+ \"", hint: "mark of a diff"),
        Case("DEFINE SCHEMA\rRECORD\u{A0}TYPE T ();", 2, 7, "<UNKNOWN>", hint: "plain one"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING <- b", 1, 39, "\"<\"", hint: "arrow"),
        Case("DEFINE SCHEMA RECORD TYPE T (my-field STRING);", 1, 32, "\"- \"", hint: "letters, digits and '_'"),
        Case("DEFINE SCHEMA RECORD TYPE a.b (", 1, 28, "\". \"", hint: "letters, digits and '_'"),
        Case("DEFINE SCHEMA RECORD TYPE T (a STRING, ...);", 1, 40, "\". \"", hint: "Three dots"),
        Case("```\nDEFINE SCHEMA", 1, 1, "\"` \"", hint: "document"),
        Case("DEFINE SCHEMA /* never closed", 1, 15, "not closed", hint: "*/"),
        Case("DEFINE SCHEMA RECORD TYPE \"T (\n", 1, 27, "not closed on its line", hint: "\""),
    ]

    // docs/schema.md L7 to L10, L14 to L23, L26
    @Test("A valid statement without a valid meaning is reported with its position and a hint", arguments: semantics)
    func meaning(example: Case) throws { try example.check() }

    static let semantics = [
        Case(
            "DEFINE SCHEMA RECORD TYPE T ();\nRECORD TYPE T ();", 2, 13, "Record type T is declared twice",
            hint: "line 1, column 27"),
        Case("DEFINE SCHEMA CREATE ROLE r; CREATE ROLE \"r\";", 1, 42, "Role r is declared twice"),
        Case(
            "DEFINE SCHEMA RECORD TYPE T (a STRING,\n\"a\" STRING);", 2, 1, "Field a is declared twice in record type T"
        ),
        Case(items("\"___etag\" STRING, \"___etag\" STRING"), 1, 48, "is declared twice"),
        Case(items("a ASSET SORTABLE"), 1, 38, "cannot be SORTABLE", hint: "ASSET takes no options"),
        Case(
            items("a ENCRYPTED STRING QUERYABLE"), 1, 49, "cannot be QUERYABLE",
            hint: "ENCRYPTED STRING takes no options"),
        Case(items("a INT64 SEARCHABLE"), 1, 38, "cannot be SEARCHABLE", hint: "INT64 takes QUERYABLE, SORTABLE"),
        Case(items("a REFERENCE QUERYABLE SORTABLE"), 1, 52, "cannot be SORTABLE", hint: "REFERENCE takes QUERYABLE."),
        Case(items("a LIST<STRING> SORTABLE"), 1, 45, "cannot be SORTABLE", hint: "QUERYABLE, SEARCHABLE"),
        Case(items("a STRING SORTABLE QUERYABLE SORTABLE"), 1, 58, "SORTABLE appears twice"),
        Case(items("\"___recordID\" STRING"), 1, 44, "is of type REFERENCE, not STRING", hint: "cannot change"),
        Case(items("\"___modTime\" TIMESTAMP SEARCHABLE"), 1, 53, "cannot be SEARCHABLE"),
        Case(
            items("\"__recordID\" REFERENCE"), 1, 30, "\"__recordID\" cannot be declared",
            hint: "three underscores: \"___recordID\""),
        Case(items("\"___recordType\" STRING"), 1, 30, "cannot be declared", hint: "reserved for the system"),
        Case(items("\"\" STRING"), 1, 30, "this one has 0"),
        Case(items("\"\(String(repeating: "n", count: 256))\" STRING"), 1, 30, "this one has 256"),
        Case(
            items("\"two words\" STRING"), 1, 30, "\"two words\" cannot be the name of a field",
            hint: "letters, digits and '_'"),
        Case(items("\"cloudkit.\" STRING"), 1, 30, "cannot be the name of a field"),
        Case(
            "DEFINE SCHEMA RECORD TYPE \"other.share\" ();", 1, 27, "cannot be the name of a record type",
            hint: "\"cloudkit.\""),
        Case("DEFINE SCHEMA CREATE ROLE \"_world\";", 1, 27, "cannot be declared", hint: "always exists"),
        Case("DEFINE SCHEMA CREATE ROLE \"a\u{7}\";", 1, 27, "control character"),
        Case(items("GRANT READ TO\nkeeper"), 2, 1, "Role keeper is not declared", hint: "CREATE ROLE keeper;"),
        Case(items("GRANT READ TO world"), 1, 44, "Role world is not declared", hint: "\"_world\""),
        Case(items("GRANT READ TO \"_authenticated\""), 1, 44, "no role \"_authenticated\"", hint: "\"_icloud\""),
        Case(items("GRANT CREATE TO \"_world\""), 1, 36, "CREATE cannot be granted to \"_world\""),
        Case(
            items("GRANT READ, WRITE TO \"_world\""), 1, 42, "WRITE cannot be granted to \"_world\"",
            hint: "\"_icloud\""),
        Case(
            "DEFINE SCHEMA RECORD TYPE Users (GRANT CREATE TO \"_icloud\");", 1, 40, "CREATE cannot be granted",
            hint: "first sees"),
        Case("DEFINE SCHEMA RECORD TYPE Users (roles STRING);", 1, 40, "is of type LIST<INT64>, not STRING"),
    ]

    private static func items(_ items: String) -> String { "DEFINE SCHEMA RECORD TYPE T (\(items));" }

    // docs/schema.md L24
    @Test("Columns count characters rather than bytes, and a tab counts as one")
    func columns() throws {
        let error = try #require(refusal("\u{FEFF}DEFINE SCHEMA\n\t/* 漢字 é */ #"))
        #expect(error.line == 2 && error.column == 13)
    }

    // docs/schema.md L1, L24
    @Test(
        "Bytes that are not UTF-8 are rejected at their position, in comments too",
        arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80]])
    func notUTF8(bytes: [UInt8]) throws {
        for text in ["DEFINE SCHEMA\n// é", "DEFINE SCHEMA\n/* ", "DEFINE SCHEMA\n \"ab"] {
            let error = try #require(refusal(Array(text.utf8) + bytes))
            #expect(
                error.message == "The file is not UTF-8" && error.line == 2 && error.column == 5 || text.contains("*"))
            #expect(error.line == 2)
        }
    }

    // docs/schema.md L1, L11
    @Test("A limit is reported at the first item beyond it")
    func limits() throws {
        let text =
            "DEFINE SCHEMA CREATE ROLE r; RECORD TYPE A (a STRING, \"___etag\" STRING, b STRING); RECORD TYPE B ();"
        func place(_ limits: SchemaLimits) -> Int? { refusal(text, limits: limits)?.column }
        #expect(place(SchemaLimits()) == nil)
        #expect(place(SchemaLimits(bytes: 100, recordTypes: 2, fields: 2, roles: 1)) == nil)
        #expect(place(SchemaLimits(fields: 1)) == 73 && place(SchemaLimits(recordTypes: 1)) == 96)
        #expect(place(SchemaLimits(roles: 0)) == 27 && place(SchemaLimits(bytes: 99)) == 1)
    }

    // docs/schema.md L27
    @Test("A message quotes little of the file, and no terminal escapes")
    func excerpts() throws {
        let long = try #require(refusal("DEFINE SCHEMA " + String(repeating: "x", count: 5_000)))
        #expect(long.description.utf8.count < 300 && long.message.contains("xxx…"))
        for text in [
            "CREATE ROLE \"_a\u{1B}[2J\";", "RECORD TYPE \"a\u{1B}[2J\" ();",
            "RECORD TYPE T (GRANT READ TO \"a\u{202E}b\");",
        ] {
            let error = try #require(refusal("DEFINE SCHEMA \(text)"))
            #expect(!error.description.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(error)")
        }
    }

    // docs/schema.md L24, L21
    @Test("Only the first error is reported; undeclared roles come last")
    func first() throws {
        #expect(try #require(refusal("DEFINE SCHEMA RECORD TYPE T (a ASSET SORTABLE, b NONE);")).column == 38)
        #expect(try #require(refusal("DEFINE SCHEMA RECORD TYPE T (GRANT READ TO x, b NONE);")).column == 49)
        #expect(try #require(refusal("DEFINE SCHEMA RECORD TYPE T (GRANT READ TO y, GRANT READ TO x);")).column == 44)
    }
}
