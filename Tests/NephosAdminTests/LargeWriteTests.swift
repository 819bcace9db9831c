import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosStorage
import Synchronization
import Testing

/// docs/protocol.md M13 and R6.
@Suite("Writes with too many rows and index entries") struct LargeWriteTests {
    /// Each record has 5,000 entries in one index.
    private func cloud() async throws -> (Cloud, Person) {
        let cloud = try Cloud()
        try await cloud.importSchema(
            """
            CREATE ROLE Admin;
            RECORD TYPE Item (tags LIST<STRING> QUERYABLE, r REFERENCE, GRANT WRITE TO "Admin", \(Cloud.grants));
            """)
        let ada = try await cloud.person("ada@example.org")
        let store = try cloud.store()
        let type = try #require(try store.read(ReadSet()).catalog.types["Item"]?.row.number)
        let shape = IndexShape(
            type: type,
            parts: [.member(.field("tags", .stringList, epoch: 0)), .order(.recordName, isDescending: false)])
        try await store.openIndexes([shape], in: 1, at: 1)
        while try await store.buildIndexes(in: 1, rows: 100) {}
        return (cloud, ada)
    }

    private func creation(of numbers: Range<Int>, hangingOn root: String? = nil) -> String {
        let tags = (0..<5_000).map { "\"t\($0)\"" }.joined(separator: ",")
        let reference = root.map { #","r":{"value":{"recordName":"\#($0)","action":"DELETE_SELF"}}"# } ?? ""
        let operations = numbers.map {
            #"""
            {"operationType":"create","record":{"recordName":"n\#($0)","recordType":"Item","fields":\#
            {"tags":{"value":[\#(tags)]}\#(reference)}}}
            """#
        }
        return #"{"operations":[\#(operations.joined(separator: ","))]}"#
    }

    @Test("A request is rejected before anything is written, and the limit is named") func refused() async throws {
        let (cloud, ada) = try await cloud()
        let refusal = await #expect(throws: Refusal.self) { try await ada.modify(json: creation(of: 0..<20)) }
        #expect(refusal?.serverErrorCode == .badRequest && refusal?.reason.contains("\(commitRowsMax)") == true)
        #expect(try ada.lookUp("n0") == "NOT_FOUND")
        _ = try await ada.modify(json: creation(of: 0..<2))
        #expect(try ada.lookUp("n1") != "NOT_FOUND")
        #expect(try cloud.check().isEmpty)
    }

    @Test("A large cascade continues in the background, in chunks of the allowed size")
    func cascades() async throws {
        let (cloud, ada) = try await cloud()
        _ = try await ada.modify("create", "root", type: "Item")
        for start in [0, 7, 14] { _ = try await ada.modify(json: creation(of: start..<start + 7, hangingOn: "root")) }
        #expect(try await ada.modify("delete", "root") == "deleted")
        #expect(try ada.lookUp("n0") != "NOT_FOUND")
        let store = try cloud.store()
        let waiting = PendingCascadeRow.waiting(limit: 16)
        while let step = ContinueCascades(try store.rows(waiting), now: cloud.fixture.clock.read()) {
            let attempts = Mutex(0)
            try await store.commit(step.reading) { reading -> Decision<Void> in
                attempts.withLock { $0 = reading.oversized.count + 1 }
                return try step.decide(reading)
            }
            // How many fit is known from the first one.
            #expect(attempts.withLock { $0 } <= 2)
        }
        for number in 0..<21 { #expect(try ada.lookUp("n\(number)") == "NOT_FOUND") }
        #expect(try cloud.admin.trash(of: Cloud.development, limit: 30).count == 22)
        #expect(try cloud.check().isEmpty)
    }

    // R7: whose references prevent a deletion is determined again if the cascade is too large.
    @Test("During a background cascade, an Admin's reference keeps a record, and a stranger's does not")
    func holders() async throws {
        let (cloud, ada) = try await cloud()
        let (bob, mary) = (try await cloud.person("bob@example.org"), try await cloud.person("mary@example.org"))
        _ = try await cloud.admin.assignRole("Admin", to: "mary@example.org", in: Cloud.container, [.development])
        for name in ["root", "kept"] { _ = try await ada.modify("create", name, type: "Item") }
        for start in [0, 7, 14] { _ = try await ada.modify(json: creation(of: start..<start + 7, hangingOn: "root")) }
        func validating(_ target: String) -> String {
            #"{"r":{"value":{"recordName":"\#(target)","action":"VALIDATE"}}}"#
        }
        _ = try await bob.modify("create", "of bob", type: "Item", fields: validating("root"))
        _ = try await mary.modify("create", "of mary", type: "Item", fields: validating("kept"))
        let deletions = ["root", "kept"].map { #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"# }
        let outcomes = try await ada.modify(
            json: #"{"atomic":false,"operations":[\#(deletions.joined(separator: ","))]}"#)
        let codes = outcomes.map { outcome in
            if case .refused(let refusal) = outcome { refusal.serverErrorCode.rawValue } else { "deleted" }
        }
        #expect(codes == ["deleted", "VALIDATING_REFERENCE_ERROR"])
        #expect(try ada.lookUp("n0") != "NOT_FOUND")
        #expect(try ada.lookUp("kept") != "NOT_FOUND")
    }
}
