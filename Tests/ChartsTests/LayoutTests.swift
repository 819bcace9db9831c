import Charts
import NephosTesting
import Testing

@Suite("The picture of any chart") struct LayoutTests {
    static let widths = [320, 768, 1_200]

    @Test(
        "is well-formed and reproducible, and its texts neither overlap nor leave it", arguments: Seeds.all(6))
    func holds(seed: UInt64) throws {
        var charts = RandomChart(seed: seed)
        for round in 0..<5 {
            let chart = charts.next()
            for width in Self.widths + [200, 2_400] {
                let text = chart.svg(id: "chart \(round)", width: width)
                #expect(text == chart.svg(id: "chart \(round)", width: width), "SEED=\(seed)")
                let svg = try Element.read(text)
                for fault in Self.faults(of: svg) {
                    Issue.record("SEED=\(seed), chart \(round), width \(width): \(fault)")
                }
            }
        }
    }

    /// Faults in the positions of texts, and in the content.
    private static func faults(of svg: Element) -> [String] {
        let (width, height) = (svg.number("width"), svg.number("height"))
        let texts = svg.all("text")
        var faults: [String] = []
        for (place, text) in texts.enumerated() {
            let box = text.box
            if box.left < 0 || box.right > width || box.top < 0 || box.bottom > height {
                faults.append("'\(text.text)' is outside: \(box)")
            }
            if text.attributes["font-size"].flatMap(Double.init) ?? 12 < 12 { faults.append("'\(text.text)' is small") }
            for other in texts[(place + 1)...] where box.overlaps(other.box) {
                faults.append("'\(text.text)' overlaps '\(other.text)': \(box), \(other.box)")
            }
        }
        let below = texts.filter { $0.number("y") > height - 10 }
        if below.count > 8 { faults.append("\(below.count) labels below") }
        let ids = svg.all.compactMap { $0.attributes["id"] }
        if Set(ids).count != ids.count { faults.append("an id is used twice") }
        let names: Set = ["svg", "title", "desc", "style", "defs", "pattern", "rect", "path", "circle", "text", "g"]
        faults += Set(svg.all.map(\.name)).subtracting(names).map { "there is a \($0)" }
        for element in svg.all {
            for (key, value) in element.attributes where key != "aria-labelledby" && key != "font-family" {
                if value.contains("nan") || value.contains("inf") || value.contains("e+") {
                    faults.append("\(key)=\(value)")
                }
            }
        }
        return faults
    }

    @Test("has a table with all of its figures, in which markup is escaped", arguments: Seeds.all(4))
    func tables(seed: UInt64) throws {
        var charts = RandomChart(seed: seed)
        for _ in 0..<12 {
            let chart = charts.next()
            let table = try Element.read(chart.table())
            let rows = table.all("tr").dropFirst()
            let cells = Set(rows.map(\.children.count))
            #expect(cells.count <= 1, "SEED=\(seed)")
            #expect(table.all("th").allSatisfy { $0.attributes["scope"] != nil })
            #expect(
                Set(table.all.map(\.name)).subtracting(["table", "caption", "thead", "tbody", "tr", "th", "td"]) == [])
        }
    }

    @Test("is labeled by its title and description, through ids that no other text yields")
    func ids() throws {
        let chart = Chart.of(.bars(.init("Post", counts: [1, 2])), periods: 2)
        var ids: Set<String> = []
        for id in ["a b", "a_b", "a-b", "ab", "", "\"><", "ü", "_20"] {
            let svg = try Element.read(chart.svg(id: id))
            let names = svg.attributes["aria-labelledby"]?.split(separator: " ").map(String.init) ?? []
            #expect(svg.attributes["role"] == "img")
            #expect(names == [svg.all("title")[0], svg.all("desc")[0]].compactMap { $0.attributes["id"] })
            ids.formUnion(svg.all.compactMap { $0.attributes["id"] })
        }
        #expect(ids.count == 8 * 3)
    }

    @Test("inherits no style of the page, and has no attribute that a strict policy rejects")
    func style() throws {
        let chart = Chart.of(.bars(.init("Post", counts: [1, 2])), periods: 2)
        #expect(try chart.drawn().all("style").map(\.text) == [Chart.style])
        #expect(try Element.read(chart.svg(id: "x", carriesStyle: false)).all("style").isEmpty)
        #expect(try chart.drawn().all.allSatisfy { $0.attributes["style"] == nil })
        let selectors = Chart.style.replacing("@media screen and (prefers-color-scheme:dark){", with: "")
            .replacing("@media screen{", with: "").split { "{}".contains($0) }.enumerated()
            .filter { $0.element.contains(".nephos") }.flatMap { $0.element.split(separator: ",") }
        #expect(selectors.count > 40 && selectors.allSatisfy { $0.hasPrefix(".nephos-chart") })
    }
}
