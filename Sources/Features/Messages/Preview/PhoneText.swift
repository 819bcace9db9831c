import NephosRunner

/// How much of a message a phone shows at once, based on the narrowest ones sold: 375 × 667 points. An app may draw messages
/// differently, but editors should plan for this.
enum Phone {
    /// Letters per line of text at 17 points, with margins of 16: a letter is about 8.5 points wide.
    static let columns = 40
    /// Letters per line of a title at 24 points in bold.
    static let titleColumns = 28
    /// More lines push the text and the buttons off the screen.
    static let titleLines = 2
    /// Lines of text and list next to a picture, a title and two buttons; further lines need scrolling.
    static let bodyLines = 14
    /// Letters on a button of full width with margins of 32; longer texts are truncated.
    static let buttonColumns = 32
}

extension Character {
    /// The columns that a character takes in a terminal, and approximately in a line on a phone: 2 for East Asian scripts and
    /// emoji.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains(where: { $0 == "\u{FE0F}" || $0.properties.isEmojiPresentation }) { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

extension StringProtocol {
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text with replacement characters for those that would control a terminal or change the text direction. Line breaks are
    /// kept.
    var harmless: String {
        String(
            map {
                $0.isNewline ? "\n" : $0 == "\t" ? " " : $0.unicodeScalars.contains(where: \.steers) ? "\u{FFFD}" : $0
            })
    }

    /// The lines of the text, each with at most this many columns; words are kept whole if they fit into a line.
    func wrapped(_ columns: Int) -> [String] {
        split(omittingEmptySubsequences: false) { $0.isNewline }.flatMap { Self.wrapped($0, columns) }
    }

    private static func wrapped(_ text: SubSequence, _ columns: Int) -> [String] {
        var (lines, line, used): ([String], String, Int) = ([], "", 0)
        for word in text.split(separator: " ") {
            let width = word.columns
            if used > 0, used + 1 + width > columns {
                lines.append(line)
                (line, used) = ("", 0)
            }
            if used > 0 { (line, used) = (line + " ", used + 1) }
            for letter in word {
                if used + letter.columns > columns {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                line.append(letter)
                used += letter.columns
            }
        }
        return lines + [line]
    }
}
