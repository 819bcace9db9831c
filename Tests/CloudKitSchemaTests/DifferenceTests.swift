import CloudKitSchema
import CloudKitWire
import Testing

/// The differences between two schemas, and their descriptions.
@Suite struct DifferenceTests {
    // docs/schema.md L41 to L43
    @Test("Every kind of change is one line, with permissions apart and data loss marked")
    func words() throws {
        let old = try schema(
            """
            DEFINE SCHEMA CREATE ROLE old;
            RECORD TYPE Gone (a STRING, GRANT READ TO "_world");
            RECORD TYPE Book (pages INT64 SORTABLE, isbn STRING, price NUMBER, "___modTime" TIMESTAMP QUERYABLE SORTABLE,
                GRANT READ TO "_world", GRANT READ, WRITE TO old);
            """)
        let new = try schema(
            """
            DEFINE SCHEMA CREATE ROLE new;
            RECORD TYPE Article (title STRING QUERYABLE, "___recordID" REFERENCE QUERYABLE, GRANT READ TO "_world");
            RECORD TYPE Book (pages STRING QUERYABLE, cover ASSET, price NUMBER PREFERRED AS INT64,
                "___modTime" TIMESTAMP QUERYABLE, GRANT WRITE TO "_icloud", GRANT READ TO new);
            """)
        let difference = SchemaDifference(from: old, to: new)
        #expect(
            difference.description == """
                Record types and fields:
                  + record type Article
                  + index QUERYABLE on "___recordID" in Article
                  + field title STRING QUERYABLE in Article
                  - index SORTABLE on "___modTime" in Book
                  + field cover ASSET in Book
                  - field isbn STRING in Book (data is lost)
                  ~ field pages in Book: INT64 becomes STRING (data is lost)
                  + index QUERYABLE on pages in Book
                  - index SORTABLE on pages in Book
                  ~ field price in Book: NUMBER becomes NUMBER PREFERRED AS INT64
                  - record type Gone (data is lost)
                Permissions:
                  + role new
                  + grant READ to "_world" on Article
                  + grant WRITE to "_icloud" on Book
                  - grant READ to "_world" on Book
                  + grant READ to new on Book
                  - grant READ, WRITE to old on Book
                  - role old
                """)
        #expect(difference.losses.count == 3 && difference.permissionChanges.allSatisfy(\.isPermission))
        #expect(old.applying(difference) == new)
    }

    // docs/schema.md L41, L42
    @Test("Equal schemas have no differences")
    func equal() throws {
        let difference = SchemaDifference(from: .ofNewContainer, to: .ofNewContainer)
        #expect(difference.isEmpty && difference.losses.isEmpty && difference.description == "No changes.")
    }
}
