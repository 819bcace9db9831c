import Testing

@Suite("Deletions whose cascades exceed the limit of a request") struct LargeCascadeTests {
    /// `n0` ← `n1` ← … each linked by DELETE_SELF, longer than the limit.
    private let names = (0..<(SmallCloud.cascadeMax * 3)).map { "n\($0)" }

    private func saveChain(in cloud: SmallCloud, zone: String) async throws {
        let operations = names.enumerated().map { index, name in
            let target = index == 0 ? "nobody" : names[index - 1]
            return #"""
                {"operationType":"create","record":{"recordName":"\#(name)","recordType":"Node","fields":\#
                {"up":{"value":{"recordName":"\#(target)","action":"DELETE_SELF"}}}}}
                """#
        }
        let codes = try await cloud.modify(
            json: #"{"zoneID":{"zoneName":"\#(zone)"},"operations":[\#(operations.joined(separator: ","))]}"#)
        #expect(codes.allSatisfy { $0 == "ok" })
    }

    private func deletion(of name: String, zone: String) -> String {
        #"""
        {"zoneID":{"zoneName":"\#(zone)"},"operations":\#
        [{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}]}
        """#
    }

    @Test("docs/protocol.md R6: in a custom zone they are rejected, and nothing is deleted")
    func customZone() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        try await saveChain(in: cloud, zone: "Z")
        #expect(try await cloud.modify(json: deletion(of: "n0", zone: "Z")) == ["BAD_REQUEST"])
        #expect(try cloud.names(of: names) == Set(names))
        // From further down the chain it fits.
        let last = names.count - SmallCloud.cascadeMax - 1
        #expect(try await cloud.modify(json: deletion(of: names[last], zone: "Z")) == ["ok"])
        #expect(try cloud.names(of: names) == Set(names[..<last]))
    }

    @Test("docs/protocol.md R6: in the default zone the record is deleted immediately and the rest in the background")
    func defaultZone() async throws {
        let cloud = try await SmallCloud()
        defer { cloud.close() }
        try await saveChain(in: cloud, zone: "_defaultZone")
        #expect(try await cloud.modify(json: deletion(of: "n0", zone: "_defaultZone")) == ["ok"])
        #expect(try cloud.names(of: names, in: "_defaultZone") == Set(names.dropFirst()))
        // A holder that is saved before its turn stays, and so do those that depend on it.
        let kept = names.count - 3
        let save = #"""
            {"operations":[{"operationType":"forceUpdate","record":{"recordName":"\#(names[kept])","recordType":"Node",\#
            "fields":{}}}]}
            """#
        _ = try await cloud.modify(json: save)
        #expect(try await cloud.carryOnCascades() >= kept - 1)
        #expect(try cloud.names(of: names, in: "_defaultZone") == Set(names.dropFirst()).subtracting(names[..<kept]))
        #expect(try cloud.check().isEmpty)
    }
}
