import NephosAdmin
import NephosRunner
import Testing

/// docs/schema.md L14, L15: what queries may do with a field depends on its type.
@Suite("Indexes by command") struct IndexTests {
    @Test("An index that no query can use is refused with the reason, and nothing is built") func useless() async throws
    {
        let cloud = try Cloud()
        try await cloud.importSchema(
            """
            RECORD TYPE Item (
                note ENCRYPTED STRING, picture ASSET, counts LIST<INT64>, title STRING, GRANT READ TO "_world"
            );
            """)
        for (part, reason) in [
            (
                "note",
                "note cannot be part of an index: a field of type ENCRYPTED STRING cannot be compared with a value."
            ),
            ("picture", "picture cannot be part of an index: a field of type ASSET cannot be compared with a value."),
            ("counts:asc", "counts:asc cannot be part of an index: a field of type LIST<INT64> cannot be sorted by."),
            (
                "counts:words",
                "counts:words cannot be part of an index: a field of type LIST<INT64> cannot be searched for words."
            ),
        ] {
            await #expect(throws: AdminError.refused(reason)) {
                try await cloud.admin.buildIndex(type: "Item", parts: [part], in: Cloud.development)
            }
        }
        #expect(try cloud.admin.indexes(of: Cloud.development).isEmpty)
        for part in ["counts", "title:words", "title:desc"] {
            try await cloud.admin.buildIndex(type: "Item", parts: [part], in: Cloud.development)
        }
        #expect(try cloud.admin.indexes(of: Cloud.development).count == 3)
    }
}
