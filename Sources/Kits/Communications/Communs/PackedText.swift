import Audience

/// Texts as packed in the article's fields, where `|` and `=` are separators: `en=No thanks|es=No, gracias` and `newVersion|2.5`.
/// There is no escape for these characters within a text; a server writes look-alike characters instead.
package enum PackedText {
    /// Texts by language. Parts without a language are ignored, as in the article's app.
    package static func texts(_ packed: String) -> [String: String] {
        var texts: [String: String] = [:]
        for part in packed.split(separator: "|") {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2, LanguageTag(pieces[0]) != nil else { continue }
            texts[String(pieces[0])] = String(pieces[1])
        }
        return texts
    }

    /// The text before the first `|`, and the text after it unchanged.
    package static func kind(_ packed: String) -> (name: String, payload: String?) {
        let pieces = packed.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (pieces.first ?? "", pieces.count == 2 ? pieces[1] : nil)
    }
}
