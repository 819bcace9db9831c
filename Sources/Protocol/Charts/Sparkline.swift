/// A small line without axes, for display beside a number in a table. Its title describes it; the numbers belong beside it.
public struct Sparkline: Sendable, Hashable {
    /// `Post, the last thirty days`
    public var title: String
    /// By period, from left to right, as in ``Chart/Series/values``.
    public var values: [Double?]
    /// Whether the last period has not ended. The segment to it is dashed.
    public var isLastPartial: Bool

    public init(title: String, values: [Double?], isLastPartial: Bool = false) {
        (self.title, self.values, self.isLastPartial) = (title, values, isLastPartial)
    }

    public init(title: String, counts: [Int?], isLastPartial: Bool = false) {
        self.init(title: title, values: counts.map { $0.map(Double.init) }, isLastPartial: isLastPartial)
    }

    /// The supported widths of ``svg(id:width:height:carriesStyle:)``, in pixels.
    public static let widths = 40...600
    public static let heights = 16...120

    /// A picture like that of ``Chart/svg(id:width:showsTitle:carriesStyle:)``, of the requested size. It does not grow with its
    /// container, and contains no text except `No data`.
    ///
    /// - Parameters:
    ///   - id: Distinguishes the pictures of a page; any text.
    ///   - width: In pixels, clamped to ``widths``.
    ///   - height: In pixels, clamped to ``heights``.
    ///   - carriesStyle: Whether ``Chart/style`` is included. A standalone picture needs it.
    public func svg(id: String, width: Int = 120, height: Int = 28, carriesStyle: Bool = true) -> String {
        let width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
        let height = min(max(height, Self.heights.lowerBound), Self.heights.upperBound)
        // Everything except the axes is as in a chart with one line.
        let last = values.count - 1
        let periods = values.indices.map { Chart.Period("", isPartial: isLastPartial && $0 == last) }
        let chart = Chart(title: title, periods: periods, content: .lines([Chart.Series("", values)]))
        let picture = Picture(
            small: chart, id: "chart-" + id.identifier, width: Double(width), height: Double(height))
        return picture.smallSVG(carriesStyle: carriesStyle)
    }
}
