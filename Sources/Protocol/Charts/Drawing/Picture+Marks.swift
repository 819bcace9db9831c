extension Picture {
    func drawMarkLines(to svg: inout Markup) {
        let feet = frame.top - (peaks.high == nil ? 8 : Self.peakHeight)
        for flag in marks.flags {
            let top = flag.text == nil ? frame.top : feet - MarkLabels.rowHeight * Double(flag.row + 1) + 3
            let attributes: Markup.Attributes = [
                "class": "mark", "d": "M\(flag.x.px) \(top.px)V\(frame.bottom.px)", "fill": "none", "stroke": "#000",
                "stroke-dasharray": "2 2",
            ]
            svg.element("path", attributes) {
                $0.element("title", "\(chart.periods[flag.mark.period].label): \(flag.mark.label)")
            }
        }
    }

    func drawMarkLabels(to svg: inout Markup) {
        let feet = frame.top - (peaks.high == nil ? 8 : Self.peakHeight)
        for flag in marks.flags {
            guard let text = flag.text else { continue }
            let y = feet - MarkLabels.rowHeight * Double(flag.row) - 4
            svg.element("text", ["x": text.x.px, "y": y.px], text.text)
        }
    }
}
