extension Picture {
    /// Below this width, periods have no room for a visible bar and gap.
    private static let bandMin = 3.0
    private static let barMax = 56.0
    /// Keeps values other than zero visible.
    private static let heightMin = 2.0

    func drawBars(to svg: inout Markup) {
        guard frame.band >= Self.bandMin else { return drawArea(to: &svg) }
        let width = min(Self.barMax, frame.band - min(max(1, frame.band * 0.28), 24))
        if !chart.isSplit { drawHits(to: &svg) }
        for period in chart.periods.indices {
            let isPartial = chart.periods[period].isPartial
            for (layer, row) in zip(layers, stacks.segments) {
                guard let segment = row[period] else { continue }
                let text = chart.isSplit ? "\(label(period)), \(layer.name)" : label(period)
                let left = frame.middle(of: period) - width / 2
                let attributes: Markup.Attributes = [
                    "class": "bar \(layer.color.name)", "d": outline(of: segment, left, width),
                    "fill": fill(layer.color),
                    "stroke": "#000", "stroke-width": "0.75",
                ]
                svg.element("g", isPartial ? ["class": "partial", "stroke-dasharray": "3 2"] : [:]) { svg in
                    svg.element("path", attributes) {
                        $0.element("title", "\(text): \(NumberText.full(segment.to - segment.from))")
                    }
                }
            }
        }
    }

    /// The whole height of a period shows the tooltip of its bar, so that small ones can be found.
    func drawHits(to svg: inout Markup) {
        for period in chart.periods.indices where extents[period] != nil {
            let (start, end) = (frame.start(of: period), frame.start(of: period + 1))
            svg.element("rect", rectangle("hit", start, frame.top, end, frame.bottom)) {
                $0.element("title", hit(period))
            }
        }
    }

    private func hit(_ period: Int) -> String {
        let shown = layers + [before].compactMap { $0 }
        let values = shown.compactMap { layer in layer.values[period].map { (layer.name, NumberText.full($0)) } }
        if chart.hasBars, before == nil { return "\(label(period)): \(values.first?.1 ?? "")" }
        return "\(label(period)), " + values.map { "\($0): \($1)" }.joined(separator: ", ")
    }

    /// The outline of a bar: with a round end if it is not split, otherwise with a small space to the next part.
    private func outline(of segment: Segment, _ left: Double, _ width: Double) -> String {
        let (foot, end) = ends(of: segment)
        let height = (foot - end).magnitude
        let down = end > foot
        if chart.isSplit || width < 6 || height < 6 {
            let space = chart.isSplit && height > 4 ? 1.0 : 0
            let stop = down ? end - space : end + space
            return "M\(left.px) \(foot.px)V\(stop.px)h\(width.px)V\(foot.px)z"
        }
        let bend = down ? -3.0 : 3.0
        return "M\(left.px) \(foot.px)V\((end + bend).px)q0 \((-bend).px) 3 \((-bend).px)h\((width - 6).px)"
            + "q3 0 3 \(bend.px)V\(foot.px)z"
    }

    /// The vertical extent of a segment, with the minimum visible height: one pixel for zero.
    func ends(of segment: Segment) -> (foot: Double, end: Double) {
        let (foot, end) = (frame.y(segment.from), frame.y(segment.to))
        let value = segment.to - segment.from
        guard segment.from == 0, (foot - end).magnitude < Self.heightMin else { return (foot, end) }
        return (foot, value < 0 ? foot + Self.heightMin : foot - (value == 0 ? 1 : Self.heightMin))
    }
}
