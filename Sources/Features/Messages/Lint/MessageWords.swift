import Audience
import CloudKitWire

/// The texts of a message in one language, prepared for the rules of docs/store-rules.md.
struct MessageWords: Sendable {
    let language: LanguageTag
    private let kind: MessageKind
    private let url: String?
    private let texts, buttons: [String]
    private let label: String?
    /// The words of each sentence, in lower case.
    private let sentences: [[Substring]]

    /// One for each language in which the message has any text.
    static func all(of message: Message) -> [MessageWords] {
        var languages: [LanguageTag] = []
        for text in message.texts {
            for (tag, _, _) in text.texts where !languages.contains(tag) { languages.append(tag) }
        }
        return languages.map { MessageWords(message, $0) }
    }

    private init(_ message: Message, _ language: LanguageTag) {
        func inLanguage(_ text: LocalizedText?) -> String? { text?.texts.first { $0.tag == language }?.text }
        self.language = language
        (kind, url) = (message.kind, message.url?.lowercased())
        texts = message.texts.compactMap(inLanguage)
        buttons = message.buttons.values.compactMap(inLanguage)
        label = message.hasImage && !message.isDecorative ? inLanguage(message.label) : nil
        sentences = texts.flatMap { text in
            text.lowercased().split { ".!?".contains($0) || $0.isNewline }.map { sentence in
                sentence.split { !$0.isLetter && !$0.isNumber }
            }
        }
    }

    /// Whether any sentence contains all words of a phrase, in any order: longer words match as prefixes, words of up to three
    /// letters only as a whole.
    ///
    /// - Parameter phrases: By language.
    func has(_ phrases: [String: [String]]) -> Bool {
        (phrases[language.language] ?? []).contains { phrase in
            let wanted = phrase.split(separator: " ")
            return sentences.contains { words in
                wanted.allSatisfy { wanted in
                    words.contains { $0 == wanted || wanted.count > 3 && $0.hasPrefix(wanted) }
                }
            }
        }
    }

    /// Whether its button leaves the app.
    var leadsOut: Bool { kind == .website || kind == .email }

    func leads(toHosts hosts: [String]) -> Bool {
        guard
            let host = url?.drop(while: { $0 != "/" }).drop(while: { $0 == "/" }).prefix(while: { !"/?#:".contains($0) }
            )
        else { return false }
        return hosts.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    func leads(toFiles endings: [String]) -> Bool {
        guard let address = url?.prefix(while: { !"?#".contains($0) }), let scheme = address.firstRange(of: "://"),
            let path = address[scheme.upperBound...].firstIndex(of: "/")
        else { return false }
        return endings.contains(where: address[path...].hasSuffix)
    }

    /// Whether a number is next to a sign or word of a currency.
    var namesPrice: Bool {
        let isSign = { (letter: Character) in
            letter.unicodeScalars.contains { $0.properties.generalCategory == .currencySymbol }
        }
        for text in texts {
            let letters = text.filter { !$0.isWhitespace }
            if zip(letters, letters.dropFirst()).contains(where: {
                isSign($0) && $1.isNumber || $0.isNumber && isSign($1)
            }) {
                return true
            }
        }
        return sentences.contains { words in
            words.contains { word in
                // A single word such as `usd4`.
                let code = word.prefix { $0.isLetter }
                return code.count < word.count && StoreWords.currencies.contains(String(code))
                    && word.dropFirst(code.count).isNumeral
            }
                || zip(words, words.dropFirst()).contains { one, other in
                    one.isNumeral && StoreWords.currencies.contains(String(other))
                        || other.isNumeral && StoreWords.currencies.contains(String(one))
                }
        }
    }

    /// Whether a label only states that there is a picture, or a button contains no word.
    var isUnreadableAloud: Bool {
        let isEmptyLabel = label.map { label in
            let text = label.lowercased()
            return StoreWords.pictures.contains(text.filter { $0.isLetter || $0.isNumber })
                || StoreWords.pictureFiles.contains(where: text.hasSuffix)
        }
        return isEmptyLabel == true || buttons.contains { !$0.contains { $0.isLetter || $0.isNumber } }
    }
}

extension Message {
    /// All texts that people read.
    fileprivate var texts: [LocalizedText] {
        [title, body, mailSubject, label].compactMap(\.self) + list + buttons.values
    }
}

extension Substring {
    fileprivate var isNumeral: Bool { allSatisfy(\.isNumber) }
}
