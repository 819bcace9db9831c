extension Picture {
    /// Values beyond the axis: a cut through the bar, and its value at the end.
    func drawPeaks(to svg: inout Markup) {
        var taken: [PlacedText] = []
        let cut = extents.indices.filter { period in
            extents[period].map { $0.high > frame.axis.upper || $0.low < frame.axis.lower } ?? false
        }
        // Largest first: if two do not fit, that value is the one written.
        for period in cut.sorted(by: { (magnitude($0), $1) > (magnitude($1), $0) }) {
            guard let extent = extents[period] else { continue }
            let isHigh = extent.high > frame.axis.upper
            drawCut(at: period, isHigh: isHigh, to: &svg)
            let text = NumberText.full(isHigh ? extent.high : extent.low)
            let width = TextWidth.of(text)
            let x = min(max(frame.left, frame.middle(of: period) - width / 2), frame.width - 4 - width)
            let label = PlacedText(text: text, x: x, width: width)
            guard !taken.contains(where: { $0.x < label.end + 6 && label.x < $0.end + 6 }) else { continue }
            taken.append(label)
            let y = isHigh ? frame.top - Frame.beyond - 6 : frame.bottom + Frame.beyond + 16
            let attributes: Markup.Attributes = [
                "class": "strong halo", "x": label.middle.px, "y": y.px, "text-anchor": "middle", "stroke": "#fff",
                "stroke-width": "3", "paint-order": "stroke",
            ]
            svg.element("text", attributes, text)
        }
    }

    private func magnitude(_ period: Int) -> Double { extents[period]?.magnitude ?? 0 }

    private func drawCut(at period: Int, isHigh: Bool, to svg: inout Markup) {
        let half = min(max(frame.band, 6), 64) / 2
        let x = frame.middle(of: period)
        let y = isHigh ? frame.top - 5 : frame.bottom + 5
        let path = "M\((x - half).px) \((y + 2).px)l\((2 * half).px) -4"
        svg.element("path", ["class": "halo", "d": path, "fill": "none", "stroke": "#fff", "stroke-width": "3"])
    }
}
