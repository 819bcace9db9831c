/// How much of a message a phone shows at once, by the narrowest that are sold: 375 points wide and 667 high. An app may draw a message in
/// another way; who writes one plans for this much.
enum Phone {
    /// Of a line of text of 17 points, between margins of 16: a letter is about 8.5 points wide.
    static let columns = 40
    /// Of a line of a title of 24 points in bold.
    static let titleColumns = 28
    /// More push the text and the buttons off the screen.
    static let titleLines = 2
    /// Lines of text and list beside a picture, a title and two buttons: what is below is seen by who scrolls.
    static let bodyLines = 14
    /// Of a button as wide as the screen, with a margin of 32 on both sides: what is longer is cut off.
    static let buttonColumns = 32
}

extension Character {
    /// Columns that it takes in a terminal, and about as much of a line on a phone: 2 for the scripts of East Asia and for emoji.
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

    /// Steers a terminal, or turns the direction of what follows.
    fileprivate var steers: Bool {
        unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
        }
    }
}

extension StringProtocol {
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// With a sign in the place of what would steer a terminal or turn the text around. Line breaks stay.
    var harmless: String {
        String(map { $0.isNewline ? "\n" : $0 == "\t" ? " " : $0.steers ? "\u{FFFD}" : $0 })
    }

    /// Its lines where none has more than so many columns; words are kept whole where they fit a line.
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
