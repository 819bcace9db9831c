import Audience

/// Texts as the article's fields have them, where `|` and `=` mean something: `en=No thanks|es=No, gracias` and `newVersion|2.5`. Nothing
/// within a text stands for these characters; what a server writes has others that look alike.
package enum PackedText {
    /// Texts by language. Parts that name no language are left out, as the article's app does.
    package static func texts(_ packed: String) -> [String: String] {
        var texts: [String: String] = [:]
        for part in packed.split(separator: "|") {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2, LanguageTag(pieces[0]) != nil else { continue }
            texts[String(pieces[0])] = String(pieces[1])
        }
        return texts
    }

    /// What stands before the first `|`, and what after it as it is written.
    package static func kind(_ packed: String) -> (name: String, payload: String?) {
        let pieces = packed.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (pieces.first ?? "", pieces.count == 2 ? pieces[1] : nil)
    }
}
