import NephosDomain
import Testing

/// docs/protocol.md, "Limits": the combined limits of the records of one request.
@Suite struct ModifyLimitTests {
    /// Saves two records independently. Each sends three references, of which it contains two.
    private func save(_ type: String, _ cloud: SmallCloud, _ referencesMax: Int) async throws -> [String] {
        let operations = ["a", "b"].map { name in
            let fields = #"{"f":{"value":[{"recordName":"\#(name)"},{"recordName":"x"},{"recordName":"x"}]}}"#
            return
                #"{"operationType":"\#(type)","record":{"recordName":"\#(name)","recordType":"T","fields":\#(fields)}}"#
        }
        let json =
            #"{"zoneID":{"zoneName":"Z"},"atomic":false,"operations":[\#(operations.joined(separator: ","))]}"#
        return try await cloud.modify(json: json) { $0.referencesMax = referencesMax }
    }

    @Test("A request has a limit on references, and operations beyond it are rejected individually")
    func references() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        #expect(try await save("forceUpdate", cloud, 2) == ["BAD_REQUEST", "BAD_REQUEST"])
        #expect(try await save("forceUpdate", cloud, 5) == ["ok", "BAD_REQUEST"])
        #expect(try await save("forceUpdate", cloud, 3 + 2 + 3) == ["ok", "ok"])
    }

    @Test("References that a record had before count too")
    func stored() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        #expect(try await save("forceUpdate", cloud, 6) == ["ok", "ok"])
        let touch = ["a", "b"].map {
            #"{"operationType":"forceUpdate","record":{"recordName":"\#($0)","recordType":"T","fields":{"g":{"value":1}}}}"#
        }
        let json = #"{"zoneID":{"zoneName":"Z"},"atomic":false,"operations":[\#(touch.joined(separator: ","))]}"#
        #expect(try await cloud.modify(json: json) { $0.referencesMax = 3 } == ["ok", "BAD_REQUEST"])
        #expect(try await cloud.modify(json: json) { $0.referencesMax = 4 } == ["ok", "ok"])
    }

    @Test("A record is rejected for its stored size, long before all of it is written")
    func bytes() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        let list = Array(repeating: #"{"recordName":"a"}"#, count: 100).joined(separator: ",")
        let json = """
            {"zoneID":{"zoneName":"Z"},"operations":[{"operationType":"create","record":{"recordName":"a",\
            "recordType":"T","fields":{"f":{"value":[\(list)]}}}}]}
            """
        #expect(try await cloud.modify(json: json) { $0.recordBytesMax = 5_000 } == ["BAD_REQUEST"])
        #expect(try await cloud.modify(json: json) == ["ok"])
    }
}
