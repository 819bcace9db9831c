/// Where things are in a picture, in its pixels. y goes down.
struct Frame {
    let width: Double
    let height: Double
    /// The edges of what figures are drawn in.
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    let axis: Axis
    let periods: Int
    /// How far a bar that is cut goes beyond the axis.
    static let beyond = 14.0
    /// What stands around everything.
    static let margin = 8.0

    /// How wide a period is.
    var band: Double { (right - left) / Double(max(1, periods)) }

    /// Where a period begins.
    func start(of period: Int) -> Double { left + band * Double(period) }

    func middle(of period: Int) -> Double { start(of: period) + band / 2 }

    func y(_ value: Double) -> Double {
        if value > axis.upper { return top - Self.beyond }
        if value < axis.lower { return bottom + Self.beyond }
        return bottom - (value - axis.lower) / (axis.upper - axis.lower) * (bottom - top)
    }

    /// The foot of bars.
    var zero: Double { y(min(max(0, axis.lower), axis.upper)) }

    /// Periods that share a column, so that none is narrower than a pixel.
    var groups: [Range<Int>] {
        let size = band >= 1 ? 1 : Int((1 / band).rounded(.up))
        return stride(from: 0, to: periods, by: size).map { $0..<min($0 + size, periods) }
    }
}

/// A text where it will be, as wide as it is thought to be.
struct PlacedText {
    let text: String
    /// Where it begins.
    let x: Double
    let width: Double

    var end: Double { x + width }
    var middle: Double { x + width / 2 }
}
