public import Foundation

/// A message from an app's developers to its users, with the data of each kind.
public struct Commun: Sendable, Hashable, Identifiable {
    /// The name of the message's record: `anniversary`. A record with the article's twelve fields gets `commun-3`, from its
    /// ``identifier``.
    public var id: String
    /// Texts by language: `["en": "New in 2.5", "es": "Novedades"]`. A server sends the one in the language requested.
    public var title: [String: String]
    public var content: [String: String]
    /// The items of the content's list, in order, each by language.
    public var list: [[String: String]]
    public var image: CommunImage?
    /// Description of the picture by language; empty if it is decorative.
    public var imageLabel: [String: String]
    public var type: CommunType
    /// When the message ends; nil for never, or if unknown.
    public var until: Date?
    /// Number of times that editors have had the message shown again to users who had already seen it.
    public var round = 0

    /// What a message is about, with the titles and actions of its buttons.
    public enum CommunType: Sendable, Hashable {
        case information(okayTitle: [String: String])
        /// - alreadyUpdated: The app already has that version; the only button is then okay.
        case newVersion(
            okayTitle: [String: String], actionTitle: [String: String], cancelTitle: [String: String],
            action: CommunAction, alreadyUpdated: Bool)
        case email(actionTitle: [String: String], cancelTitle: [String: String], action: CommunAction)
        case website(actionTitle: [String: String], cancelTitle: [String: String], action: CommunAction)
        /// - alreadyPurchased: The product is already purchased; the only button is then okay.
        case purchase(
            okayTitle: [String: String], actionTitle: [String: String], cancelTitle: [String: String],
            action: CommunAction, alreadyPurchased: Bool)
    }

    /// Messages with a higher schema number are for later versions of this kit and are ignored.
    public static let schema = 0

    private static let idPrefix = "commun-"

    public init(
        id: String, title: [String: String], image: CommunImage? = nil, imageLabel: [String: String] = [:],
        content: [String: String], list: [[String: String]] = [], type: CommunType, until: Date? = nil
    ) {
        (self.id, self.title, self.image, self.imageLabel) = (id, title, image, imageLabel)
        (self.content, self.list, self.type, self.until) = (content, list, type, until)
    }

    /// As in the article: identified by a number that increases with each message.
    public init(
        title: [String: String], image: CommunImage? = nil, imageLabel: [String: String] = [:],
        content: [String: String], list: [[String: String]] = [], type: CommunType, identifier: Int
    ) {
        self.init(
            id: "\(Self.idPrefix)\(identifier)", title: title, image: image, imageLabel: imageLabel, content: content,
            list: list, type: type)
    }

    /// The article's number: 3 for the ID `commun-3`; nil for other IDs.
    public var identifier: Int? {
        guard id.hasPrefix(Self.idPrefix) else { return nil }
        return Int(id.dropFirst(Self.idPrefix.count))
    }

    /// The action of its button; nil if it has none.
    public var action: CommunAction? {
        switch type {
        case .information: nil
        case .newVersion(_, _, _, let action, let isDone), .purchase(_, _, _, let action, let isDone):
            isDone ? nil : action
        case .email(_, _, let action), .website(_, _, let action): action
        }
    }
}

/// The picture of a message.
public enum CommunImage: Sendable, Hashable {
    case emoji(String)
    /// A local file, or a file on a server whose URL is valid for five minutes.
    case url(URL)
}
