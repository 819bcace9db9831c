import CloudKitSchema
import CloudKitWire
import Testing

/// The meaning of the language.
@Suite struct ParserTests {
    // docs/schema.md L4, L44
    @Test("A schema without statements is empty")
    func empty() throws {
        #expect(try schema("DEFINE SCHEMA") == Schema())
        #expect(try schema("define Schema\n").recordTypes.isEmpty)
    }

    // docs/schema.md L1 to L3
    @Test(
        "White space, comments and a byte order mark are ignored",
        arguments: [
            "\u{FEFF}DEFINE SCHEMA RECORD TYPE T (a STRING);",
            "// ü\nDEFINE -- 漢\r\nSCHEMA/*;*/RECORD/**/TYPE T/* a\n * b */(\ra\tSTRING--\n)/***/;//",
            "DEFINE SCHEMA\n\nRECORD TYPE T (\n\n/* GRANT READ TO x, */ a STRING\n\n);\n\n",
        ])
    func space(text: String) throws {
        let expected = Schema(recordTypes: [.init(name: "T", fields: [.init(name: "a", type: try .plain(.string))])])
        #expect(try schema(text) == expected)
    }

    // docs/schema.md L4, L12, L13
    @Test(
        "Every type of the language is parsed in any letter case and printed in its standard spelling",
        arguments: [
            ("ASSET", FieldType.asset), ("BYTES", .bytes), ("DOUBLE", .double), ("INT64", .int64),
            ("LOCATION", .location), ("REFERENCE", .reference), ("STRING", .string), ("TIMESTAMP", .timestamp),
        ])
    func types(word: String, kind: FieldType) throws {
        for text in [word, word.lowercased()] {
            #expect(try type(text) == .plain(kind))
            #expect(try type("LIST < \(text) >") == .plain(try #require(kind.list)))
        }
        #expect(try type(word).words == word && type("LIST<\(word)>").words == "LIST<\(word)>")
        guard kind != .asset, kind != .reference else { return }
        #expect(try type("encrypted \(word)") == Schema.DataType(kind, isEncrypted: true))
        let list = try type("LIST<ENCRYPTED \(word)>")
        #expect(list.kind == kind.list && list.isEncrypted && list.words == "LIST<ENCRYPTED \(word)>")
    }

    // docs/schema.md L13
    @Test("A NUMBER is a DOUBLE until its type is decided, and keeps its spelling")
    func numbers() throws {
        #expect(try type("NUMBER") == Schema.DataType(.double, number: .undecided))
        #expect(try type("number preferred as int64") == Schema.DataType(.int64, number: .preferred))
        #expect(try type("NUMBER PREFERRED AS DOUBLE") == Schema.DataType(.double, number: .preferred))
        #expect(try type("LIST<NUMBER>") == Schema.DataType(.doubleList, number: .undecided))
        for words in ["NUMBER", "NUMBER PREFERRED AS INT64", "LIST<NUMBER PREFERRED AS DOUBLE>"] {
            #expect(try type(words).words == words)
        }
        #expect(try type("NUMBER") != type("DOUBLE") && type("NUMBER PREFERRED AS DOUBLE") != type("DOUBLE"))
    }

    // docs/schema.md L12, L13
    @Test("Rejects types that the language does not have")
    func noTypes() {
        #expect(Schema.DataType(.unknownList) == nil)
        #expect(Schema.DataType(.asset, isEncrypted: true) == nil)
        #expect(Schema.DataType(.referenceList, isEncrypted: true) == nil)
        #expect(
            Schema.DataType(.int64, number: .undecided) == nil && Schema.DataType(.string, number: .preferred) == nil)
        #expect(Schema.DataType(.double, isEncrypted: true, number: .preferred) == nil)
    }

    // docs/schema.md L5 to L9
    @Test("Optional quotes have no meaning, and keywords can be names")
    func names() throws {
        #expect(try schema(items: "\"a\" STRING") == schema(items: "a STRING"))
        let words = [
            "type", "list", "role", "record", "string", "timestamp", "to", "read", "as", "define", "encrypted",
        ]
        let read = try schema(items: words.map { "\($0) STRING" }.joined(separator: ","))
        #expect(read.recordTypes.first?.fields.map(\.name.text) == words.sorted())
        let quoted = ["grant", "preferred", "queryable", "searchable", "sortable", "GRANT", "Sortable"]
        let reserved = try schema(items: quoted.map { "\"\($0)\" STRING" }.joined(separator: ","))
        #expect(reserved.fieldCount == quoted.count)
        let share = try schema("DEFINE SCHEMA RECORD TYPE \"cloudkit.share\" (\"cloudkit.title\" STRING);")
        #expect(share[type: "cloudkit.share"]?[field: "cloudkit.title"] != nil)
        #expect(try schema("DEFINE SCHEMA CREATE ROLE \"test role ü\";").roles == ["test role ü"])
    }

    // docs/schema.md L10
    @Test("Names are case-sensitive")
    func cases() throws { #expect(try schema(items: "a STRING, A INT64").fieldCount == 2) }

    // docs/schema.md L16, L18
    @Test("Options are accepted in any order, and system fields are kept only for their options")
    func options() throws {
        #expect(
            try schema(items: "a STRING SORTABLE SEARCHABLE QUERYABLE")
                == schema(items: "a STRING queryable searchable sortable"))
        let some = try schema(items: "\"___recordID\" REFERENCE SORTABLE QUERYABLE, \"___modTime\" TIMESTAMP, a BYTES")
        let type = try #require(some[type: "T"])
        #expect(type.systemOptions == [.recordID: [.queryable, .sortable]] && type.fields.map(\.name) == ["a"])
        #expect(try schema(items: "\"___etag\" STRING, \"___createdBy\" REFERENCE") == schema(items: ""))
    }

    // docs/schema.md L21, L22
    @Test("Grants accumulate, can repeat, and can name a role that is declared later")
    func grants() throws {
        let text = """
            DEFINE SCHEMA RECORD TYPE T (GRANT READ, WRITE TO r, a STRING, GRANT WRITE TO r, GRANT CREATE TO r,
            GRANT READ, READ TO "_world", GRANT CREATE TO "_creator"); CREATE ROLE r;
            """
        let type = try #require(try schema(text)[type: "T"])
        #expect(type.grants == ["r": [.read, .create, .write], "_world": .read, "_creator": .create])
    }

    // docs/schema.md L4
    @Test("The order of statements and items is irrelevant")
    func order() throws {
        let one = "DEFINE SCHEMA CREATE ROLE a; CREATE ROLE b; RECORD TYPE T (x STRING, y INT64); RECORD TYPE S ();"
        let other = "DEFINE SCHEMA RECORD TYPE S (); CREATE ROLE b; RECORD TYPE T (y INT64, x STRING); CREATE ROLE a;"
        #expect(try schema(one) == schema(other))
    }

    private func type(_ words: String) throws -> Schema.DataType {
        try #require(try schema(items: "f \(words)")[type: "T"]?[field: "f"]).type
    }
}
