public import Foundation

/// A message from an app's makers to its people, with what each kind carries.
public struct Commun: Sendable, Hashable, Identifiable {
    /// The name of the message's record: `anniversary`. One of the article's twelve fields is `commun-3`, by its ``identifier``.
    public var id: String
    /// Texts by language: `["en": "New in 2.5", "es": "Novedades"]`. A server sends the one in the language that was asked for.
    public var title: [String: String]
    public var content: [String: String]
    /// What the content lists, in its order, each by language.
    public var list: [[String: String]]
    public var image: CommunImage?
    /// What the picture shows, by language; empty for one that only decorates.
    public var imageLabel: [String: String]
    public var type: CommunType
    /// When it ends; nil for never, or where that is not known.
    public var until: Date?
    /// How often editors have had it shown again to those who had seen it.
    public var round = 0

    /// What a message is about, with the titles of its buttons and what they do.
    public enum CommunType: Sendable, Hashable {
        case information(okayTitle: [String: String])
        /// - alreadyUpdated: The app has that version: then there is one button, okay.
        case newVersion(
            okayTitle: [String: String], actionTitle: [String: String], cancelTitle: [String: String],
            action: CommunAction, alreadyUpdated: Bool)
        case email(actionTitle: [String: String], cancelTitle: [String: String], action: CommunAction)
        case website(actionTitle: [String: String], cancelTitle: [String: String], action: CommunAction)
        /// - alreadyPurchased: Then there is one button, okay.
        case purchase(
            okayTitle: [String: String], actionTitle: [String: String], cancelTitle: [String: String],
            action: CommunAction, alreadyPurchased: Bool)
    }

    /// Messages of a higher schema number are for later versions of this kit, and are passed over.
    public static let schema = 0

    private static let idPrefix = "commun-"

    public init(
        id: String, title: [String: String], image: CommunImage? = nil, imageLabel: [String: String] = [:],
        content: [String: String], list: [[String: String]] = [], type: CommunType, until: Date? = nil
    ) {
        (self.id, self.title, self.image, self.imageLabel) = (id, title, image, imageLabel)
        (self.content, self.list, self.type, self.until) = (content, list, type, until)
    }

    /// As the article has it: known by a number, which grows with each message.
    public init(
        title: [String: String], image: CommunImage? = nil, imageLabel: [String: String] = [:],
        content: [String: String], list: [[String: String]] = [], type: CommunType, identifier: Int
    ) {
        self.init(
            id: "\(Self.idPrefix)\(identifier)", title: title, image: image, imageLabel: imageLabel, content: content,
            list: list, type: type)
    }

    /// The article's number: 3 for the id `commun-3`; nil for other ids.
    public var identifier: Int? {
        guard id.hasPrefix(Self.idPrefix) else { return nil }
        return Int(id.dropFirst(Self.idPrefix.count))
    }

    /// What its button does that asks for something; nil where there is none.
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
    /// A file on this device, or one at a server, whose address is good for five minutes.
    case url(URL)
}
