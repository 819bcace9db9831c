/// Who reads what: the one rule of conditions, texts and pages, on servers and in apps (docs/audiences.md, "Locales").
extension LanguageTag {
    /// Whether this tag includes readers of the other: `es` covers `es-MX`, `zh-Hant` covers `zh-TW`, and `es-419` covers `es-MX`.
    public func covers(_ other: LanguageTag) -> Bool { subtags.distance(from: other.subtags) != nil }

    /// Whether both mean the same, such as `iw` and `he`, or `zh-TW` and `zh-Hant-TW`.
    package func isSame(as other: LanguageTag) -> Bool { subtags.isSame(as: other.subtags) }

    /// Whether this tag covers every tag that the other covers.
    func includes(_ other: LanguageTag) -> Bool { subtags.includes(other.subtags) }
}

extension Sequence {
    /// The element whose tag covers one of `locales` and is nearest to it: in its script rather than another, in its language rather
    /// than one that its readers fall back to, in its region rather than a wider one. If several are equally near, the one that is
    /// written alike, else the first. nil if none covers any.
    ///
    /// - Parameter locales: Preferred languages: a later one counts only if no element covers an earlier one.
    package func nearest(to locales: [LanguageTag], _ tag: (Element) -> LanguageTag) -> Element? {
        for locale in locales {
            var nearest: (element: Element, distance: Int)?
            for element in self {
                let tag = tag(element)
                guard let steps = tag.subtags.distance(from: locale.subtags) else { continue }
                let distance = 2 * steps + (tag == locale ? 0 : 1)
                if nearest.map({ distance < $0.distance }) ?? true { nearest = (element, distance) }
            }
            if let nearest { return nearest.element }
        }
        return nil
    }
}
