import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import Testing

@testable import NephosTrends

/// docs/trends.md, "Prometheus and Grafana".
@Suite("Trend figures in the metrics") struct MetricsTests {
    private func metrics(_ own: TrendCloud) throws -> [String] {
        try own.cloud.ask("GET", "/metrics", as: .stranger).text.split(separator: "\n").map(String.init)
            .filter { $0.contains("nephos_trend_") }
    }

    @Test(
        "Containers that are configured for it have figures of their types, as of the last fold, and others have none")
    func told() async throws {
        let own = try await TrendCloud()
        #expect(try own.modify([TrendCloud.save("Post", "a"), TrendCloud.save("Post", "b")]) == ["", ""])
        await own.fold()
        #expect(try metrics(own).isEmpty)
        try await own.set(#"{"types":["Post","Gone"],"metrics":true,"splits":[{"type":"Post","field":"version"}]}"#)
        #expect(try own.modify([TrendCloud.delete("a")]) == [""])
        await own.fold()
        let labels = #"{container="\#(SmallCloud.container)",environment="development",type="Post"}"#
        #expect(
            try metrics(own) == [
                "# HELP nephos_trend_created_total Records ever created, by container, environment and type.",
                "# TYPE nephos_trend_created_total counter", "nephos_trend_created_total\(labels) 2",
                "# HELP nephos_trend_records Existing records, by container, environment and type.",
                "# TYPE nephos_trend_records gauge", "nephos_trend_records\(labels) 1",
            ])
        // Reading them reads nothing stored: later saves are not there yet.
        #expect(try own.modify([TrendCloud.save("Post", "c")]) == [""])
        #expect(try metrics(own).contains("nephos_trend_records\(labels) 1"))
        await own.fold()
        #expect(try metrics(own).contains("nephos_trend_records\(labels) 2"))
        try await own.set(#"{"types":["Post"]}"#)
        #expect(try own.modify([TrendCloud.save("Post", "d")]) == [""])
        await own.fold()
        #expect(try metrics(own).isEmpty)
    }

    @Test("Names are escaped, and a container has at most 200 lines")
    func names() throws {
        let clock = Mutex(SmallCloud.now)
        let gauges = TrendGauges { clock.withLock(\.self) }
        let tenant = SmallCloud.tenant
        gauges.set((0..<150).map { .init(type: "T\($0)\"\n", created: 2, live: 1) }, of: tenant)
        let figures = gauges.families.map { $0.figures() }
        #expect(figures.map(\.count) == [100, 100])
        #expect(figures[0][0].value == 1 && figures[1][0].value == 2)
        #expect(figures[0][0].labels.map(\.value) == [tenant.container, "development", "T0\"\n"])
        gauges.set(nil, of: tenant)
        #expect(gauges.families.allSatisfy { $0.figures().isEmpty })
        // A deleted container is not updated any more.
        gauges.set([.init(type: "T", created: 2, live: 1)], of: tenant)
        clock.withLock { $0 += 600_000 }
        #expect(gauges.families.allSatisfy { $0.figures().count == 1 })
        clock.withLock { $0 += 1 }
        #expect(gauges.families.allSatisfy { $0.figures().isEmpty })
    }
}
