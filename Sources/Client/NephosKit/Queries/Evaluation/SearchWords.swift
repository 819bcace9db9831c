import Foundation

/// The words of texts as searches find them: sequences of letters and digits, without regard to case, accents and
/// width.
///
/// The rules of the server are more precise for some scripts (docs/protocol.md, Q19).
enum SearchWords {
    private static let ignored = Set(
        """
        a an and are as at be but by for if in into is it no not of on or such that the their then there these they \
        this to was will with
        """.split(separator: " ").map(String.init))

    static func words(in text: String) -> Set<String> {
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var words: Set<String> = []
        for run in folded.unicodeScalars.split(whereSeparator: { !isPart($0) }) {
            // Each ideograph is a word of its own.
            for word in run.split(whereSeparator: \.properties.isIdeographic) { words.insert(String(word)) }
            for scalar in run where scalar.properties.isIdeographic { words.insert(String(scalar)) }
        }
        return words.subtracting(ignored)
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
            || scalar.properties.generalCategory == .nonspacingMark
    }
}
