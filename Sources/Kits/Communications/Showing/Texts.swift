import Audience

extension [String: String] {
    /// The text for a locale: in its language and region, else in its language, else in the default language, else in the first one
    /// by tag; empty if there are no texts.
    package func text(for locale: String?, else standard: String) -> String {
        let tags = keys.sorted().compactMap { key in LanguageTag(key).map { (key: key, tag: $0) } }
        for wanted in [locale, standard].compactMap({ $0.flatMap { LanguageTag($0) } }) {
            let covering = tags.filter { $0.tag.covers(wanted) }
            // Of several matches, use the most specific.
            if let best = covering.max(by: { $0.key.utf8.count < $1.key.utf8.count }) { return self[best.key] ?? "" }
        }
        return keys.min().flatMap { self[$0] } ?? ""
    }
}
