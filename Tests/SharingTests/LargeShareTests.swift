import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import Testing

/// docs/protocol.md SH20.
@Suite("Shares of many records") struct LargeShareTests {
    private let rows = MostRows()
    private let people: SharingCloud

    init() async throws { people = try await SharingCloud { [rows] in rows.note($0) } }

    /// The rows of the largest transaction, and the number of transactions.
    private final class MostRows: Sendable {
        private let most = Mutex((rows: 0, commits: 0))

        func note(_ report: CommitReport) {
            most.withLock { $0 = (max($0.rows, report.rows), $0.commits + report.commits) }
        }

        func take() -> (rows: Int, commits: Int) {
            most.withLock { most in
                defer { most = (0, 0) }
                return most
            }
        }
    }

    /// A tree of 1,230 records below `a`: 205 in one level, each with 5 in a row below it.
    private func plant() throws {
        for first in 0..<41 {
            try people.modify(
                (5 * first..<5 * first + 5).flatMap { branch in
                    (0..<6).map { depth in
                        people.save("t\(branch)-\(depth)", parent: depth == 0 ? "a" : "t\(branch)-\(depth - 1)")
                    }
                })
        }
    }

    private func count() throws -> Int { try people.followed(by: .friend).count }

    @Test("A large share is marked in short transactions; until then nobody joins, and nothing is lost")
    func large() async throws {
        try plant()
        try people.modify([people.save("o1", parent: "other"), people.save("o2", parent: "other")])
        let other = try people.modify([people.share("Share-9", of: "other", [people.participant(.third)])])[0]
        _ = try people.accept(try #require(other["shortGUID"].string), as: .third)
        let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
        let guid = try #require(share["shortGUID"].string, "\(share)")
        #expect(try people.accept(guid, as: .friend)["serverErrorCode"] == "TRY_AGAIN_LATER")
        #expect(try people.resolve(guid, as: .friend)["serverErrorCode"] == "TRY_AGAIN_LATER")
        #expect(try people.resolve(guid, as: .third)["serverErrorCode"] == "NOT_FOUND")
        #expect(try people.resolve(guid, as: .owner)["serverErrorCode"].isAbsent)
        // Meanwhile: new records and changed ones, but no moves and no other share.
        let zone = #""zoneID":{"zoneName":"Notes"},"atomic":false"#
        func modify(_ operations: String...) throws -> [String?] {
            try people.ok(
                "private/records/modify", #"{\#(zone),"operations":[\#(operations.joined(separator: ","))]}"#,
                as: .owner
            )["records"].elements.map(\.["serverErrorCode"].string)
        }
        #expect(try modify(people.save("late", parent: "t200-5"), people.save("later", parent: "late")) == [nil, nil])
        #expect(
            try modify(people.save("first", parent: "root"), people.save("t3-3", kind: "forceUpdate", text: "x")) == [
                nil, nil,
            ])
        #expect(try modify(people.save("hidden", parent: "a", kind: "forceUpdate")) == ["TRY_AGAIN_LATER"])
        #expect(try modify(people.share("Share-2", of: "hidden")) == ["TRY_AGAIN_LATER"])
        #expect(try modify(people.delete("t7-5")) == [nil])
        let inside = try people.ok(
            "shared/records/modify",
            #"{"zoneID":\#(people.zoneID),"operations":[\#(people.save("o2", parent: "o1", kind: "forceUpdate"))]}"#,
            as: .third)["records"][0]
        #expect(inside["serverErrorCode"].isAbsent, "of other shares nothing is known: \(inside)")
        _ = rows.take()
        await people.cloud.runDueJobs()
        #expect(1...160 ~= rows.take().rows, "rows of the largest transaction")
        #expect(try people.accept(guid, as: .friend)["serverErrorCode"].isAbsent)
        #expect(try count() == 3 + 1_230 + 3 - 1)
        #expect(try modify(people.save("t9-0", parent: "hidden", kind: "forceUpdate")) == [nil], "six records move")
        #expect(try count() == 3 + 1_230 + 3 - 1 - 6)
        try expectSound()
    }

    @Test("A record with many children directly below it takes a transaction for each hundred of them")
    func wide() async throws {
        for first in 0..<15 {
            try people.modify((0..<100).map { people.save("c\(first)-\($0)", parent: "a") })
        }
        let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
        _ = rows.take()
        await people.cloud.runDueJobs()
        // Each child is marked as such, and then as one of which all children are marked.
        #expect(15...75 ~= rows.take().commits)
        _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        #expect(try count() == 3 + 1_500)
        try expectSound()
    }

    @Test("Few records that are too large to be marked at once are marked in the background, too")
    func heavy() async throws {
        let data = String(repeating: "AAAA", count: 200_000)
        for number in 0..<30 {
            let fields = #""fields":{"data":{"value":"\#(data)"}},"parent":{"recordName":"a"}"#
            try people.modify([
                #"{"operationType":"create","record":{"recordName":"h\#(number)","recordType":"Note",\#(fields)}}"#
            ])
        }
        let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
        let guid = try #require(share["shortGUID"].string, "\(share)")
        #expect(try people.accept(guid, as: .friend)["serverErrorCode"] == "TRY_AGAIN_LATER")
        await people.cloud.runDueJobs()
        _ = try people.accept(guid, as: .friend)
        #expect(try count() == 3 + 30)
        try expectSound()
    }

    @Test("A large share that ends before it is ready leaves nothing; its record is shared again")
    func ended() async throws {
        try plant()
        try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])
        try people.modify([people.delete("Share-1")])
        await people.cloud.runDueJobs()
        let share = try people.modify([people.share("Share-2", of: "t1-0", [people.participant(.friend)])])[0]
        _ = try people.accept(try #require(share["shortGUID"].string), as: .friend)
        #expect(try count() == 6)
        // Around it there can be no other one.
        let nested = try people.ok(
            "private/records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(people.share("Share-3", of: "root"))]}"#, as: .owner)
        #expect(nested["records"][0]["serverErrorCode"] == "EXISTS", "\(nested)")
        #expect(try count() == 6)
        try expectSound()
    }

    private func expectSound() throws {
        let findings = try people.cloud.check()
        #expect(findings.isEmpty, "\(findings)")
    }
}
