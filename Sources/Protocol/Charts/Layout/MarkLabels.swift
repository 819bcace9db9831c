/// The labels of marks, as flags beside their lines in up to two rows above a picture. No line crosses a label; labels without room
/// are omitted.
struct MarkLabels {
    struct Flag {
        let mark: Chart.Mark
        /// The position of the line.
        let x: Double
        /// nil if there is no room.
        let text: PlacedText?
        /// 0 is next to the picture.
        let row: Int
    }

    static let rowHeight = 17.0
    private static let rowsMax = 2
    private static let widthMin = 30.0
    private static let space = 4.0

    /// From right to left.
    let flags: [Flag]
    var rows: Int { flags.filter { $0.text != nil }.map { $0.row + 1 }.max() ?? 0 }

    init(_ marks: [Chart.Mark], left: Double, band: Double, width: Double) {
        var flags: [Flag] = []
        for mark in marks.reversed() {
            let x = left + band * Double(mark.period)
            let text = Self.text(mark.label.cleaned, at: x, width: width)
            // Labels to the right of this line that do not touch the flag may be in the same row.
            let beside = flags.filter { flag in flag.text.map { min($0.x, flag.x) <= text.end + Self.space } ?? false }
            let isCrossed = flags.contains { flag in flag.text.map { $0.x <= x && x <= $0.end } ?? false }
            let row = beside.map { $0.row + 1 }.max() ?? 0
            let hasRoom = row < Self.rowsMax && !isCrossed && !text.text.isEmpty
            flags.append(Flag(mark: mark, x: x, text: hasRoom ? text : nil, row: hasRoom ? row : 0))
        }
        self.flags = flags
    }

    /// To the right of the line, or to the left near the edge of the picture.
    private static func text(_ label: String, at x: Double, width: Double) -> PlacedText {
        let full = label.cut(to: min(120, width / 3))
        let fullWidth = TextWidth.of(full)
        let room = width - Frame.margin - x - space
        if fullWidth <= room { return PlacedText(text: full, x: x + space, width: fullWidth) }
        guard room < widthMin else {
            let text = label.cut(to: room)
            return PlacedText(text: text, x: x + space, width: TextWidth.of(text))
        }
        return PlacedText(text: full, x: x - space - fullWidth, width: fullWidth)
    }
}
