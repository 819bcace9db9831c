/// A message in one language, ready to be shown: all texts are plain, without markup.
public struct CommunPresentation: Sendable, Hashable, Identifiable {
    /// The ID of the message.
    public var id: String
    public var title: String
    public var body: String
    public var list: [String]
    public var image: CommunImage?
    /// Description of the picture for screen readers; nil if it is decorative.
    public var imageLabel: String?
    /// The buttons in display order, the action first.
    public var buttons: [CommunButton]
    /// ``Commun/round``
    public var round: Int

    /// - Parameters:
    ///   - locale: For example `es-MX`: each text is chosen separately, in the language and region, else in the language, else in
    ///     the default language.
    ///   - defaultLanguage: If a text also lacks this language, the first of its languages by tag is used.
    public init(_ commun: Commun, locale: String?, defaultLanguage: String = "en") {
        func text(_ texts: [String: String]) -> String { texts.text(for: locale, else: defaultLanguage) }
        (id, title, body) = (commun.id, text(commun.title), text(commun.content))
        list = commun.list.map(text)
        round = commun.round
        image = commun.image
        imageLabel = commun.image == nil || commun.imageLabel.isEmpty ? nil : text(commun.imageLabel)
        let action = commun.action
        buttons = commun.type.titles.map { role, titles in
            CommunButton(role: role, title: text(titles), action: role == .action ? action : nil)
        }
    }

    /// The requested action; nil if there is none.
    public var action: CommunAction? { buttons.lazy.compactMap(\.action).first }
}

/// A button of a message.
public struct CommunButton: Sendable, Hashable, Identifiable {
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable { case action, cancel, okay }

    public var role: Role
    public var title: String
    /// What it does besides closing the message.
    public var action: CommunAction?

    public init(role: Role, title: String, action: CommunAction? = nil) {
        (self.role, self.title, self.action) = (role, title, action)
    }

    public var id: Role { role }

    /// The event that pressing the button reports.
    public var event: CommunReport.Event { role == .action ? .acted : .dismissed }
}

extension Commun.CommunType {
    /// The buttons that it has, in order.
    fileprivate var titles: [(role: CommunButton.Role, titles: [String: String])] {
        switch self {
        case .information(let okay): [(.okay, okay)]
        case .newVersion(let okay, let action, let cancel, _, let isDone),
            .purchase(let okay, let action, let cancel, _, let isDone):
            isDone ? [(.okay, okay)] : [(.action, action), (.cancel, cancel)]
        case .email(let action, let cancel, _), .website(let action, let cancel, _):
            [(.action, action), (.cancel, cancel)]
        }
    }
}
