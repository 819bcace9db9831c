import Foundation
import NephosAdmin
import NephosTesting
import RequestTesting
import Testing

/// The wire format is unchanged since it was recorded: more than a thousand valid and invalid requests get the same response, byte
/// for byte.
///
/// With `NEPHOS_RECORD=1` in its environment the test records them again instead.
@Suite("The recorded wire") struct RecordingTests {
    /// Types in addition to that of the small cloud, which allow all kinds of queries, and which not everyone may read.
    private static let types = """
        RECORD TYPE Thing (
            "___recordID" REFERENCE QUERYABLE SORTABLE,
            "___createTime" TIMESTAMP QUERYABLE SORTABLE,
            "___modTime" TIMESTAMP QUERYABLE SORTABLE,
            "___createdBy" REFERENCE QUERYABLE,
            "___modifiedBy" REFERENCE QUERYABLE,
            text STRING QUERYABLE SORTABLE SEARCHABLE,
            words LIST<STRING> QUERYABLE SEARCHABLE,
            int INT64 QUERYABLE SORTABLE,
            ints LIST<INT64> QUERYABLE,
            double DOUBLE QUERYABLE SORTABLE,
            doubles LIST<DOUBLE> QUERYABLE,
            time TIMESTAMP QUERYABLE SORTABLE,
            times LIST<TIMESTAMP> QUERYABLE,
            bytes BYTES QUERYABLE SORTABLE,
            place LOCATION QUERYABLE SORTABLE,
            places LIST<LOCATION>,
            link REFERENCE QUERYABLE,
            links LIST<REFERENCE> QUERYABLE,
            file ASSET,
            files LIST<ASSET>,
            hidden ENCRYPTED STRING,
            hiddenInt ENCRYPTED INT64,
            plain STRING,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );
        RECORD TYPE Diary (
            "___recordID" REFERENCE QUERYABLE,
            text STRING QUERYABLE SORTABLE,
            GRANT READ, WRITE TO "_creator",
            GRANT CREATE TO "_icloud"
        );
        RECORD TYPE Notice (
            "___recordID" REFERENCE QUERYABLE,
            text STRING QUERYABLE,
            file ASSET,
            GRANT READ TO "_world",
            GRANT READ, CREATE, WRITE TO Admin
        );
        RECORD TYPE Ledger (
            text STRING QUERYABLE,
            GRANT READ, CREATE, WRITE TO Admin
        );
        """

    private static func recording() async throws -> Recording {
        let cloud = try await SmallCloud()
        let schema = "\(SmallCloud.schema)\n\(types)"
        _ = try await cloud.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        return try await cloud.delivering {
            try await withTaskExecutorPreference(OwnThreads.ofTests) { try Recording(asking: cloud) }
        }
    }

    @Test("More than a thousand requests get the recorded responses, byte for byte")
    func recorded() async throws {
        let now = try await Self.recording()
        if ProcessInfo.processInfo.environment["NEPHOS_RECORD"] == "1" { return try now.write() }
        let then = try Recording()
        for (part, (then, now)) in zip(Recording.parts, zip(then.entries, now.entries)) {
            #expect(then.count == now.count, "\(part.name): \(now.count) requests, and \(then.count) recorded")
            for (then, now) in zip(then, now).filter({ $0 != $1 }).prefix(3) {
                Issue.record("\(part.name)\nit was:\n\(then.text)\nit is:\n\(now.text)")
            }
        }
        #expect(now.entries.joined().count > 1_000)
    }
}
