extension Picture {
    /// Wide enough for a dot at each value.
    private static let dotBandMin = 16.0
    /// Wide enough to be pointed at.
    private static let hitBandMin = 3.0

    func drawLines(to svg: inout Markup) {
        for layer in layers {
            svg.element("g", ["class": layer.color.name]) { svg in
                svg.element("title", layer.name)
                let dots = frame.band >= Self.dotBandMin ? Dots.all : .none
                for run in runs(of: layer.values) { draw(run, layer.color, dots: dots, to: &svg) }
            }
        }
        if frame.band >= Self.hitBandMin { drawHits(to: &svg) }
    }

    /// The line of a sparkline, with a dot only at its end.
    func drawSmallLine(to svg: inout Markup) {
        for layer in layers {
            svg.element("g", ["class": layer.color.name]) { svg in
                let runs = runs(of: layer.values)
                for (place, run) in runs.enumerated() {
                    draw(run, layer.color, dots: place == runs.count - 1 ? .atEnd : .none, to: &svg)
                }
            }
        }
    }

    private enum Dots {
        case all, atEnd, none
    }

    private struct Point {
        let x: Double
        let y: Double
        let isPartial: Bool
    }

    /// Points without a gap between them. Of those that share a pixel, the lowest and the highest.
    private func runs(of values: [Double?]) -> [[Point]] {
        var runs: [[Point]] = []
        var isOpen = false
        for group in frame.groups {
            let known = group.compactMap { period in values[period].map { (period, $0) } }
            let ends = [known.min { $0.1 < $1.1 }, known.max { $0.1 < $1.1 }].compactMap { $0 }.sorted { $0.0 < $1.0 }
            let kept = ends.first?.0 == ends.last?.0 ? Array(ends.prefix(1)) : ends
            let points = kept.map {
                Point(x: frame.middle(of: $0), y: frame.y($1), isPartial: chart.periods[$0].isPartial)
            }
            if points.isEmpty {
                isOpen = false
            } else if isOpen {
                runs[runs.count - 1] += points
            } else {
                runs.append(points)
                isOpen = true
            }
        }
        return runs
    }

    /// The segment to a period that has not ended is dashed, and ends in a ring.
    private func draw(_ run: [Point], _ color: SplitColor, dots: Dots, to svg: inout Markup) {
        let ended = run.prefix { !$0.isPartial }
        drawLine(path(ended), color, to: &svg)
        let open = run.dropFirst(max(0, ended.count - 1))
        if ended.count < run.count, open.count > 1 { drawLine(path(open), color, isOpen: true, to: &svg) }
        for (place, point) in run.enumerated() {
            let isEnd = dots == .atEnd && place == run.count - 1
            guard dots == .all || isEnd || point.isPartial || run.count == 1 else { continue }
            svg.element(
                "circle",
                [
                    "class": point.isPartial ? "ring" : "dot", "cx": point.x.px, "cy": point.y.px, "r": "3",
                    "fill": point.isPartial ? "#fff" : "#000", "stroke": point.isPartial ? "#000" : "none",
                    "stroke-width": "1.5",
                ])
        }
    }

    private func path(_ points: some Collection<Point>) -> String {
        guard points.count > 1 else { return "" }
        return points.enumerated().map { "\($0 == 0 ? "M" : "L")\($1.x.px) \($1.y.px)" }.joined()
    }

    func drawLine(_ path: String, _ color: SplitColor, isOpen: Bool = false, to svg: inout Markup) {
        guard !path.isEmpty else { return }
        let attributes: Markup.Attributes = [
            "class": "line \(color.name)\(isOpen ? " open" : "")", "d": path, "fill": "none", "stroke": "#000",
            "stroke-width": "2", "stroke-linejoin": "round", "stroke-dasharray": isOpen ? "2 3" : color.dashes,
        ]
        svg.element("path", attributes)
    }

    // MARK: A year before

    /// A short line across each bar if there is room, otherwise a line from one to the next: dashed among lines.
    func drawComparison(to svg: inout Markup) {
        guard let layer = before else { return }
        svg.element("g") { svg in
            svg.element("title", layer.name)
            let isAcross = chart.hasBars && frame.band >= 8
            if isAcross {
                let half = min(frame.band - 2, 64) / 2
                let ticks = layer.values.enumerated().compactMap { period, value in
                    value.map { "M\((frame.middle(of: period) - half).px) \(frame.y($0).px)h\((2 * half).px)" }
                }
                drawComparison(ticks.joined(), isDashed: false, to: &svg)
            } else {
                for run in runs(of: layer.values) {
                    let single = run.first.map { "M\($0.x.px) \($0.y.px)h1" } ?? ""
                    drawComparison(run.count > 1 ? path(run) : single, isDashed: !chart.hasBars, to: &svg)
                }
            }
        }
    }

    /// With a halo in the color of the paper, so that it is visible on any color.
    func drawComparison(_ path: String, isDashed: Bool, to svg: inout Markup) {
        guard !path.isEmpty else { return }
        let seam: Markup.Attributes = [
            "class": "halo", "d": path, "fill": "none", "stroke": "#fff", "stroke-width": "3",
        ]
        svg.element("path", seam)
        let line: Markup.Attributes = [
            "class": "before", "d": path, "fill": "none", "stroke": "#000", "stroke-width": "1.5",
            "stroke-dasharray": isDashed ? "4 3" : "none",
        ]
        svg.element("path", line)
    }
}
