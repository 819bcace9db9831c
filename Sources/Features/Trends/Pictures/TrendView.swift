import Charts
import CloudKitWire
import NephosRunner

/// What of the counts a picture shows.
enum TrendView: String, InputWord, CaseIterable, Sendable {
    /// Bars of records that were created.
    case created
    /// Bars of how many more there were at the end of a period than at its beginning: created − deleted + restored.
    case net
    /// A line of how many there were at the end of each period.
    case live

    /// Of records of a type, by a period such as `day`.
    func title(of type: String, by period: String) -> String {
        switch self {
        case .created: "New records of \(type) by \(period)"
        case .net: "Change of \(type) by \(period)"
        case .live: "Records of \(type) at the end of each \(period)"
        }
    }

    private var meaning: String {
        switch self {
        case .created: "Each bar is how many were created."
        case .net: "Each bar is how many were created or restored, less those that were deleted."
        case .live: "The line is how many there were."
        }
    }

    /// For who does not see the picture.
    func description(in zone: String) -> String { "\(meaning) Days are those of \(zone)." }

    func values(of series: TrendAnswer.Series) -> [Int64] {
        switch self {
        // A list has no records that are created; it becomes longer.
        case .created: series.list == nil ? series.counts.map(\.created) : series.counts.map(\.net)
        case .net: series.counts.map(\.net)
        case .live: series.live
        }
    }

    func content(_ series: TrendAnswer.Series) -> Chart.Content {
        let values = Chart.Series(series.title, values(of: series).map { Double($0) })
        return self == .live ? .lines([values]) : .bars(values)
    }
}
