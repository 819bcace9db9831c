import Audience
package import Foundation

/// A message as stored in a record with the article's twelve fields, in all its languages.
package struct PackedCommun {
    /// `title`, `content`, `imageLabel`, `actionTitle`, `cancelTitle`, `okayTitle` and `type`, in packed form.
    package var texts: [String: String]
    package var identifier, version: Int?
    package var image: URL?

    package init(texts: [String: String], identifier: Int?, version: Int?, image: URL?) {
        (self.texts, self.identifier, self.version, self.image) = (texts, identifier, version, image)
    }

    /// - Returns: nil for a message that this kit does not understand.
    /// - Throws: An error that names a missing required field.
    package func commun(for question: CommunQuestion) throws(CommunFault) -> Commun? {
        guard version ?? 0 <= Commun.schema else { return nil }
        let packed = PackedText.kind(texts["type"] ?? "")
        guard let kind = CommunKind(rawValue: packed.name) else { return nil }
        guard let identifier else { throw fault("identifier", "it is missing") }
        let (title, content) = (try texts(of: "title"), try texts(of: "content"))
        let payload = packed.payload.flatMap { $0.isEmpty ? nil : $0 }
        let titles: [CommunButton.Role: [String: String]] = [
            .action: localized("actionTitle"), .cancel: localized("cancelTitle"), .okay: localized("okayTitle"),
        ]
        let type = Commun.CommunType(
            kind, titles, try action(kind, payload), isDone: try isDone(kind, payload, question))
        guard let type else { throw fault("type", "\(packed.name) needs a value: \(packed.name)|…") }
        return Commun(
            title: title, image: image.map { .url($0) }, imageLabel: localized("imageLabel"), content: content,
            type: type, identifier: identifier)
    }

    private func action(_ kind: CommunKind, _ payload: String?) throws(CommunFault) -> CommunAction? {
        switch kind {
        case .information: return nil
        case .website:
            // A URL contains percent signs of its own.
            guard let action = payload.flatMap({ CommunAction.open($0) }) else {
                throw fault("type", "website needs a web address: website|https://example.org/new")
            }
            return action
        case .newVersion: return .update
        case .email: return .mail(to: payload, subject: nil)
        case .purchase: return payload.map { .purchase(product: $0) }
        }
    }

    private func isDone(
        _ kind: CommunKind, _ payload: String?, _ question: CommunQuestion
    ) throws(CommunFault) -> Bool {
        switch kind {
        case .newVersion:
            guard let required = payload.flatMap({ Version($0) }) else {
                throw fault("type", "newVersion needs a version: newVersion|2.5")
            }
            let running = question.audience.appVersion.flatMap { Version($0) }
            return running.map { $0 >= required } ?? false
        case .purchase: return question.state.contains("subscribed")
        case .information, .website, .email: return false
        }
    }

    private func localized(_ field: String) -> [String: String] { PackedText.texts(texts[field] ?? "") }

    private func texts(of field: String) throws(CommunFault) -> [String: String] {
        let texts = localized(field)
        guard !texts.isEmpty else { throw fault(field, "there is no text; write it as en=Hello|es=Hola") }
        return texts
    }

    private func fault(_ field: String, _ reason: String) -> CommunFault {
        let name = identifier.map { "the message \($0)" } ?? "a message"
        return CommunFault(.unreadable, "\(name) cannot be shown: \(field): \(reason)")
    }
}
