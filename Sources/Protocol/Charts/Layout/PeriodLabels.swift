/// The labels below a picture: every n-th period's, including the first, so that there are at most eight and none touches the next.
struct PeriodLabels {
    static let countMax = 8
    private static let space = 12.0

    let placed: [PlacedText]

    init(_ periods: [Chart.Period], in frame: Frame) {
        let widthMax = min(150, frame.width / 2 - Self.space)
        let texts = periods.map { ($0.shortLabel ?? $0.label).cleaned }
        func places(_ stride: Int) -> [PlacedText] {
            Swift.stride(from: 0, to: texts.count, by: stride).map { period in
                let text = texts[period].cut(to: widthMax)
                let width = TextWidth.of(text)
                let x = frame.middle(of: period) - width / 2
                return PlacedText(text: text, x: max(2, min(x, frame.width - 2 - width)), width: width)
            }
        }
        var stride = max(1, (texts.count + Self.countMax - 1) / Self.countMax)
        var placed = places(stride)
        while zip(placed, placed.dropFirst()).contains(where: { $0.end + Self.space > $1.x }) {
            stride += 1
            placed = places(stride)
        }
        self.placed = placed
    }
}
