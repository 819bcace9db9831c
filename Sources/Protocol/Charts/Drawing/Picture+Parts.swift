extension Picture {
    func svg(carriesStyle: Bool) -> String {
        var svg = Markup()
        let (width, height) = (frame.width.px, frame.height.px)
        let root: Markup.Attributes = [
            "xmlns": "http://www.w3.org/2000/svg", "class": "nephos-chart", "width": width, "height": height,
            "viewBox": "0 0 \(width) \(height)", "role": "img", "aria-labelledby": "\(id)-title \(id)-desc",
            "font-family": Font.family, "font-size": Font.size.px,
        ]
        svg.element("svg", root) { svg in
            draw(carriesStyle: carriesStyle, to: &svg)
        }
        svg.line()
        return svg.text
    }

    /// Draws everything inside the root element.
    func draw(carriesStyle: Bool = false, to svg: inout Markup) {
        svg.element("title", ["id": "\(id)-title"], chart.title)
        svg.element("desc", ["id": "\(id)-desc"], chart.summary)
        if carriesStyle { svg.style(Chart.style) }
        drawPatterns(to: &svg)
        let size: Markup.Attributes = [
            "class": "paper", "width": frame.width.px, "height": frame.height.px, "fill": "#fff",
        ]
        svg.element("rect", size)
        drawTitle(to: &svg)
        guard hasData else { return drawNoData(to: &svg) }
        drawLegend(to: &svg)
        drawAxis(to: &svg)
        drawGaps(to: &svg)
        drawMarkLines(to: &svg)
        if chart.hasBars { drawBars(to: &svg) } else { drawLines(to: &svg) }
        drawComparison(to: &svg)
        drawBase(to: &svg)
        drawPeaks(to: &svg)
        drawMarkLabels(to: &svg)
        drawPeriods(to: &svg)
    }

    func fill(_ color: SplitColor) -> String { "url(#\(id)-\(color.name))" }

    private func drawPatterns(to svg: inout Markup) {
        guard chart.hasBars, hasData else { return }
        svg.element("defs") { svg in
            for layer in layers { layer.color.pattern.write(to: &svg, id: "\(id)-\(layer.color.name)") }
        }
    }

    private func drawTitle(to svg: inout Markup) {
        for (place, line) in title.enumerated() {
            let y = Frame.margin + Self.titleHeight * Double(place) + 15
            let attributes: Markup.Attributes = [
                "class": "strong", "x": Frame.margin.px, "y": y.px, "font-size": Font.titleSize.px,
                "font-weight": "600",
            ]
            svg.element("text", attributes, line)
        }
    }

    private func drawNoData(to svg: inout Markup) {
        let y = (frame.top + frame.bottom) / 2
        svg.element("text", ["x": (frame.width / 2).px, "y": y.px, "text-anchor": "middle"], Chart.noData)
    }

    private func drawLegend(to svg: inout Markup) {
        let top = Frame.margin + Self.titleHeight * Double(title.count) + 4
        for entry in legend.entries {
            let y = top + Legend.rowHeight * Double(entry.row)
            let x = entry.text.x - legend.swatch
            drawSwatch(of: entry.color, x: x, y: y, to: &svg)
            svg.element("text", ["class": "strong", "x": entry.text.x.px, "y": (y + 10).px], entry.text.text)
        }
    }

    private func drawSwatch(of color: SplitColor?, x: Double, y: Double, to svg: inout Markup) {
        let path = "M\(x.px) \((y + 6).px)h\((legend.swatch - 6).px)"
        switch color {
        case nil: drawComparison(path, isDashed: !chart.hasBars, to: &svg)
        case let color? where chart.hasBars:
            svg.element(
                "rect",
                [
                    "class": "bar \(color.name)", "x": x.px, "y": (y + 1).px, "width": "10", "height": "10", "rx": "2",
                    "fill": fill(color), "stroke": "#000",
                ])
        case let color?: drawLine(path, color, to: &svg)
        }
    }

    private func drawAxis(to svg: inout Markup) {
        for (tick, label) in zip(frame.axis.ticks, frame.axis.labels) {
            let y = frame.y(tick)
            svg.element(
                "path", ["class": "grid", "d": "M\(frame.left.px) \(y.px)H\(frame.right.px)", "stroke": "#ccc"])
            svg.element("text", ["x": (frame.left - 8).px, "y": (y + 4).px, "text-anchor": "end"], label)
        }
    }

    /// The zero line, if the axis contains zero.
    private func drawBase(to svg: inout Markup) {
        guard frame.axis.lower <= 0, frame.axis.upper >= 0 else { return }
        svg.element(
            "path", ["class": "base", "d": "M\(frame.left.px) \(frame.zero.px)H\(frame.right.px)", "stroke": "#000"])
    }

    /// The background of unknown values, one rectangle for each run.
    private func drawGaps(to svg: inout Markup) {
        var start: Int?
        for period in 0...extents.count {
            let isGap = period < extents.count && extents[period] == nil
            if isGap, start == nil { start = period }
            guard !isGap, let first = start else { continue }
            start = nil
            let names = first == period - 1 ? label(first) : "\(label(first)) to \(label(period - 1))"
            let x = frame.start(of: first)
            svg.element("rect", rectangle("gap", x, frame.top, frame.start(of: period), frame.bottom)) {
                $0.element("title", "\(names): not known")
            }
        }
    }

    private func drawPeriods(to svg: inout Markup) {
        let y = frame.height - Frame.margin
        for label in PeriodLabels(chart.periods, in: frame).placed {
            svg.element("text", ["x": label.middle.px, "y": y.px, "text-anchor": "middle"], label.text)
        }
    }

    func label(_ period: Int) -> String { chart.periods[period].fullLabel }

    func rectangle(
        _ name: String, _ left: Double, _ top: Double, _ right: Double, _ bottom: Double
    ) -> Markup.Attributes {
        [
            "class": name, "x": left.px, "y": top.px, "width": (right - left).px, "height": (bottom - top).px,
            "fill-opacity": name == "hit" ? "0" : "0.06",
        ]
    }
}
