import Foundation
import NephosTransport

/// The decoded response to `messages/current`.
struct CurrentAnswer: Decodable {
    /// nil if there is no message, or none that this kit understands.
    let commun: Commun?

    private enum Keys: String, CodingKey { case message }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Keys.self)
        // null means that there is no message; a response without the key is malformed.
        guard members.contains(.message) else {
            throw DecodingError.keyNotFound(
                Keys.message, DecodingError.Context(codingPath: [], debugDescription: "message is missing"))
        }
        commun = try members.decodeIfPresent(Known.self, forKey: .message)?.commun
    }
}

/// A message whose schema and kind are checked before anything else: later versions may have another structure.
private struct Known: Decodable {
    let commun: Commun?

    private enum Keys: String, CodingKey { case schema, kind }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Keys.self)
        guard try members.decode(Int.self, forKey: .schema) <= Commun.schema,
            let kind = CommunKind(rawValue: try members.decode(String.self, forKey: .kind))
        else {
            commun = nil
            return
        }
        let message = try Message(from: decoder)
        // Devices store it, and no record has a longer name.
        guard message.id.utf8.count <= Message.idBytesMax else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "id has more than \(Message.idBytesMax) bytes"))
        }
        commun = message.commun(kind)
    }
}

private struct Message: Decodable {
    static let idBytesMax = 255

    let id: String
    /// The language of the texts.
    let language: String?
    let title, body: String?
    let list: [String]?
    let image: Image?
    let buttons: [Button]
    /// Milliseconds since 1970.
    let until: Int64?
    let round: Int?

    struct Image: Decodable {
        let url, emoji, label: String?
        let decorative: Bool?

        var image: CommunImage? {
            // Not of this device: a server must not choose one of its files.
            url.flatMap { URL(web: $0) }.map { .url($0) } ?? emoji.map { .emoji($0) }
        }
    }

    struct Button: Decodable {
        let role, title: String
        let action, url, to, subject, product: String?

        /// - Returns: nil for an unknown action, or one that lacks an argument.
        var known: CommunAction? {
            switch action {
            case "open": url.flatMap { CommunAction.open($0) }
            case "update": .update
            case "mail": to.map { .mail(to: $0, subject: subject) }
            case "purchase": product.map { .purchase(product: $0) }
            default: nil
            }
        }
    }

    /// - Returns: nil if it has a button that this kit does not know.
    func commun(_ kind: CommunKind) -> Commun? {
        func texts(_ text: String?) -> [String: String] { text.map { [language ?? "und": $0] } ?? [:] }
        var titles: [CommunButton.Role: [String: String]] = [:]
        var action: CommunAction?
        for button in buttons {
            guard let role = CommunButton.Role(rawValue: button.role) else { return nil }
            if role == .action {
                guard let known = button.known else { return nil }
                action = known
            }
            titles[role] = texts(button.title)
        }
        let isDone = titles[.okay] != nil && titles[.action] == nil
        guard !titles.isEmpty, let type = Commun.CommunType(kind, titles, action, isDone: isDone) else { return nil }
        var commun = Commun(
            id: id, title: texts(title), image: image?.image,
            imageLabel: image?.decorative == true ? [:] : texts(image?.label), content: texts(body),
            list: (list ?? []).map { texts($0) }, type: type,
            until: until.map { Date(timeIntervalSince1970: Double($0) / 1_000) })
        commun.round = round ?? 0
        return commun
    }
}
