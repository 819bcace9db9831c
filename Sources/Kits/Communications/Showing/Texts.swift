import Audience

extension [String: String] {
    /// The text for somebody, of texts by language: in their language and region, else in their language, else in the default one, else in
    /// the first there is; empty where there is none.
    package func text(for locale: String?, else standard: String) -> String {
        let tags = keys.sorted().compactMap { key in LanguageTag(key).map { (key: key, tag: $0) } }
        for wanted in [locale, standard].compactMap({ $0.flatMap { LanguageTag($0) } }) {
            let covering = tags.filter { $0.tag.covers(wanted) }
            // Of several that fit the one that says most.
            if let best = covering.max(by: { $0.key.utf8.count < $1.key.utf8.count }) { return self[best.key] ?? "" }
        }
        return keys.min().flatMap { self[$0] } ?? ""
    }
}
