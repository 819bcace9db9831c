/// A color of a series, and the pattern that represents it on paper.
///
/// Neighbors are distinguishable with full and with limited color vision (`ColorTests`), on white and on black.
package enum SplitColor: Sendable, Hashable {
    /// From 0 up to 11.
    case numbered(Int)
    case other

    package static let all = light.indices.dropLast().map(numbered) + [other]

    private var place: Int {
        switch self {
        case .numbered(let number): number % (Self.light.count - 1)
        case .other: Self.light.count - 1
        }
    }

    /// The name in rules and patterns: `s1` to `s12`, `s0` for the rest.
    var name: String { self == .other ? "s0" : "s\(place + 1)" }

    package var inLight: String { Self.light[place] }
    package var inDark: String { Self.dark[place] }
    var pattern: Pattern { Self.patterns[place] }
    /// The dashes of a line on paper.
    var dashes: String { Self.dashes[place] }

    /// The last one is for the rest.
    private static let light = [
        "#2a67bd", "#ba5a03", "#4c9f7e", "#8b087a", "#678743", "#820000", "#1b6857", "#8f69dd", "#504920",
        "#d97065", "#00476c", "#815613", "#75767a",
    ]
    private static let dark = [
        "#88a6d4", "#dc7b38", "#5ae8b3", "#b05ba0", "#90c057", "#b34637", "#27bb9e", "#9577d9", "#e0cc4e",
        "#a8635a", "#8eccf8", "#e1982a", "#dddee2",
    ]

    private static let patterns: [Pattern] = [
        .init(6, fill: "M0 0h6v6h-6z"), .init(6, lines: "M-1 1l2-2M0 6l6-6M5 7l2-2"), .init(6, lines: "M0 3h6"),
        .init(6, fill: "M1 1h2v2h-2zM4 4h2v2h-2z"), .init(6, lines: "M3 0v6"), .init(8, lines: "M0 0l8 8M8 0l-8 8"),
        .init(8, fill: "M0 0h4v4h-4zM4 4h4v4h-4z"), .init(6, lines: "M-1 5l2 2M0 0l6 6M5-1l2 2"),
        .init(6, lines: "M0 3h6M3 0v6"), .init(10, fill: "M2 2h6v6h-6z"), .init(8, fill: "M0 0h8v5h-8z"),
        .init(8, fill: "M0 0h5v8h-5z"), .init(8, lines: ""),
    ]
    private static let dashes = [
        "none", "6 3", "2 3", "10 4", "8 3 2 3", "1 4", "14 3", "8 3 2 3 2 3", "4 6", "12 3 5 3", "3 1", "16 4 2 4",
        "1 2",
    ]
}

/// A repeating square, black on white.
struct Pattern {
    let size: Int
    private let path: String
    private let isFilled: Bool

    init(_ size: Int, fill path: String) { (self.size, self.path, isFilled) = (size, path, true) }
    init(_ size: Int, lines path: String) { (self.size, self.path, isFilled) = (size, path, false) }

    func write(to svg: inout Markup, id: String) {
        let side = String(size)
        let attributes: Markup.Attributes = [
            "id": id, "width": side, "height": side, "patternUnits": "userSpaceOnUse",
        ]
        svg.element("pattern", attributes) { svg in
            svg.element("rect", ["width": side, "height": side, "fill": "#fff"])
            guard !path.isEmpty else { return }
            svg.element("path", ["d": path, "fill": isFilled ? "#000" : "none", "stroke": isFilled ? "none" : "#000"])
        }
    }
}
