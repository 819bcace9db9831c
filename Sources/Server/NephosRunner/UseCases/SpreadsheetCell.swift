/// Texts as cells of tables that people open with a spreadsheet, which runs a text that begins like a formula
/// (docs/running.md, "Exporting and importing records").
package enum SpreadsheetCell {
    private static let apostrophe = UInt8(ascii: "'")

    /// The text, with an apostrophe before one that a spreadsheet could run. A text that has such an apostrophe already gets
    /// another one, so that ``unguarded(_:)`` returns exactly this text.
    package static func guarded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        isFormula(text.drop { $0 == apostrophe }) ? [apostrophe] + text : text
    }

    /// The text of a guarded cell; every other text unchanged.
    package static func unguarded(_ text: String) -> String {
        guard text.utf8.first == apostrophe else { return text }
        let rest = Array(text.utf8.dropFirst())[...]
        return isFormula(rest.drop { $0 == apostrophe }) ? String(decoding: rest, as: UTF8.self) : text
    }

    /// Whether the text begins like a formula, or with a character that a spreadsheet ignores before one. By bytes: a combining
    /// accent may hide the sign in a character.
    private static func isFormula(_ text: ArraySlice<UInt8>) -> Bool {
        let text = text.drop { $0 == UInt8(ascii: " ") }
        return signs.contains { text.starts(with: $0.utf8) }
    }

    /// The last four are those of full width, which some spreadsheets take for the others.
    private static let signs = ["=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]
}
