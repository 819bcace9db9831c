extension Chart {
    static let noData = "No data"

    /// For screen readers: the description, the range, and the highest and last values.
    var summary: String {
        guard let first = periods.first, let last = periods.last, columns.contains(where: \.hasData) else {
            return [description, Self.noData + "."].filter { !$0.isEmpty }.joined(separator: " ")
        }
        let range =
            periods.count == 1
            ? "One period, \(first.fullLabel)."
            : "\(NumberText.full(Double(periods.count))) periods, \(first.label) to \(last.fullLabel)."
        let named = columns.prefix(3).map { "\($0.name): \($0.summary(of: periods))." }
        let rest = columns.count > named.count ? ["\(columns.count - named.count) more series."] : []
        let marks = placedMarks.prefix(5).map { "\($0.label) at \(periods[$0.period].label)." }
        return ([description, range] + named + rest + marks).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Chart.Period {
    /// With a suffix if the period has not ended.
    var fullLabel: String { isPartial ? label + " so far" : label }
}

extension Layer {
    var hasData: Bool { values.contains { $0 != nil } }

    /// `highest 41 in 2026-03, last 12`
    func summary(of periods: [Chart.Period]) -> String {
        let known = values.enumerated().compactMap { place, value in value.map { (place, $0) } }
        guard let last = known.last, let high = known.max(by: { $0.1 < $1.1 }) else { return Chart.noData.lowercased() }
        let unknown = values.count - known.count
        return "highest \(NumberText.full(high.1)) in \(periods[high.0].fullLabel), last \(NumberText.full(last.1))"
            + (unknown > 0 ? ", \(unknown) not known" : "")
    }
}
