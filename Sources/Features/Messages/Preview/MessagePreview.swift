import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A message as everybody who may see it would see it: in each language, and in each state of its buttons. Works for drafts, too,
/// and does not count as seen.
struct MessagePreview: Sendable {
    /// What is known of the viewer, as far as the buttons depend on it.
    enum State: String, InputWord, CaseIterable { case open, done }

    struct Screen: Sendable {
        let language: LanguageTag
        let state: State
        /// The name of the state for people; empty if the kind has only one.
        let stateName: String
        let view: MessageView

        var title: String { stateName.isEmpty ? "\(language)" : "\(language), \(stateName)" }
    }

    let message: Message
    let picture: MessagePicture?
    let screens: [Screen]

    /// - Parameters:
    ///   - picture: The record's picture; nil for none.
    ///   - language: Only this one, whether or not the settings have it; nil for all of the settings and of the title.
    ///   - state: Only this one; nil for all that the kind has.
    init(
        _ message: Message, _ settings: MessageSettings, picture: MessagePicture?, language: LanguageTag? = nil,
        state: State? = nil
    ) {
        (self.message, self.picture) = (message, picture)
        let others = (message.title?.texts ?? []).map(\.tag).filter { tag in
            !settings.languages.contains { $0.isSame(as: tag) }
        }
        screens = (language.map { [$0] } ?? settings.languages + others).flatMap { language in
            message.kind.states.filter { state == nil || $0.state == state }.map { known, name in
                Screen(
                    language: language, state: known, stateName: name,
                    view: MessageView(message, for: language, else: settings.languages, isDone: known == .done))
            }
        }
    }
}

extension MessageKind {
    /// All states in which its buttons differ, with their names for people.
    var states: [(state: MessagePreview.State, name: String)] {
        switch self {
        case .information, .website, .email: [(.open, "")]
        case .newVersion: [(.open, "not yet updated"), (.done, "already updated")]
        case .purchase: [(.open, "not subscribed"), (.done, "subscribed")]
        }
    }
}

extension MessageKind.Role {
    /// Shown on a button without a text.
    var placeholder: String { "(\(rawValue) has no text)" }
}
