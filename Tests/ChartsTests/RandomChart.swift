import Charts
import NephosTesting

/// Random charts of every kind, with unusual values.
struct RandomChart {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> Chart {
        let count = [0, 1, 2, 7, 12, 31, 90, 365, 1_000].randomElement(using: &random) ?? 1
        let periods = (0..<count).map { place in
            Chart.Period(
                text(), short: random.once(in: 2) ? nil : text(), isPartial: place == count - 1 && random.once(in: 2))
        }
        let marks = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            Chart.Mark(text(), at: Int.random(in: -1...count + 1, using: &random))
        }
        return Chart(
            title: text(), description: text(), periods: periods, content: content(count),
            before: random.once(in: 3) ? series(count) : nil, marks: random.once(in: 2) ? marks : [])
    }

    private mutating func content(_ count: Int) -> Chart.Content {
        let several = (0..<Int.random(in: 0...15, using: &random)).map { _ in series(count) }
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: .bars(series(count))
        case 1: .stackedBars(several, other: random.once(in: 2) ? series(count) : nil)
        case 2: .lines(several)
        default: .lines(several, startsAtZero: false)
        }
    }

    private mutating func series(_ count: Int) -> Chart.Series {
        let scale: Double = [1, 10, 300, 41_000, 3e6, 1e12, 9e17, 0.01].randomElement(using: &random) ?? 1
        let isSigned = random.once(in: 3), isWhole = !random.once(in: 4)
        let length = max(0, count + Int.random(in: -2...2, using: &random))
        return .init(
            text(),
            (0..<length).map { _ in
                if random.once(in: 12) { return Self.odd.randomElement(using: &random) ?? nil }
                let value = Double.random(in: isSigned ? -scale...scale : 0...scale, using: &random)
                let spike = random.once(in: 200) ? 1_000.0 : 1
                return (isWhole ? value.rounded() : value) * spike
            })
    }

    private static let odd: [Double?] = [nil, .nan, .infinity, -.infinity, 1e300, 0, -0.0]
    private static let texts = [
        "", " ", "Post", "2026-11-23", "Nov 23", "a year before", "<script>alert('1')</script>", "\"&amp;\" ]]> <!--",
        "\u{0}\u{1}\u{8}\u{B}\u{1F}\u{7F}\u{FFFE}\u{FFFF}", "\u{202E}turned\u{2066}", "👩‍👩‍👧‍👦 family", "日本語の名前",
        "line\nbreak\ttab",
        String(repeating: "W", count: 300), String(repeating: "word ", count: 60), "e\u{301}\u{301}\u{301}",
    ]

    private mutating func text() -> String {
        let text = Self.texts.randomElement(using: &random) ?? ""
        return random.once(in: 3) ? text + (Self.texts.randomElement(using: &random) ?? "") : text
    }
}
