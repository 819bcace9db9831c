import Audience
import CloudKitWire

/// A text in several languages, as in records of messages: `{"en":"New in 2.5","es":"Novedades"}`.
struct LocalizedText: Sendable, Equatable {
    /// Languages of one text.
    static let languagesMax = 50

    /// In the order in which they were written; none is empty.
    private(set) var texts: [(tag: LanguageTag, name: String, text: String)] = []

    /// - Parameter bytesMax: The limit of the text in one language.
    init(_ json: inout JSONReader, bytesMax: Int) throws(WireError) {
        try json.readObject { json, key throws(WireError) in
            guard let tag = LanguageTag(key.name.text) else {
                throw WireError(
                    "\(WireError.excerpt(key.name.text)) is not a language such as en or pt-BR", offset: json.offset)
            }
            guard texts.count < Self.languagesMax else {
                throw WireError("more than \(Self.languagesMax) languages", offset: json.offset, isLimit: true)
            }
            guard !texts.contains(where: { $0.tag == tag }) else {
                throw WireError("\(key.name.text) appears twice", offset: json.offset)
            }
            let text = String(decoding: try json.readString(), as: UTF8.self)
            guard text.utf8.count <= bytesMax else {
                throw WireError(
                    "the text in \(key.name.text) has more than \(bytesMax) bytes", offset: json.offset, isLimit: true)
            }
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw WireError("the text in \(key.name.text) is empty", offset: json.offset)
            }
            texts.append((tag, key.name.text, text))
        }
        guard !texts.isEmpty else { throw WireError("there is no text in any language", offset: json.offset) }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.name == $1.name && $0.text == $1.text }
    }

    /// The text that is nearest to a locale, otherwise to the first of `fallbacks` for which there is one, otherwise the first.
    ///
    /// - Parameter locale: nil if it is not known.
    func text(for locale: LanguageTag?, else fallbacks: [LanguageTag]) -> (name: String, text: String) {
        let found = texts.nearest(to: (locale.map { [$0] } ?? []) + fallbacks) { $0.tag } ?? texts[0]
        return (found.name, found.text)
    }

    /// Whether it has a text in a language, under any of its codes.
    func has(_ tag: LanguageTag) -> Bool { texts.contains { $0.tag.isSame(as: tag) } }
}
