/// A message in somebody's language, as a screen shows it: all texts as they are, none of them with markup.
public struct CommunPresentation: Sendable, Hashable, Identifiable {
    /// Of the message.
    public var id: String
    public var title: String
    public var body: String
    public var list: [String]
    public var image: CommunImage?
    /// What the picture shows, for who cannot see it; nil for one that only decorates, which a screen reader passes over.
    public var imageLabel: String?
    /// In the order in which they stand: what is asked for first.
    public var buttons: [CommunButton]
    /// ``Commun/round``
    public var round: Int

    /// - Parameters:
    ///   - locale: `es-MX`: texts come in the language and region, else in the language, else in the default one, each by itself.
    ///   - defaultLanguage: Where a text lacks this one, too, it comes in the first that it has, by their tags.
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

    /// What it asks an app to do; nil for nothing.
    public var action: CommunAction? { buttons.lazy.compactMap(\.action).first }
}

/// A button of a message.
public struct CommunButton: Sendable, Hashable, Identifiable {
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable { case action, cancel, okay }

    public var role: Role
    public var title: String
    /// What it does besides ending the message.
    public var action: CommunAction?

    public init(role: Role, title: String, action: CommunAction? = nil) {
        (self.role, self.title, self.action) = (role, title, action)
    }

    public var id: Role { role }

    /// What pressing it means.
    public var event: CommunReport.Event { role == .action ? .acted : .dismissed }
}

extension Commun.CommunType {
    /// Of the buttons that it has, in their order.
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
