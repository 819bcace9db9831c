import CloudKitSchema
import CloudKitWire
import Testing

/// The format of an export.
@Suite struct PrinterTests {
    // docs/schema.md L28 to L30
    @Test("An export is sorted, aligned, complete, and quotes only what it must")
    func form() throws {
        let read = try schema(
            """
            define schema
            record type zebra (); record type "cloudkit.share" ("cloudkit.title" STRING);
            record type Ant ("title" STRING SORTABLE SEARCHABLE QUERYABLE, Zoo ENCRYPTED INT64, "Grant" LOCATION,
                a_rather_long_name LIST<STRING>, "___modTime" TIMESTAMP SORTABLE QUERYABLE,
                GRANT WRITE, CREATE, READ TO Boss, GRANT READ TO "_world", GRANT WRITE TO "two words",
                GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator");
            create role "two words"; create role Boss;
            """)
        #expect(
            printed(read) == """
                DEFINE SCHEMA

                    CREATE ROLE Boss;

                    CREATE ROLE "two words";

                    RECORD TYPE Ant (
                        "Grant"            LOCATION,
                        Zoo                ENCRYPTED INT64,
                        "___createTime"    TIMESTAMP,
                        "___createdBy"     REFERENCE,
                        "___etag"          STRING,
                        "___modTime"       TIMESTAMP QUERYABLE SORTABLE,
                        "___modifiedBy"    REFERENCE,
                        "___recordID"      REFERENCE,
                        a_rather_long_name LIST<STRING>,
                        title              STRING QUERYABLE SEARCHABLE SORTABLE,
                        GRANT WRITE TO "_creator",
                        GRANT CREATE TO "_icloud",
                        GRANT READ TO "_world",
                        GRANT READ, CREATE, WRITE TO Boss,
                        GRANT WRITE TO "two words"
                    );

                    RECORD TYPE "cloudkit.share" (
                        "___createTime"  TIMESTAMP,
                        "___createdBy"   REFERENCE,
                        "___etag"        STRING,
                        "___modTime"     TIMESTAMP,
                        "___modifiedBy"  REFERENCE,
                        "___recordID"    REFERENCE,
                        "cloudkit.title" STRING
                    );

                    RECORD TYPE zebra (
                        "___createTime" TIMESTAMP,
                        "___createdBy"  REFERENCE,
                        "___etag"       STRING,
                        "___modTime"    TIMESTAMP,
                        "___modifiedBy" REFERENCE,
                        "___recordID"   REFERENCE
                    );

                """)
    }

    // docs/schema.md L28, L44
    @Test("A new container exports Users and nothing else")
    func newContainer() {
        #expect(
            printed(.ofNewContainer) == """
                DEFINE SCHEMA

                    RECORD TYPE Users (
                        "___createTime" TIMESTAMP,
                        "___createdBy"  REFERENCE,
                        "___etag"       STRING,
                        "___modTime"    TIMESTAMP,
                        "___modifiedBy" REFERENCE,
                        "___recordID"   REFERENCE,
                        roles           LIST<INT64>,
                        GRANT WRITE TO "_creator",
                        GRANT READ TO "_world"
                    );

                """)
        #expect(printed(Schema()) == "DEFINE SCHEMA\n")
    }
}
