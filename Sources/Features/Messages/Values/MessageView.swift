import Audience
import CloudKitWire

/// What somebody sees of a message: its texts in their language, each by itself, and the buttons of their state. Answers and previews are
/// made of it, so that a preview shows what an app is told.
struct MessageView: Sendable {
    struct Button: Sendable {
        let role: MessageKind.Role
        /// nil where a draft has none yet.
        let title: String?
    }

    /// That of the title; nil where there is none.
    let language: String?
    let title, body: String?
    let list: [String]
    /// Of the picture.
    let label: String?
    let subject: String?
    let buttons: [Button]

    /// - Parameters:
    ///   - locale: nil where they say none.
    ///   - fallbacks: Languages of the settings.
    ///   - isDone: What the message asks for was done (``MessageKind/roles(isDone:)``).
    init(_ message: Message, for locale: LanguageTag?, else fallbacks: [LanguageTag], isDone: Bool) {
        func found(_ text: LocalizedText?) -> (name: String, text: String)? {
            text.map { $0.text(for: locale, else: fallbacks) }
        }
        let heading = found(message.title)
        (language, title) = (heading?.name, heading?.text)
        body = found(message.body)?.text
        list = message.list.compactMap { found($0)?.text }
        label = found(message.label)?.text
        subject = found(message.mailSubject)?.text
        buttons = message.kind.roles(isDone: isDone).map { Button(role: $0, title: found(message.buttons[$0])?.text) }
    }
}
