/// Round values that cover the drawn range: multiples of 1, 2 or 5 times a power of ten.
struct Axis {
    /// In ascending order, at least two.
    let ticks: [Double]
    /// The text of each tick.
    let labels: [String]

    var lower: Double { ticks.first ?? 0 }
    var upper: Double { ticks.last ?? 1 }

    /// - Parameters:
    ///   - low: Not above `high`.
    ///   - intervalsMax: Maximum number of intervals between ticks, at least 2.
    ///   - isWhole: Whether values are whole numbers; ticks then are, too.
    init(from low: Double, to high: Double, intervalsMax: Int, isWhole: Bool) {
        let span = high > low ? high - low : max(high.magnitude, 1)
        var step = Step(atLeast: max(span / Double(intervalsMax), isWhole ? 1 : 1e-6))
        while step.intervals(low, high) > intervalsMax { step = step.next }
        let (first, last) = step.ends(low, high)
        ticks = (0...(last - first)).map { step.value(first + $0) }
        labels = AxisLabels.texts(of: ticks, decimals: step.decimals)
    }

    /// An axis with exactly these ends, without intermediate ticks or labels.
    init(exactlyFrom low: Double, to high: Double) { (ticks, labels) = ([low, high], []) }
}

/// 1, 2 or 5 times a power of ten.
private struct Step {
    private let digit: Int
    private let exponent: Int

    private init(digit: Int, exponent: Int) { (self.digit, self.exponent) = (digit, exponent) }

    /// The smallest step that is not below a number above zero.
    init(atLeast number: Double) {
        var step = Step(digit: 1, exponent: 0)
        while step.value(1) > number { step = Step(digit: 1, exponent: step.exponent - 1) }
        while step.value(1) < number { step = step.next }
        self = step
    }

    var next: Step {
        switch digit {
        case 1: Step(digit: 2, exponent: exponent)
        case 2: Step(digit: 5, exponent: exponent)
        default: Step(digit: 1, exponent: exponent + 1)
        }
    }

    /// Decimal places.
    var decimals: Int { max(0, -exponent) }

    /// A multiple of the step. Dividing by a power of ten is as exact as possible, multiplying by a tenth is not.
    func value(_ times: Int) -> Double {
        let power = (0..<exponent.magnitude).reduce(1.0) { power, _ in power * 10 }
        return exponent < 0 ? Double(times * digit) / power : Double(times * digit) * power
    }

    func ends(_ low: Double, _ high: Double) -> (first: Int, last: Int) {
        var first = Int((low / value(1)).rounded(.down))
        var last = Int((high / value(1)).rounded(.up))
        // Corrects for rounding.
        if value(first) > low { first -= 1 }
        if value(last) < high { last += 1 }
        return (first, max(last, first + 1))
    }

    func intervals(_ low: Double, _ high: Double) -> Int {
        let (first, last) = ends(low, high)
        return last - first
    }
}
