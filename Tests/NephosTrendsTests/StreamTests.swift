import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// docs/trends.md, "Change notifications".
@Suite("A stream of changed figures") struct StreamTests {
    private func text(_ exchange: LocalExchange) throws -> String? {
        try exchange.piece().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The id of the next event, which is the time up to which everything is counted.
    private func told(_ exchange: LocalExchange) throws -> Int64 {
        let event = try #require(try text(exchange))
        let match = try #require(
            event.wholeMatch(of: /id: (\d+)\nevent: counted\ndata: {"asOf":(\d+)}\n\n/), "\(event)")
        return try #require(Int64(match.1))
    }

    @Test("A connected client is notified when figures change, and no longer once the token is revoked")
    func follows() async throws {
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let own = try await TrendCloud()
            let token = try await own.token()
            await own.fold()
            try await own.cloud.running {
                let exchange = own.begin("\(TrendCloud.path)/stream", TrendCloud.bearer(token))
                let head = try exchange.head()
                #expect(head.status == 200 && head["Content-Type"] == "text/event-stream; charset=utf-8")
                #expect(try text(exchange)?.hasPrefix("retry: ") == true)
                let first = try told(exchange)
                #expect(try own.modify([TrendCloud.save("Post", "a")]) == [""])
                await own.fold()
                let second = try told(exchange)
                #expect(second > first)
                // A client that reconnects with the id of the last event receives only the next one.
                let again = own.begin(
                    "\(TrendCloud.path)/stream", TrendCloud.bearer(token) + [("Last-Event-ID", "\(second)")])
                #expect(try text(again)?.hasPrefix("retry: ") == true)
                #expect(try own.modify([TrendCloud.save("Post", "b")]) == [""])
                await own.fold()
                let third = try told(exchange)
                let alsoThird = try told(again)
                #expect(third > second && alsoThird == third)
                let id = try #require(TrendToken(token)).text.split(separator: "-")[1]
                try await own.cloud.administration.revokeTrendToken(String(id), in: SmallCloud.tenant)
                let (last, alsoLast) = (try text(exchange), try text(again))
                #expect(last == nil && alsoLast == nil)
                #expect(
                    try own.begin("\(TrendCloud.path)/stream", TrendCloud.bearer(token)).head().status == 401)
            }
        }
    }

    @Test("A fold without new records notifies nobody")
    func nothing() async throws {
        let own = try await TrendCloud()
        await own.fold()
        let before = try own.store.rows(NewsRow.of([Trends.topic]))
        await own.fold()
        #expect(try own.store.rows(NewsRow.of([Trends.topic])) == before && before.count == 1)
    }
}
