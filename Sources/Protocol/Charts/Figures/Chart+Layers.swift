/// A series prepared for drawing.
struct Layer {
    let name: String
    /// One for each period.
    let values: [Double?]
    let color: SplitColor
}

extension Chart {
    /// Number of series with their own color.
    static let colorsMax = 12

    /// The drawn layers, in the order of the legend.
    var layers: [Layer] {
        switch content {
        case .bars(let series): [layer(series, .numbered(0))]
        case .stackedBars(let parts, let other): numbered(parts) + folded(parts.dropFirst(Self.colorsMax), other)
        case .lines(let series, _): numbered(series)
        }
    }

    /// The columns of the table.
    var columns: [Layer] {
        guard case .lines(let series, _) = content else { return layers }
        return series.map { layer($0, .other) }
    }

    var comparisonLayer: Layer? { before.map { layer($0, .other) } }

    /// Marks whose period exists.
    var placedMarks: [Mark] {
        marks.filter { periods.indices.contains($0.period) }.sorted { ($0.period, $0.label) < ($1.period, $1.label) }
    }

    private func numbered(_ series: [Series]) -> [Layer] {
        series.prefix(Self.colorsMax).enumerated().map { layer($1, .numbered($0)) }
    }

    private func layer(_ series: Series, _ color: SplitColor) -> Layer {
        let name = series.name.cleaned
        return Layer(
            name: name.allSatisfy(\.isWhitespace) ? "(empty)" : name, values: fitted(series.values), color: color)
    }

    /// Series without a color of their own, combined into one.
    private func folded(_ rest: some Sequence<Series>, _ other: Series?) -> [Layer] {
        let parts = Array(rest) + (other.map { [$0] } ?? [])
        guard !parts.isEmpty else { return [] }
        let sums = parts.map { fitted($0.values) }.reduce([Double?](repeating: nil, count: periods.count)) {
            sums, values in
            zip(sums, values).map { sum, value in value.map { (sum ?? 0) + $0 } ?? sum }
        }
        return [layer(Series(other?.name ?? "other", sums), .other)]
    }

    private func fitted(_ values: [Double?]) -> [Double?] {
        periods.indices.map { place in
            guard place < values.count, let value = values[place], value.magnitude < 1e18 else { return nil }
            return value
        }
    }
}
