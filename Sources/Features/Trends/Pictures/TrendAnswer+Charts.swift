import Charts
import CloudKitWire

extension TrendAnswer {
    /// A chart of one series.
    func chart(of series: Series, _ view: TrendView) -> Chart {
        Chart(
            title: view.title(of: series.title, by: period.rawValue), description: view.description(in: days.name),
            periods: chartPeriods, content: view.content(series))
    }

    /// All charts below one another, as one picture that can stand alone.
    ///
    /// - Parameter width: In pixels, the nearest of those that charts know.
    func svg(_ view: TrendView, width: Int = 768) -> [UInt8] {
        let charts = series.map { chart(of: $0, view) }
        guard let only = charts.first, charts.count == 1 else {
            return Array(
                Chart.svg(below: charts, id: "trends", title: "Trends by \(period.rawValue)", width: width).utf8)
        }
        return Array(only.svg(id: "trends", width: width).utf8)
    }

    /// The figures of a series as a small line.
    func sparkline(of series: Series, _ view: TrendView) -> Sparkline {
        Sparkline(
            title: "\(view.title(of: series.title, by: period.rawValue)), the last \(starts.count)",
            values: view.values(of: series).map { Double($0) }, isLastPartial: isLastPartial)
    }

    private var chartPeriods: [Chart.Period] {
        let dates = starts.map { CivilDate($0) }
        let isOneYear = dates.first?.year == dates.last?.year
        return dates.indices.map { place in
            let names = Self.names(dates[place], period, isOneYear: isOneYear)
            return Chart.Period(names.label, short: names.short, isPartial: isLastPartial && place == dates.count - 1)
        }
    }

    /// - Parameter isOneYear: All are of one year, which need not be said below each.
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
