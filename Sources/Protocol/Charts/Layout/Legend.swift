/// The meaning of colors, in rows above a picture.
struct Legend {
    struct Entry {
        /// nil for the figures for comparison.
        let color: SplitColor?
        let text: PlacedText
        let row: Int
    }

    static let rowHeight = 20.0
    /// The width of a swatch with the space before its name. That of a line is long enough to show its dashes on paper.
    let swatch: Double
    private static let space = 16.0

    private(set) var entries: [Entry] = []
    /// Used in the last row.
    var rows: Int { entries.last.map { $0.row + 1 } ?? 0 }

    init(_ names: [(name: String, color: SplitColor?)], width: Double, isOfLines: Bool) {
        swatch = isOfLines ? 30 : 16
        let right = width - Frame.margin
        var (x, row) = (Frame.margin, 0)
        for (name, color) in names {
            let text = name.cut(to: min(240, right - Frame.margin - swatch))
            let textWidth = TextWidth.of(text)
            if x > Frame.margin, x + swatch + textWidth > right { (x, row) = (Frame.margin, row + 1) }
            entries.append(
                Entry(color: color, text: PlacedText(text: text, x: x + swatch, width: textWidth), row: row))
            x += swatch + textWidth + Self.space
        }
    }
}
