import Audience

extension [String: String] {
    /// The text that is nearest to a locale, else to the default language, else the first one by tag; empty if there are no texts.
    package func text(for locale: String?, else standard: String) -> String {
        let tags = keys.sorted().compactMap { key in LanguageTag(key).map { (key: key, tag: $0) } }
        let wanted = [locale.flatMap { LanguageTag(reported: $0) }, LanguageTag(standard)].compactMap(\.self)
        let key = tags.nearest(to: wanted) { $0.tag }?.key ?? keys.min()
        return key.flatMap { self[$0] } ?? ""
    }
}
