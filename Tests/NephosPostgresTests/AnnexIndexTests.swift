import NephosStorage
import Testing

@testable import NephosPostgres

/// docs/decisions/0030: the cost of a save that changes the annex of its head.
@Suite struct AnnexIndexTests {
    @Test("Updating a head's annex stays on its page, and writes an index only when an annex is added or removed")
    func hotUpdates() throws {
        let cloud = try Cloud()
        func updates(_ annex: String) throws -> Int64 {
            let state = HeadRow.stateColumns.map { "\($0) = \($0) + 1" }.joined(separator: ", ")
            // Of the transaction, and of those that this session has not reported yet.
            let count = "pg_stat_get_xact_tuples_hot_updated('heads'::regclass)"
            let rows = try cloud.meddle(
                "SELECT set_config('nephos.count', \(count)::text, true)",
                """
                UPDATE heads SET \(state), checksum = checksum + 1, annex = '\(annex)', has_annex = \(annex.isEmpty ? 0 : 1)
                WHERE db & 7 = 1
                """, "SELECT \(count) - current_setting('nephos.count')::bigint")
            return try #require(rows.first).int(0)
        }
        let heads = try #require(try cloud.meddle("SELECT count(*) FROM heads WHERE db & 7 = 1").first).int(0)
        #expect(heads > 0)
        #expect(try updates("") == heads)
        #expect(try updates("a") == 0)
        #expect(try updates("b") == heads && updates("another") == heads)
        #expect(try updates("") == 0)
    }
}
