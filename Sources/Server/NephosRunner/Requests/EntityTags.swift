/// The tags of an `If-Match` or `If-None-Match` header (RFC 9110 §8.8.3, §13.1.1, §13.1.2).
package struct EntityTags {
    /// `*`: any tag.
    package private(set) var matchAll = false
    /// As they appear, quotes included, and whether they are weak.
    package private(set) var tags: [(tag: Substring, isWeak: Bool)] = []

    /// - Parameter values: One for each header of that name. What is not a tag is ignored.
    package init(_ values: [String]) {
        for value in values {
            read(value)
            if tags.isEmpty, value[...].trimmed == "*" { matchAll = true }
        }
    }

    /// Whether `tag` is among them and neither is weak.
    package func matchesStrongly(_ tag: String) -> Bool {
        matchAll || (!tag.hasPrefix("W/") && tags.contains { !$0.isWeak && $0.tag == tag })
    }

    /// Whether `tag` is among them, weak or not.
    package func matchesWeakly(_ tag: String) -> Bool {
        let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        return matchAll || tags.contains { $0.tag == opaque }
    }

    /// Commas are separators outside of quotes only.
    private mutating func read(_ value: String) {
        let quote = UInt8(ascii: "\"")
        var rest = value.utf8[...]
        while let open = rest.firstIndex(of: quote) {
            let isWeak = rest[..<open].suffix(2).elementsEqual("W/".utf8)
            guard let close = rest[rest.index(after: open)...].firstIndex(of: quote) else { return }
            tags.append((value[open...close], isWeak))
            rest = rest[rest.index(after: close)...]
        }
    }
}
