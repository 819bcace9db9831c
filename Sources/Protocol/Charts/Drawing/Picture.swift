/// A chart and its layout.
struct Picture {
    let chart: Chart
    let id: String
    let layers: [Layer]
    /// The figures for comparison.
    let before: Layer?
    let stacks: Stacks
    let peaks: Peaks
    /// The drawn extent of each period; nil if nothing is known.
    let extents: [Extent?]
    let title: [String]
    let legend: Legend
    let marks: MarkLabels
    let frame: Frame

    static let titleHeight = 22.0
    private static let labelsHeight = 30.0
    private static let emptyHeight = 60.0
    /// The height of a cut and its value.
    static let peakHeight = Frame.beyond + 22

    init(_ chart: Chart, id: String, width: Double, showsTitle: Bool) {
        (self.chart, self.id, layers, before) = (chart, id, chart.layers, chart.comparisonLayer)
        stacks = Stacks(chart.hasBars ? layers : [], periods: chart.periods.count)
        extents = Self.extents(of: chart, layers, stacks)
        let known = extents.enumerated().compactMap { [before] place, extent in
            let values = [extent?.low, extent?.high, before?.values[place]].compactMap { $0 }
            return Extent(values)
        }
        peaks = chart.startsAtZero ? Peaks(of: known) : .none
        let shown = showsTitle ? chart.title.cleaned : ""
        title = shown.wrapped(to: width - 2 * Frame.margin, lines: 2, size: Font.titleSize)
        legend = Legend(Self.names(chart, layers, before), width: width, isOfLines: !chart.hasBars)

        let plotHeight = known.isEmpty ? Self.emptyHeight : min(max((width * 0.34).rounded(), 150), 300)
        let axis = Self.axis(known, peaks, from: chart.startsAtZero, layers + [before].compactMap { $0 }, plotHeight)
        let left = Frame.margin + (axis.labels.map { TextWidth.of($0) }.max() ?? 0) + 8
        let right = width - Frame.margin
        marks = MarkLabels(
            chart.placedMarks, left: left, band: (right - left) / Double(max(1, chart.periods.count)), width: width)
        var top = Frame.margin + Self.titleHeight * Double(title.count)
        top += legend.rows > 0 ? Legend.rowHeight * Double(legend.rows) + 4 : title.isEmpty ? 0 : 6
        top += MarkLabels.rowHeight * Double(marks.rows) + (peaks.high == nil ? 8 : Self.peakHeight)
        let bottom = top + plotHeight
        frame = Frame(
            width: width, height: bottom + Self.labelsHeight + (peaks.low == nil ? 0 : Self.peakHeight),
            left: left, right: right, top: top, bottom: bottom, axis: axis, periods: chart.periods.count)
    }

    var hasData: Bool { extents.contains { $0 != nil } }

    private static func extents(of chart: Chart, _ layers: [Layer], _ stacks: Stacks) -> [Extent?] {
        chart.periods.indices.map { period in
            chart.hasBars
                ? Extent(stacks.segments.compactMap { $0[period] }.flatMap { [$0.from, $0.to] })
                : Extent(layers.compactMap { $0.values[period] })
        }
    }

    private static func names(_ chart: Chart, _ layers: [Layer], _ before: Layer?) -> [(
        name: String, color: SplitColor?
    )] {
        guard layers.count > 1 || before != nil || chart.isSplit else { return [] }
        return layers.map { ($0.name, $0.color) } + (before.map { [($0.name, nil)] } ?? [])
    }

    private static func axis(
        _ known: [Extent], _ peaks: Peaks, from isFromZero: Bool, _ layers: [Layer], _ height: Double
    ) -> Axis {
        let zero = isFromZero || known.isEmpty ? [0.0] : []
        let low = (peaks.low.map { [$0] } ?? known.map(\.low)) + zero
        let high = (peaks.high.map { [$0] } ?? known.map(\.high)) + zero
        let isWhole = layers.allSatisfy { $0.values.allSatisfy { $0.map { $0 == $0.rounded() } ?? true } }
        return Axis(
            from: low.min() ?? 0, to: high.max() ?? 0, intervalsMax: max(3, min(6, Int(height / 40))), isWhole: isWhole)
    }
}

extension Chart {
    var hasBars: Bool {
        if case .lines = content { false } else { true }
    }

    var isSplit: Bool {
        if case .stackedBars = content { true } else { false }
    }

    var startsAtZero: Bool {
        if case .lines(_, false) = content { false } else { true }
    }
}
