/// Bars that are too narrow to draw become an area with a step for each of them.
extension Picture {
    /// A part of an area without a gap.
    private struct Step {
        let left: Double
        let right: Double
        let foot: Double
        let end: Double
        let isPartial: Bool
    }

    func drawArea(to svg: inout Markup) {
        for (layer, row) in zip(layers, stacks.segments) {
            let steps = steps(of: row)
            svg.element("g", ["class": layer.color.name]) { svg in
                svg.element("title", "\(layer.name): \(layer.summary(of: chart.periods))")
                for run in steps {
                    svg.element(
                        "g", run.first?.isPartial == true ? ["class": "partial", "stroke-dasharray": "3 2"] : [:]
                    ) { svg in
                        svg.element(
                            "path",
                            [
                                "class": "bar", "d": outline(of: run), "fill": fill(layer.color), "stroke": "#000",
                                "stroke-width": "0.75",
                            ])
                    }
                }
            }
        }
    }

    /// Runs of steps without a gap; a period that has not ended is separate.
    private func steps(of row: [Segment?]) -> [[Step]] {
        var runs: [[Step]] = []
        var isOpen = false
        for group in frame.groups {
            guard let period = highest(in: group), let segment = row[period] else {
                isOpen = false
                continue
            }
            let (foot, end) = ends(of: segment)
            let step = Step(
                left: frame.start(of: group.lowerBound), right: frame.start(of: group.upperBound), foot: foot, end: end,
                isPartial: chart.periods[period].isPartial)
            if isOpen, let last = runs.last?.last, last.isPartial == step.isPartial {
                runs[runs.count - 1].append(step)
            } else {
                runs.append([step])
            }
            isOpen = true
        }
        return runs
    }

    /// The period that represents those that share a pixel.
    private func highest(in group: Range<Int>) -> Int? {
        group.filter { extents[$0] != nil }.max { (extents[$0]?.magnitude ?? 0) < (extents[$1]?.magnitude ?? 0) }
    }

    private func outline(of run: [Step]) -> String {
        guard let first = run.first else { return "" }
        let ends = run.map { "V\($0.end.px)H\($0.right.px)" }
        let feet = run.reversed().map { "V\($0.foot.px)H\($0.left.px)" }
        return "M\(first.left.px) \(first.foot.px)" + ends.joined() + feet.joined() + "z"
    }
}
