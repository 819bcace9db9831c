/// Numbers for people, the same in any locale: `1,234`, `−0.5`, and on an axis `12k`, `3.4M`.
package enum NumberText {
    /// The full number, with at most three decimal places.
    package static func full(_ value: Double) -> String { fixed(value, places: 3, grouped: true) }

    /// A number below 10¹⁸, rounded to `places` decimal places, without trailing zeros.
    static func fixed(_ value: Double, places: Int, grouped: Bool = false) -> String {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let whole = value.magnitude.rounded(.down)
        // Separately, so that large numbers stay exact.
        var units = UInt64(whole)
        var parts = UInt64(((value.magnitude - whole) * scale).rounded())
        if parts >= UInt64(scale) { (units, parts) = (units + 1, 0) }
        var text = grouped ? Self.grouped(units) : String(units)
        if parts > 0 {
            let digits = String(parts)
            let zeros = String(repeating: "0", count: places - digits.count)
            text += "." + (zeros + digits).withoutZerosAtEnd
        }
        return value < 0 && (units > 0 || parts > 0) ? (grouped ? "\u{2212}" : "-") + text : text
    }

    private static func grouped(_ number: UInt64) -> String {
        let digits = Array(String(number))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0 && (digits.count - digit.offset) % 3 == 0 { text.append(",") }
            text.append(digit.element)
        }
    }
}

/// The labels of an axis: in full below 10,000, otherwise in thousands, millions, and so on.
enum AxisLabels {
    private static let units: [(size: Double, letter: String, decimals: Int)] = [
        (1e15, "Q", 15), (1e12, "T", 12), (1e9, "B", 9), (1e6, "M", 6), (1e3, "k", 3),
    ]

    /// - Parameter decimals: Decimal places of the ticks.
    static func texts(of ticks: [Double], decimals: Int) -> [String] {
        let largest = ticks.map(\.magnitude).max() ?? 0
        let short = ticks.map(short)
        // If short forms would be ambiguous, the full numbers are written.
        guard largest >= 10_000, Set(short).count == ticks.count else {
            return ticks.map { NumberText.fixed($0, places: min(decimals, 9), grouped: true) }
        }
        return short
    }

    private static func short(_ value: Double) -> String {
        guard let unit = units.first(where: { $0.size <= value.magnitude }) else { return NumberText.full(value) }
        return NumberText.fixed(value / unit.size, places: 2, grouped: true) + unit.letter
    }
}

extension String {
    fileprivate var withoutZerosAtEnd: String {
        var text = self
        while text.last == "0" { text.removeLast() }
        return text
    }
}
