import CloudKitSchema
import CloudKitWire
import Testing

/// The effect of a deployment on production.
@Suite struct DeployTests {
    private func schema(_ text: String) throws -> Schema { try Schema(file: Array("DEFINE SCHEMA \(text)".utf8)[...]) }

    // docs/schema.md L38, L39
    @Test("A deploy adds, copies indexes and grants, and removes nothing")
    func additive() throws {
        let development = try schema(
            """
            CREATE ROLE new; RECORD TYPE A (x STRING SORTABLE, y INT64, "___modTime" TIMESTAMP SORTABLE, n NUMBER,
            GRANT READ TO new); RECORD TYPE B (z ASSET, GRANT READ TO "_world");
            """)
        let production = try schema(
            """
            CREATE ROLE old; RECORD TYPE A (x STRING QUERYABLE, w BYTES QUERYABLE, n NUMBER, GRANT READ TO "_world",
            GRANT WRITE TO old, "___recordID" REFERENCE QUERYABLE); RECORD TYPE C (c STRING, GRANT READ TO old);
            """)
        let expected = try schema(
            """
            CREATE ROLE new; CREATE ROLE old; RECORD TYPE A (x STRING SORTABLE, y INT64, w BYTES QUERYABLE, n NUMBER,
            "___modTime" TIMESTAMP SORTABLE, GRANT READ TO new); RECORD TYPE B (z ASSET, GRANT READ TO "_world");
            RECORD TYPE C (c STRING, GRANT READ TO old);
            """)
        #expect(development.deployed(to: production) == expected)
        #expect(development.deployRefusals(production: production).isEmpty)
        #expect(SchemaDifference(from: production, to: expected).losses.isEmpty)
    }

    // docs/schema.md L38, L41
    @Test("A second deploy changes nothing")
    func again() throws {
        let development = try schema("CREATE ROLE r; RECORD TYPE A (x STRING SORTABLE, GRANT READ TO r);")
        let production = development.deployed(to: .ofNewContainer)
        #expect(SchemaDifference(from: production, to: development.deployed(to: production)).isEmpty)
    }

    // docs/schema.md L36, L40
    @Test("A field with a different type is rejected and stays as it is in production; a preference is copied")
    func types() throws {
        let development = try schema("RECORD TYPE A (x INT64 QUERYABLE, n NUMBER PREFERRED AS INT64);")
        let production = try schema("RECORD TYPE A (x STRING SORTABLE, n NUMBER);")
        let refusals = development.deployRefusals(production: production)
        #expect(
            refusals.map(\.message)
                == ["invalid attempt to change the type of field x in record type A from STRING to INT64"])
        let merged = development.deployed(to: production)
        #expect(merged == (try schema("RECORD TYPE A (x STRING SORTABLE, n NUMBER PREFERRED AS INT64);")))
    }
}
