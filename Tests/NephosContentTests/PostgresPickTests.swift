import NephosRunner
import NephosTesting
import RequestTesting
import TestEngines
import Testing

/// docs/decisions/0041: round trips of a pick to a database on another computer.
@Suite("Round trips of picks") struct PostgresPickTests {
    @Test("With cached groups a pick takes two, for every caller, and an unchanged response one")
    func counted() async throws {
        let picks = try await PickCloud()
        try picks.save((0..<100).map { .init(name: "r\($0)", audience: $0 % 2 == 0 ? #"{"locale":"es"}"# : nil) })
        try await picks.sort()
        func trips(
            _ what: String, _ query: String, headers: [(String, String)] = [], as caller: SmallCloud.Caller = .app
        )
            throws -> Int
        {
            let before = picks.own.cloud.engine.countedRoundTrips ?? 0
            let answer = try picks.ask(what, query, as: caller, headers: headers)
            #expect([200, 304].contains(answer.status), "\(answer.text)")
            return (picks.own.cloud.engine.countedRoundTrips ?? 0) - before
        }
        // From here on the caller and the groups are cached.
        for caller in [SmallCloud.Caller.app, .person] { _ = try trips("pick", "", as: caller) }
        for query in ["", "locale=es", "seed=a"] { #expect(try trips("pick", query) == 2, "\(query)") }
        #expect(try trips("pick", "collection=none") == 1)
        #expect(try trips("pick", "collection=none", as: .person) == 1)
        let tag = try picks.ask("pick", "seed=b").headers.first { $0.0 == "ETag" }?.1 ?? ""
        #expect(try trips("pick", "seed=b", headers: [("If-None-Match", tag)]) == 1)
    }
}
