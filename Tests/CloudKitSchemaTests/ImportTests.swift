import CloudKitSchema
import CloudKitWire
import Testing

/// What an import may change.
@Suite struct ImportTests {
    private let nothing = Schema.ofNewContainer

    /// The first error of an import of `text`, without its hint.
    private func refusal(_ text: String, development: Schema, production: Schema) throws -> String? {
        let document = try SchemaDocument(Array("DEFINE SCHEMA\n\(text)".utf8)[...])
        let refusals = document.importRefusals(development: development, production: production)
        let unplaced = document.schema.importRefusals(development: development, production: production)
        #expect(refusals.map(\.message).sorted() == unplaced.map(\.message).sorted())
        #expect(refusals.allSatisfy { $0.place != nil && $0.hint != nil } && unplaced.allSatisfy { $0.place == nil })
        return refusals.first?.description.split(separator: "\n").first.map(String.init)
    }

    private func schema(_ text: String) throws -> Schema { try Schema(file: Array("DEFINE SCHEMA \(text)".utf8)[...]) }

    // docs/schema.md L32, L34
    @Test("In development, types, fields, indexes, roles and grants can be added and removed")
    func developmentOnly() throws {
        let development = try schema(
            "CREATE ROLE r; RECORD TYPE A (x STRING QUERYABLE, GRANT READ TO r); RECORD TYPE B (); RECORD TYPE Users ();"
        )
        let text = "CREATE ROLE s; RECORD TYPE A (y INT64 SORTABLE, GRANT READ TO s); RECORD TYPE C ();"
        #expect(try refusal(text, development: development, production: nothing) == nil)
        let imported = try schema(text).imported(over: development)
        #expect(imported.roles == ["s"] && imported.recordTypes.map(\.name) == ["A", "C", "Users"])
        #expect(imported[type: "A"] == (try schema(text)[type: "A"]))
    }

    // docs/schema.md L34, L37
    @Test("Types and fields of production cannot be removed")
    func production() throws {
        let production = try schema("RECORD TYPE A (x STRING QUERYABLE, GRANT READ TO \"_world\"); RECORD TYPE B ();")
        #expect(
            try refusal("RECORD TYPE B ();", development: production, production: production)
                == "invalid attempt to delete a record type which is active in a production container at line 1, column 1."
        )
        #expect(
            try refusal("RECORD TYPE B ();\n RECORD TYPE A ();", development: nothing, production: production)
                == "invalid attempt to delete a field which is active in a production container at line 3, column 14.")
        let narrowed = "RECORD TYPE A (x STRING); RECORD TYPE B ();"
        #expect(try refusal(narrowed, development: production, production: production) == nil)
    }

    // docs/schema.md L35
    @Test("What the service manages cannot be removed, not even in development")
    func managed() throws {
        let development = try schema("RECORD TYPE \"cloudkit.share\" ();")
        let expected = "invalid attempt to delete cloudkit managed record type at line 1, column 1."
        #expect(try refusal("", development: development, production: nothing) == expected)
        #expect(try refusal("", development: nothing, production: development) == expected)
        #expect(try refusal("RECORD TYPE \"cloudkit.share\" ();", development: development, production: nothing) == nil)
    }

    // docs/schema.md L36, L37
    @Test(
        "The type of a field cannot change, in either environment",
        arguments: [
            ("STRING", "INT64"), ("STRING", "ENCRYPTED STRING"), ("ENCRYPTED STRING", "STRING"),
            ("STRING", "LIST<STRING>"), ("LIST<ENCRYPTED STRING>", "LIST<STRING>"), ("DOUBLE", "NUMBER"),
            ("NUMBER", "DOUBLE"), ("NUMBER PREFERRED AS INT64", "INT64"), ("NUMBER PREFERRED AS INT64", "NUMBER"),
            ("NUMBER PREFERRED AS INT64", "NUMBER PREFERRED AS DOUBLE"),
            ("NUMBER", "LIST<NUMBER PREFERRED AS DOUBLE>"),
        ])
    func typeChange(old: String, new: String) throws {
        let known = try schema("RECORD TYPE T (f \(old));")
        let expected =
            "invalid attempt to change the type of field f in record type T from \(old) to \(new) at line 3, column 4."
        let text = "RECORD TYPE T (\n f \(new));"
        #expect(try refusal(text, development: known, production: nothing) == expected)
        #expect(try refusal(text, development: nothing, production: known) == expected)
        #expect(try refusal("RECORD TYPE T (f \(old));", development: known, production: known) == nil)
    }

    // docs/schema.md L36
    @Test("The preference of a NUMBER can be set once", arguments: ["INT64", "DOUBLE"])
    func preference(kind: String) throws {
        let open = try schema("RECORD TYPE T (f NUMBER, g LIST<NUMBER>);")
        let text = "RECORD TYPE T (f NUMBER PREFERRED AS \(kind), g LIST<NUMBER PREFERRED AS \(kind)>);"
        #expect(try refusal(text, development: open, production: open) == nil)
        #expect(SchemaDifference(from: open, to: try schema(text)).losses.isEmpty)
    }

    // docs/schema.md L33
    @Test("Users is unchanged where a file omits it, and never loses its roles")
    func users() throws {
        let development = try schema(
            "CREATE ROLE r; RECORD TYPE Users (roles LIST<INT64>, nick STRING, GRANT READ TO r);")
        #expect(try refusal("", development: development, production: development) == nil)
        let left = try #require(try schema("").imported(over: development)[type: "Users"])
        #expect(left.fields.map(\.name) == ["nick", "roles"] && left.grants.isEmpty)
        let kept = try schema("CREATE ROLE r;").imported(over: development)
        #expect(kept[type: "Users"] == development[type: "Users"])
        let declared = "RECORD TYPE Users (age INT64, \"___recordID\" REFERENCE QUERYABLE);"
        let changed = try #require(try schema(declared).imported(over: development)[type: "Users"])
        #expect(changed.fields.map(\.name) == ["age", "roles"] && changed[optionsOf: .recordID] == .queryable)
        #expect(try refusal(declared, development: development, production: nothing) == nil)
        #expect(
            try refusal(declared, development: development, production: development)?.contains("delete a field") == true
        )
        #expect(try schema("").imported(over: Schema()) == .ofNewContainer)
    }

    // docs/schema.md L24, L37
    @Test("Several refusals are in the order of their positions")
    func order() throws {
        let production = try schema("RECORD TYPE A (x STRING); RECORD TYPE B (y STRING, z STRING); RECORD TYPE C ();")
        let document = try SchemaDocument(
            Array("DEFINE SCHEMA\nRECORD TYPE B (y INT64);\nRECORD TYPE A ();".utf8)[...])
        let refusals = document.importRefusals(development: nothing, production: production)
        #expect(refusals.map(\.line) == [1, 2, 2, 3] && refusals.map(\.column) == [1, 13, 18, 13])
    }
}
