/// An estimate of a text's width without a font: by the widths of DejaVu Sans, which is wider than most system fonts.
package enum TextWidth {
    /// In pixels.
    package static func of(_ text: String, size: Double = Font.size) -> Double {
        text.reduce(0) { $0 + ems(of: $1) } * size * (size > Font.size ? boldness : 1)
    }

    /// Larger text is also bolder.
    private static let boldness = 1.12

    private static func ems(of letter: Character) -> Double {
        guard let scalar = letter.unicodeScalars.first else { return 0 }
        switch scalar {
        case "i", "j", "l", "I", "J", "'", "|", ".", ",", ":", ";", "!", " ": return 0.34
        case "f", "t", "r", "-", "/", "(", ")", "[", "]": return 0.42
        case "m", "w", "M", "W", "%", "@", "…": return 1.02
        case "+", "=", "<", ">", "~", "\u{2212}": return 0.84
        case "a"..."z", "0"..."9", "_", "?", "\"", "*": return 0.64
        case "A"..."Z", "&", "#": return 0.79
        default: return scalar.value < 0x1100 ? 0.9 : 1.4
        }
    }
}

/// Sizes of text, in pixels of a picture.
package enum Font {
    /// The size of all text except titles. A picture may be shown at 92 % of its width until this is less than 11 pixels.
    package static let size = 12.0
    static let titleSize = 15.0
    static let family = "system-ui, -apple-system, 'Segoe UI', sans-serif"
}

extension String {
    /// As much text as fits a width, with an ellipsis if it is truncated.
    func cut(to width: Double, size: Double = Font.size) -> String {
        // No letter is narrower than a third of its size.
        let most = max(0, Int(width / size * 3.1))
        if utf8.count <= 4 * most || count <= most, TextWidth.of(self, size: size) <= width { return self }
        var kept = String(prefix(most))
        while !kept.isEmpty, TextWidth.of(kept + "…", size: size) > width { kept.removeLast() }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    /// Wrapped into lines between words; the last line may be truncated.
    func wrapped(to width: Double, lines linesMax: Int, size: Double) -> [String] {
        var lines: [String] = []
        var rest = split(separator: " ")
        while !rest.isEmpty {
            guard lines.count < linesMax - 1 else {
                lines.append(rest.joined(separator: " ").cut(to: width, size: size))
                break
            }
            var line = String(rest.removeFirst())
            while let word = rest.first, TextWidth.of(line + " " + word, size: size) <= width {
                line += " " + rest.removeFirst()
            }
            lines.append(line.cut(to: width, size: size))
        }
        return lines
    }
}
