/// The geometry of a picture, in pixels. y increases downward.
struct Frame {
    let width: Double
    let height: Double
    /// The edges of the plot area.
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    let axis: Axis
    let periods: Int
    /// How far a cut bar extends beyond the axis.
    static let beyond = 14.0
    /// The margin around everything.
    static let margin = 8.0

    /// The width of a period.
    var band: Double { (right - left) / Double(max(1, periods)) }

    /// The left edge of a period.
    func start(of period: Int) -> Double { left + band * Double(period) }

    func middle(of period: Int) -> Double { start(of: period) + band / 2 }

    func y(_ value: Double) -> Double {
        if value > axis.upper { return top - Self.beyond }
        if value < axis.lower { return bottom + Self.beyond }
        return bottom - (value - axis.lower) / (axis.upper - axis.lower) * (bottom - top)
    }

    /// The baseline of bars.
    var zero: Double { y(min(max(0, axis.lower), axis.upper)) }

    /// Periods that share a column, so that none is narrower than a pixel.
    var groups: [Range<Int>] {
        let size = band >= 1 ? 1 : Int((1 / band).rounded(.up))
        return stride(from: 0, to: periods, by: size).map { $0..<min($0 + size, periods) }
    }
}

/// A text at its position, with its estimated width.
struct PlacedText {
    let text: String
    /// The left edge.
    let x: Double
    let width: Double

    var end: Double { x + width }
    var middle: Double { x + width / 2 }
}
