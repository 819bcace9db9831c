import Audience
import CloudKitWire

/// What a viewer sees of a message: its texts, each in the viewer's language if available, and the buttons of their state. Both
/// responses and previews are derived from it, so a preview shows what an app receives.
struct MessageView: Sendable {
    struct Button: Sendable {
        let role: MessageKind.Role
        /// nil if a draft has none yet.
        let title: String?
    }

    /// The language of the title; nil if there is none.
    let language: String?
    let title, body: String?
    let list: [String]
    /// The label of the picture.
    let label: String?
    let subject: String?
    let buttons: [Button]

    /// - Parameters:
    ///   - locale: nil if it is not known.
    ///   - fallbacks: Languages of the settings.
    ///   - isDone: Whether the message's request is fulfilled (``MessageKind/roles(isDone:)``).
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
