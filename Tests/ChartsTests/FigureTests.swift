import Charts
import Testing

@Suite("A chart's picture shows") struct FigureTests {
    @Test("a bar for each value with its period in words, from the baseline up or down")
    func bars() throws {
        let svg = try Chart.of(.bars(.init("Post", counts: [1_234, -20, 0, nil])), periods: 4).drawn()
        let bars = svg.all("path", class: "bar")
        #expect(bars.map(\.title) == ["P0: 1,234", "P1: \u{2212}20", "P2: 0"])
        let zero = svg.all("path", class: "base")[0].pathNumbers[1]
        #expect(bars.allSatisfy { $0.pathNumbers[1] == zero })
        #expect(bars[0].pathNumbers[2] < zero && bars[1].pathNumbers[2] > zero)
        #expect(bars[2].pathNumbers[2] == zero - 1, "zero is a line")
    }

    @Test("an unknown value as a gap, without a bar or point")
    func gaps() throws {
        let values: [Int?] = [nil, nil, 3, nil, 4, 5]
        let bars = try Chart.of(.bars(.init("Post", counts: values)), periods: 6).drawn()
        #expect(bars.all("rect", class: "gap").map(\.title) == ["P0 to P1: not known", "P3: not known"])
        #expect(bars.all("path", class: "bar").count == 3)
        let lines = try Chart.of(.lines([.init("Post", counts: values)]), periods: 6).drawn()
        #expect(lines.all("circle", class: "dot").count == 3)
        #expect(
            lines.all("path", class: "line").map { $0.pathNumbers.count } == [4], "4 and 5 alone are next to each other"
        )
    }

    @Test("that the last period is incomplete")
    func partial() throws {
        let bars = try Chart.of(.bars(.init("Post", counts: [3, 4])), periods: 2, partial: 1).drawn()
        #expect(bars.all("g", class: "partial").flatMap { $0.all("path") }.map(\.title) == ["P1 so far: 4"])
        let lines = try Chart.of(.lines([.init("Post", counts: [3, 4, 5])]), periods: 3, partial: 2).drawn()
        #expect(lines.all("path", class: "open").count == 1 && lines.all("circle", class: "ring").count == 1)
        #expect(lines.all("desc")[0].text.contains("P2 so far"))
        let table = try Element.read(Chart.of(.bars(.init("Post", counts: [3])), periods: 1, partial: 0).table())
        #expect(table.all("th").map(\.text) == ["Period", "Post", "P0 so far"])
    }

    @Test("an extreme value as a cut bar labeled with the value, and keeps the others readable")
    func peaks() throws {
        for sign in [1, -1] {
            let values = (0..<30).map { $0 == 11 ? sign * 41_372 : 10 + $0 }
            let svg = try Chart.of(.bars(.init("net", counts: values)), periods: 30).drawn()
            let texts = svg.all("text").map(\.text)
            #expect(texts.contains(sign > 0 ? "41,372" : "\u{2212}41,372"))
            let heights = svg.all("path", class: "bar").map { ($0.pathNumbers[1] - $0.pathNumbers[2]).magnitude }
            #expect(heights.filter { $0 > 40 }.count >= 28, "\(heights)")
            #expect(svg.all("path", class: "halo").count == 1)
        }
        // If no other value is left, or large values are many, all are shown in full.
        for values in [[0, 0, 0, 0, 5_000], [1, 1, 1, 1, 1_000, 1_000, 1_000, 1_000], [1, 1_000]] {
            let svg = try Chart.of(.bars(.init("Post", counts: values)), periods: values.count).drawn()
            #expect(svg.all("path", class: "halo").isEmpty)
        }
    }

    @Test("a small value beside a large one, and each of a thousand values")
    func visible() throws {
        let two = try Chart.of(.bars(.init("Post", counts: [1, 1_000_000])), periods: 2).drawn()
        let small = two.all("path", class: "bar")[0].pathNumbers
        #expect(small[1] - small[2] >= 2)
        for width in LayoutTests.widths {
            let values = (0..<1_000).map { $0 == 500 ? 90 : $0 % 40 }
            let svg = try Chart.of(.bars(.init("Post", counts: values)), periods: 1_000).drawn(width: width)
            let areas = svg.all("path", class: "bar")
            #expect(areas.count == 1)
            let steps = areas[0].attributes["d"]?.split(separator: "V").count ?? 0
            #expect(steps > width && steps < 2_100)
            // The highest value is the top of the area, even if it shares a pixel with others.
            let heights = (areas[0].attributes["d"] ?? "").split(separator: "V").dropFirst()
                .compactMap { Double($0.prefix { $0 != "H" }) }
            let (top, bottom) = (
                svg.all("path", class: "grid").map { $0.pathNumbers[1] }.min() ?? 0, heights.max() ?? 0
            )
            #expect(((bottom - (heights.min() ?? 0)) / (bottom - top) - 0.9).magnitude < 0.01)
        }
    }

    @Test("stacked parts, with all after the twelfth combined as other, and negative ones below")
    func stacks() throws {
        let parts = (0..<14).map { Chart.Series("v\($0)", counts: [$0 + 1, $0 == 0 ? -5 : 2]) }
        let svg = try Chart.of(.stackedBars(parts, other: .init("all others", counts: [100, nil])), periods: 2).drawn()
        let bars = svg.all("path", class: "bar")
        #expect(bars.count == 26)
        #expect(bars[12].title == "P0, all others: 127" && bars[25].title == "P1, all others: 4")
        #expect(bars[13].title == "P1, v0: \u{2212}5" && bars[13].pathNumbers[2] > bars[13].pathNumbers[1])
        #expect(svg.all("rect", class: "bar").count == 13, "the legend")
        #expect(svg.all("pattern").count == 13)
    }

    @Test("the values compared with, and marks at their positions")
    func besides() throws {
        let chart = Chart.of(
            .bars(.init("Post", counts: [3, 4, 5])), periods: 3, before: .init("a year before", counts: [2, nil, 9]),
            marks: [.init("2.0", at: 1), .init("gone", at: 3), .init("never", at: -1)])
        let svg = try chart.drawn()
        #expect(svg.all("path", class: "mark").map(\.title) == ["P1: 2.0"])
        #expect(svg.all("path", class: "before").last?.attributes["d"]?.split(separator: "M").count == 2)
        #expect(svg.all("text").map(\.text).filter { ["Post", "a year before", "2.0"].contains($0) }.count == 3)
        let table = try Element.read(chart.table())
        #expect(table.all("caption").map(\.text) == ["New posts"])
        #expect(
            table.all("tr").map { $0.children.map(\.text) } == [
                ["Period", "Post", "a year before", "Marks"], ["P0", "3", "2", ""], ["P1", "4", "not known", "2.0"],
                ["P2", "5", "9", ""],
            ])
    }

    @Test("a text when there is no data")
    func nothing() throws {
        let contents: [Chart.Content] = [
            .bars(.init("Post", [])), .bars(.init("Post", [nil, .nan])), .stackedBars([]), .lines([]),
            .lines([], startsAtZero: false),
        ]
        for content in contents {
            for periods in [0, 2] {
                let chart = Chart.of(content, periods: periods)
                let svg = try chart.drawn()
                #expect(svg.all("text").map(\.text) == ["New posts", "No data"])
                #expect(svg.all("desc")[0].text == "No data.")
                #expect(try Element.read(chart.table()).all("td").map(\.text) == ["No data"])
            }
        }
        #expect(
            try Element.read(Sparkline(title: "Post", values: []).svg(id: "x")).all("text").map(\.text) == ["No data"])
    }

    @Test("names of any length in full in titles, and cut to the available room elsewhere")
    func names() throws {
        let long = String(repeating: "name ", count: 400)
        let svg = try Chart.of(.stackedBars([.init(long, counts: [1]), .init("", counts: [1])]), periods: 1).drawn()
        #expect(svg.all("path", class: "bar")[0].title == "P0, \(long): 1")
        let legend = svg.all("text").map(\.text)
        #expect(legend.contains { $0.hasPrefix("name name") && $0.hasSuffix("…") && $0.count < 60 })
        #expect(legend.contains("(empty)"))
    }

    @Test("a sparkline without axes, with gaps and the last value")
    func sparkline() throws {
        let line = Sparkline(title: "Post & User", counts: [1, 2, nil, 4, 5, 6], isLastPartial: true)
        let svg = try Element.read(line.svg(id: "x", width: 100, height: 24))
        #expect(svg.number("width") == 100 && svg.number("height") == 24 && svg.all("text").isEmpty)
        #expect(svg.title == "Post & User" && svg.all("desc")[0].text == "6 periods, highest 6, last 6.")
        #expect(svg.all("path", class: "line").count == 3 && svg.all("circle", class: "ring").count == 1)
        #expect(line.svg(id: "x") == line.svg(id: "x"))
    }

    @Test("everything at each width of a page's figure")
    func figure() throws {
        let html = Chart.of(.bars(.init("Post", counts: [1, 2])), periods: 2).figure(id: "x")
        let figure = try Element.read(html)
        #expect(figure.all("svg").map { Int($0.number("width")) } == Chart.figureWidths)
        #expect(figure.all("table").count == 1 && figure.all("style").isEmpty)
        let ids = figure.all.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        for width in Chart.figureWidths { #expect(Chart.pageStyle.contains(".at-\(width){display:block}")) }
    }
}
