/// The part of a bar between two values.
struct Segment {
    /// The end nearer to zero.
    let from: Double
    let to: Double
}

/// Bars by layer and period, each part stacked on those before it: positive ones up from zero, negative ones down.
struct Stacks {
    /// By layer, then by period; nil if a value is unknown.
    let segments: [[Segment?]]

    init(_ layers: [Layer], periods: Int) {
        var up = [Double](repeating: 0, count: periods)
        var down = up
        segments = layers.map { layer in
            layer.values.enumerated().map { period, value in
                guard let value else { return nil }
                let from = value < 0 ? down[period] : up[period]
                if value < 0 { down[period] += value } else { up[period] += value }
                return Segment(from: from, to: from + value)
            }
        }
    }
}

/// The lowest and the highest value drawn in a period.
struct Extent {
    let low: Double
    let high: Double

    /// - Returns: nil if nothing is known.
    init?(_ values: some Collection<Double>) {
        guard let low = values.min(), let high = values.max() else { return nil }
        (self.low, self.high) = (low, high)
    }

    var magnitude: Double { max(low.magnitude, high.magnitude) }
}
