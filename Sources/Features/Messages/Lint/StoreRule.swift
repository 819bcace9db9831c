import Audience
import CloudKitWire

/// A rule of docs/store-rules.md, with a check that a message may break it: a hint, not a verdict.
struct StoreRule: Sendable {
    /// Its number on the page.
    let number: Int
    /// What to do.
    let advice: String
    /// Whether the message's texts in one language may break the rule.
    let isBroken: @Sendable (MessageWords) -> Bool
}

enum StoreRules {
    /// The languages in which words are checked.
    static let languages = ["de", "en", "es", "fr", "it", "pt"]

    static func findings(_ message: Message) -> [MessageFinding] {
        MessageWords.all(of: message).flatMap { words in
            all.filter { $0.isBroken(words) }.map { rule in
                MessageFinding(
                    message: message.id.text, language: "\(words.language)", severity: .warning,
                    rule: .store(rule.number), text: rule.advice)
            }
        }
    }

    /// The languages in which words were not checked, as text for the operator; nil for none.
    static func unread(_ messages: [Message]) -> String? {
        let unread = Set(messages.flatMap { MessageWords.all(of: $0).map(\.language.language) }).subtracting(languages)
        guard !unread.isEmpty else { return nil }
        return
            "Texts in \(unread.sorted().joined(separator: ", ")) are not checked for the store rules: check them against docs/store-rules.md."
    }

    static let all = [
        StoreRule(
            number: 1,
            advice: "it asks for a rating: let the system's own prompt ask, and remove this from the message"
        ) { $0.has(StoreWords.rating) },
        StoreRule(
            number: 2,
            advice:
                "it seems to offer something for a rating: stores forbid that, so offer it to everybody or not at all"
        ) { $0.has(StoreWords.rating) && $0.has(StoreWords.reward) },
        StoreRule(
            number: 3,
            advice:
                "it seems to deliver code, or features that review has not seen: ship them in the app, and link to pages only"
        ) { $0.has(StoreWords.code) || $0.leads(toFiles: StoreWords.codeFiles) },
        StoreRule(
            number: 4,
            advice:
                "it seems to sell outside the store: use a message of kind purchase, unless the store permits this link where it is shown"
        ) { words in
            words.leads(toHosts: StoreWords.payment) || words.leadsOut && words.has(StoreWords.selling)
        },
        StoreRule(
            number: 5,
            advice: "it names a price, which differs by country and over time: let the store show it"
        ) { $0.namesPrice },
        StoreRule(
            number: 6,
            advice:
                "it urges people to grant a permission: explain what it is for, and let the system ask when it is needed"
        ) { $0.has(StoreWords.permission) },
        StoreRule(
            number: 7,
            advice:
                "it asks for personal data: explain why, and name the privacy policy; send mail only to people who agreed to it"
        ) { $0.has(StoreWords.personal) && !$0.has(StoreWords.privacy) },
        StoreRule(
            number: 8,
            advice:
                "people who cannot see it learn nothing: label the picture by what it shows, and write buttons in words"
        ) { $0.isUnreadableAloud },
    ]
}
