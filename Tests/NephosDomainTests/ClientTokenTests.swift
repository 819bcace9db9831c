import NephosDomain
import NephosStorage
import Testing

/// docs/protocol.md, X6 and X7: what a request stores of its `clientChangeToken`, and what it writes for that.
@Suite struct ClientTokenTests {
    private let zone = #""zoneID":{"zoneName":"Z"}"#
    /// `[1]`
    private let first = #""clientChangeToken":"AQ==""#
    /// `[2]`
    private let second = #""clientChangeToken":"Ag==""#

    private func body(_ members: String..., operations: String...) -> String {
        "{\(members.joined(separator: ",")),\"operations\":[\(operations.joined(separator: ","))]}"
    }

    private func operation(_ type: String, _ name: String) -> String {
        #"{"operationType":"\#(type)","record":{"recordName":"\#(name)","recordType":"T"}}"#
    }

    private func tokens(_ writes: WriteSet) -> [[UInt8]?] { writes.zones.map(\.new.clientToken) }

    @Test("X7: a request that changes nothing stores its token if it is new, and nothing the second time")
    func repeats() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        let nothing = operation("forceDelete", "gone")
        #expect(try cloud.writes(json: body(zone, operations: nothing)).isEmpty)

        let writes = try cloud.writes(json: body(zone, first, operations: nothing))
        let write = try #require(writes.zones.first)
        #expect(write.new.clientToken == [1] && writes.records.isEmpty && writes.deletions.isEmpty)
        let (before, after) = (write.old?.changedSequence ?? 0, write.new.changedSequence)
        #expect(after == before + 1 && writes.heads.map(\.sequence) == [after], "the database's feed shows it")
        #expect(writes.events.isEmpty, "nobody is told of it")

        _ = try await cloud.modify(json: body(zone, first, operations: nothing))
        #expect(try cloud.writes(json: body(zone, first, operations: nothing)).isEmpty)
        #expect(try cloud.writes(json: body(zone, operations: nothing)).isEmpty)
        #expect(try tokens(cloud.writes(json: body(zone, second, operations: nothing))) == [[2]])
        #expect(try cloud.check() == [])
    }

    @Test("X6: a request whose operations all fail leaves no token and writes nothing")
    func refused() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        let (good, bad) = (operation("create", "good"), operation("update", "nobody"))
        #expect(try cloud.writes(json: body(zone, first, operations: good, bad)).isEmpty)
        #expect(try cloud.writes(json: body(zone, first, #""atomic":false"#, operations: bad)).isEmpty)
        #expect(try tokens(cloud.writes(json: body(zone, first, #""atomic":false"#, operations: good, bad))) == [[1]])
        #expect(try cloud.writes(json: body(zone, first)).isEmpty)
    }

    @Test("X6: nothing is kept in the public database and in default zones")
    func elsewhere() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        let json = body(first, operations: operation("create", "a"))
        #expect(try tokens(cloud.writes(json: json)) == [nil])
        #expect(try tokens(cloud.writes(json: json, scope: .public)) == [nil])
    }
}
