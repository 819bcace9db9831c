/// Where a picture ends although a few values continue, so that the others stay readable.
///
/// A value is cut if it is at least twenty times the next one, and if no more than three values, and a quarter of all, stand out in
/// this way. Its bar goes beyond the axis and has its value written at its end.
struct Peaks {
    /// The highest value that the axis must show; nil if it must show all.
    let high: Double?
    /// The lowest, which is negative.
    let low: Double?

    static let none = Peaks(high: nil, low: nil)
    static let timesMin = 20.0
    static let countMax = 3

    private init(high: Double?, low: Double?) { (self.high, self.low) = (high, low) }

    init(of extents: [Extent]) {
        let sorted = extents.sorted { $0.magnitude > $1.magnitude }
        let countMax = min(Self.countMax, sorted.count / 4)
        let count = (0..<countMax).last {
            sorted[$0 + 1].magnitude > 0 && sorted[$0].magnitude >= Self.timesMin * sorted[$0 + 1].magnitude
        }
        guard let count else {
            self = .none
            return
        }
        let (peaks, rest) = (sorted[...count], sorted[(count + 1)...])
        let (highest, lowest) = (rest.map(\.high).max() ?? 0, rest.map(\.low).min() ?? 0)
        high = peaks.contains { $0.high > max(0, highest) } ? max(0, highest) : nil
        low = peaks.contains { $0.low < min(0, lowest) } ? min(0, lowest) : nil
    }
}
