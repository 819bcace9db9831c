import Charts
import CloudKitWire

extension TrendAnswer {
    /// A chart of one series.
    func chart(of series: Series, _ view: TrendView) -> Chart {
        Chart(
            title: view.title(of: series, by: period.rawValue), description: described(view, series),
            periods: chartPeriods, content: view.content(series))
    }

    /// All charts one below the other, as a standalone picture.
    ///
    /// - Parameter width: In pixels; rounded to the nearest width that charts support.
    func svg(_ view: TrendView, width: Int = 768) -> [UInt8] {
        let charts = isSplit ? splitCharts(view) : series.map { chart(of: $0, view) }
        let title = "Trends by \(period.rawValue)"
        guard charts.count > 1 else {
            let only = charts.first ?? Chart(title: title, periods: [], content: .bars(Chart.Series("", [])))
            return Array(only.svg(id: "trends", width: width).utf8)
        }
        return Array(Chart.svg(below: charts, id: "trends", title: title, width: width).utf8)
    }

    private func described(_ view: TrendView, _ series: Series?) -> String {
        [view.description(of: series, in: days.name), pastNote].compactMap(\.self).joined(separator: " ")
    }

    /// A chart for each type, with the values of a field as bars or lines.
    private func splitCharts(_ view: TrendView) -> [Chart] {
        let types = series.reduce(into: [Name]()) { if !$0.contains($1.type) { $0.append($1.type) } }
        return types.map { type in
            let own = series.filter { $0.type == type }
            return Chart(
                title: view.title(of: type.text, by: period.rawValue) + ", by value",
                description: described(view, own.first), periods: chartPeriods,
                content: view.content(
                    own.filter { $0.split != TypeParts.other }, other: own.first { $0.split == TypeParts.other }))
        }
    }

    /// The figures of a series as a sparkline.
    func sparkline(of series: Series, _ view: TrendView) -> Sparkline {
        Sparkline(
            title: "\(view.title(of: series, by: period.rawValue)), the last \(starts.count)",
            values: view.values(of: series), isLastPartial: isLastPartial)
    }

    private var chartPeriods: [Chart.Period] {
        let dates = starts.map { CivilDate($0) }
        let isOneYear = dates.first?.year == dates.last?.year
        return dates.indices.map { place in
            let names = Self.names(dates[place], period, isOneYear: isOneYear)
            return Chart.Period(names.label, short: names.short, isPartial: isLastPartial && place == dates.count - 1)
        }
    }

    /// - Parameter isOneYear: Whether all dates are in the same year, which then need not be shown with each.
    private static func names(_ date: CivilDate, _ period: Days.Period, isOneYear: Bool) -> (
        label: String, short: String
    ) {
        let month = months[Int(date.month - 1) % months.count]
        switch period {
        case .day: return ("\(date)", isOneYear ? "\(date.day) \(month)" : "\(date)")
        case .week: return ("week of \(date)", isOneYear ? "\(date.day) \(month)" : "\(date)")
        case .month: return (String("\(date)".prefix(7)), isOneYear ? month : "\(month) \(date.year)")
        case .year: return (String(date.year), String(date.year))
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
