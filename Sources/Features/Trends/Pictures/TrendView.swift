import Charts
import CloudKitWire
import NephosRunner

/// Which counts a picture shows.
enum TrendView: String, InputWord, CaseIterable, Sendable {
    /// Bars: records created.
    case created
    /// Bars: the difference between the end of a period and its beginning: created − deleted + restored.
    case net
    /// A line: how many there were at the end of each period.
    case live

    /// The title for a series, by a period such as `day`.
    func title(of series: TrendAnswer.Series, by period: String) -> String {
        if series.list != nil {
            return self == .live
                ? "Elements of \(series.title) at the end of each \(period)" : "Change of \(series.title) by \(period)"
        }
        return title(of: series.title, by: period)
    }

    /// The title for records of a type.
    func title(of type: String, by period: String) -> String {
        switch self {
        case .created: "New records of \(type) by \(period)"
        case .net: "Change of \(type) by \(period)"
        case .live: "Records of \(type) at the end of each \(period)"
        }
    }

    /// An alternative text for the picture.
    func description(of series: TrendAnswer.Series?, in zone: String) -> String {
        "\(meaning(series)) Days are those of \(zone)."
    }

    private func meaning(_ series: TrendAnswer.Series?) -> String {
        if series?.list != nil {
            return self == .live
                ? "The line shows how many there were." : "Each bar shows by how many elements the list became longer."
        }
        switch self {
        case .created: return "Each bar shows how many were created."
        case .net where series?.split != nil:
            return
                "Each bar shows how many were created, restored or changed to a value, minus those deleted or changed to another."
        case .net: return "Each bar shows how many were created or restored, minus those deleted."
        case .live: return "The line shows how many there were."
        }
    }

    /// By period; nil if nothing is known.
    func values(of series: TrendAnswer.Series) -> [Double?] {
        let numbers =
            switch self {
            // A list has no created records; it grows.
            case .created: series.list == nil ? series.counts.map(\.created) : series.counts.map(\.net)
            case .net: series.counts.map(\.net)
            case .live: series.live
            }
        return series.known(numbers).map { $0.map { Double($0) } }
    }

    func content(_ series: TrendAnswer.Series) -> Chart.Content {
        let values = drawn(series, as: series.title)
        return self == .live ? .lines([values]) : .bars(values)
    }

    /// Values of a field: as many as have colors of their own, and all others together.
    ///
    /// - Parameter other: The rest, of values that have no series of their own.
    func content(_ series: [TrendAnswer.Series], other: TrendAnswer.Series?) -> Chart.Content {
        let named = series.map { drawn($0, as: $0.splitText.flatMap { $0.isEmpty ? nil : $0 } ?? "no value") }
        let rest = other.map { drawn($0, as: "other") }
        guard self == .live else { return .stackedBars(named, other: rest) }
        // At most twelve lines are drawn; further ones are added up.
        let shown = named.count + (rest == nil ? 0 : 1) <= Self.linesMax ? named.count : Self.linesMax - 1
        let left = named.dropFirst(shown) + [rest].compactMap(\.self)
        guard let first = left.first else { return .lines(named) }
        let sums = first.values.indices.map { place in left.reduce(0.0) { $0 + ($1.values[place] ?? 0) } }
        return .lines(Array(named.prefix(shown)) + [Chart.Series("other", sums)])
    }

    private static let linesMax = 12

    private func drawn(_ series: TrendAnswer.Series, as name: String) -> Chart.Series {
        Chart.Series(name, values(of: series))
    }
}
