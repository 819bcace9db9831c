import Audience
import CloudKitWire

/// Texts in several languages in one STRING, as in the template: `en=No Thanks|es=No, Gracias`.
enum PackedText {
    /// Separators within a text are replaced by similar characters, because the format has no escapes.
    private static let alike: [Unicode.Scalar: Unicode.Scalar] = ["|": "\u{FF5C}", "=": "\u{FF1D}"]

    static func packed(_ text: LocalizedText) -> String {
        text.texts.map { _, name, text in "\(name)=\(part(text))" }.joined(separator: "|")
    }

    /// One text. Works on scalars: a separator followed by a combining mark is a different character in Swift, but not for other
    /// readers.
    static func part(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(alike[scalar] ?? scalar) }
        return String(scalars)
    }

    /// - Returns: The JSON form used in message records; nil if there is no language.
    static func read(_ packed: String) -> String? {
        var texts: [(name: String, text: String)] = []
        for part in packed.split(separator: "|", omittingEmptySubsequences: false) {
            if let place = part.firstIndex(of: "="), LanguageTag(String(part[..<place])) != nil {
                texts.append((String(part[..<place]), String(part[part.index(after: place)...])))
            } else if !texts.isEmpty {
                texts[texts.count - 1].text += "|\(part)"
            }
        }
        // If a language occurs several times, the last one counts.
        var names: Set<String> = []
        let kept = texts.reversed().filter { names.insert($0.name).inserted && $0.text.contains { !$0.isWhitespace } }
        guard !kept.isEmpty else { return nil }
        var json = JSONWriter()
        json.beginObject()
        for (name, text) in kept.reversed() {
            json.key(named: Name(name))
            json.string(text)
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
