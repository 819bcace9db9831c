extension Picture {
    /// One line and its zero line, with a margin for dots.
    private static let smallMargin = 4.0

    init(small chart: Chart, id: String, width: Double, height: Double) {
        (self.chart, self.id, layers, before) = (chart, id, chart.layers, nil)
        stacks = Stacks([], periods: chart.periods.count)
        extents = layers.first?.values.map { Extent([$0].compactMap { $0 }) } ?? []
        let known = extents.compactMap { $0 }
        peaks = Peaks(of: known)
        (title, legend) = ([], Legend([], width: width, isOfLines: true))
        marks = MarkLabels([], left: 0, band: 0, width: width)
        let margin = Self.smallMargin
        let low = min(0, peaks.low ?? known.map(\.low).min() ?? 0),
            high = max(0, peaks.high ?? known.map(\.high).max() ?? 0)
        frame = Frame(
            width: width, height: height, left: margin, right: width - margin,
            top: margin + (peaks.high == nil ? 0 : Frame.beyond),
            bottom: height - margin - (peaks.low == nil ? 0 : Frame.beyond),
            axis: Axis(exactlyFrom: low, to: max(high, low == 0 ? 1e-6 : 0)), periods: chart.periods.count)
    }

    func smallSVG(carriesStyle: Bool) -> String {
        var svg = Markup()
        let (width, height) = (frame.width.px, frame.height.px)
        let root: Markup.Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "class": "nephos-chart small", "width": width, "height": height,
            "viewBox": "0 0 \(width) \(height)", "role": "img", "aria-labelledby": "\(id)-title \(id)-desc",
            "font-family": Font.family, "font-size": Font.size.px,
        ]
        svg.element("svg", root) { svg in
            svg.element("title", ["id": "\(id)-title"], chart.title)
            svg.element("desc", ["id": "\(id)-desc"], smallSummary)
            if carriesStyle { svg.style(Chart.style) }
            svg.element("rect", ["class": "paper", "width": width, "height": height, "fill": "#fff"])
            guard hasData else {
                guard frame.width >= 64 else { return }
                let attributes: Markup.Attributes = [
                    "x": (frame.width / 2).px, "y": (frame.height / 2 + 4).px, "text-anchor": "middle",
                ]
                return svg.element("text", attributes, Chart.noData)
            }
            let zero = "M\(frame.left.px) \(frame.zero.px)H\(frame.right.px)"
            svg.element("path", ["class": "grid", "d": zero, "stroke": "#ccc"])
            drawSmallLine(to: &svg)
        }
        svg.line()
        return svg.text
    }

    private var smallSummary: String {
        guard let last = layers.first?.values.last ?? nil else { return hasData ? "" : Chart.noData + "." }
        let high = extents.compactMap { $0?.high }.max() ?? 0
        return "\(chart.periods.count) periods, highest \(NumberText.full(high)), last \(NumberText.full(last))."
    }
}
