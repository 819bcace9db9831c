/// A small line without axes, to stand beside a number in a table. Its title says what it shows; the numbers belong beside it.
public struct Sparkline: Sendable, Hashable {
    /// `Post, the last thirty days`
    public var title: String
    /// By period, from left to right, as in ``Chart/Series/values``.
    public var values: [Double?]
    /// Whether the last has not ended. What leads to it is dashed.
    public var isLastPartial: Bool

    public init(title: String, values: [Double?], isLastPartial: Bool = false) {
        (self.title, self.values, self.isLastPartial) = (title, values, isLastPartial)
    }

    public init(title: String, counts: [Int?], isLastPartial: Bool = false) {
        self.init(title: title, values: counts.map { $0.map(Double.init) }, isLastPartial: isLastPartial)
    }

    /// Widths that ``svg(id:width:height:carriesStyle:)`` knows, in pixels.
    public static let widths = 40...600
    public static let heights = 16...120

    /// A picture as ``Chart/svg(id:width:showsTitle:carriesStyle:)`` makes them, of the size that is asked for. It is no wider for standing in
    /// a wide place, and holds no text but `No data`.
    ///
    /// - Parameters:
    ///   - id: Tells pictures of one page apart, any text.
    ///   - width: In pixels, the nearest of ``widths``.
    ///   - height: In pixels, the nearest of ``heights``.
    ///   - carriesStyle: Whether ``Chart/style`` is inside. One that stands alone needs it.
    public func svg(id: String, width: Int = 120, height: Int = 28, carriesStyle: Bool = true) -> String {
        let width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
        let height = min(max(height, Self.heights.lowerBound), Self.heights.upperBound)
        // Everything but the axes is as in a chart of one line.
        let last = values.count - 1
        let periods = values.indices.map { Chart.Period("", isPartial: isLastPartial && $0 == last) }
        let chart = Chart(title: title, periods: periods, content: .lines([Chart.Series("", values)]))
        let picture = Picture(
            small: chart, id: "chart-" + id.identifier, width: Double(width), height: Double(height))
        return picture.smallSVG(carriesStyle: carriesStyle)
    }
}
