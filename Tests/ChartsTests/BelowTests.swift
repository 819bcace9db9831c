import Charts
import NephosTesting
import Testing

@Suite("Charts stacked in one document") struct BelowTests {
    @Test("are one standalone document, in which each looks as it does alone", arguments: Seeds.all(3))
    func below(seed: UInt64) throws {
        var made = RandomChart(seed: seed)
        let charts = (0..<4).map { _ in made.next() }
        let svg = try Element.read(Chart.svg(below: charts, id: "all <&>", title: "a < b", width: 480))
        #expect(svg.all("svg").count == 1 && svg.all("style").count == 1 && svg.title == "a < b")
        let parts = svg.children.filter { $0.name == "g" }
        #expect(parts.count == charts.count, "SEED=\(seed)")
        var foot = 0.0
        for (part, chart) in zip(parts, charts) {
            let exclusively = try Element.read(chart.svg(id: "alone", width: 480, carriesStyle: false))
            #expect(part.all.count == exclusively.all.count, "SEED=\(seed)")
            let top = try #require(
                part.attributes["transform"]?.split { "( )".contains($0) }.last.flatMap { Double($0) })
            #expect(top >= foot, "SEED=\(seed)")
            foot = top + exclusively.number("height")
        }
        #expect(svg.number("height") >= foot - 0.02, "SEED=\(seed)")
        let ids = svg.all.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count, "SEED=\(seed)")
    }

    @Test("produce nothing when there are no charts")
    func none() throws {
        let svg = try Element.read(Chart.svg(below: [], id: "none", title: "Nothing"))
        #expect(svg.children.contains { $0.text == "0 charts." } && svg.number("height") > 0)
    }
}
