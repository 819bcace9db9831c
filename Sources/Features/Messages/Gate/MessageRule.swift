import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Refuses what is no message, and what is published and cannot be shown; and wakes who waits for messages.
struct MessageRule: RecordRule {
    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        // Where the settings cannot be read, any record may be a message.
        do throws(SectionFailure) { return try catalog.messages()?.type == type } catch { return true }
    }

    func check(_ type: Name, in catalog: Catalog) -> RecordCheck? {
        do throws(SectionFailure) {
            guard let settings = try catalog.messages(), settings.type == type else { return nil }
            let audiences = try catalog.audiences()
            return { fields in
                do throws(MessageFailure) {
                    let message = try Message("", fields: fields)
                    if message.isPublished { try settings.check(message, audiences) }
                    return nil
                } catch {
                    return .badRequest("\(error)")
                }
            }
        } catch {
            return { _ in .badRequest("the settings of the container cannot be read by this server: \(error)") }
        }
    }

    func reading(_ changes: RecordChanges) -> AskedRows {
        var set = AskedRows()
        if changes.head.kind == .publicLane { set.ask(changes.news(Messages.name)) }
        return set
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout FollowingRows) {
        guard changes.head.kind == .publicLane, !changes.all.isEmpty else { return }
        rows.post(Messages.name, changes, reading)
    }
}

extension MessageSettings {
    /// - Throws: What is missing of a message that is to be published, or wrong.
    func check(_ message: Message, _ audiences: AudienceBook) throws(MessageFailure) {
        guard kinds.contains(message.kind) else {
            throw MessageFailure(
                MessageField.kind, "\(message.kind.rawValue) is not among the kinds of the settings: add it there first"
            )
        }
        guard slots.contains(message.slot) else {
            throw MessageFailure(
                MessageField.slot, "it is one of the settings' slots: \(slots.joined(separator: ", "))")
        }
        try check(audience: message.audience, audiences)
        try complete(message.title, MessageField.title)
        try complete(message.body, MessageField.body)
        for role in message.kind.roles {
            try complete(message.buttons[role], MessageField.buttons, "the button \(role.rawValue)")
        }
        for (place, entry) in message.list.enumerated() {
            try complete(entry, MessageField.list, "entry \(place + 1)")
        }
        if let subject = message.mailSubject { try complete(subject, MessageField.mailSubject) }
        if message.hasImage, !message.isDecorative {
            try complete(message.label, MessageField.imageLabel, "the label of the picture, unless it is decorative,")
        }
        switch message.kind {
        case .information: break
        case .website: try require(message.url, MessageField.url)
        case .newVersion: try require(message.requires, MessageField.requires)
        case .email: try require(message.mailTo, MessageField.mailTo)
        case .purchase: try require(message.product, MessageField.product)
        }
    }

    private func check(audience: String, _ audiences: AudienceBook) throws(MessageFailure) {
        guard !audience.isEmpty else {
            throw MessageFailure(MessageField.audience, "say whom it is for: \(Message.everybody), or an audience")
        }
        guard audience != Message.everybody, let flaw = AudienceText.flaw(Bytes(audience.utf8), audiences) else {
            return
        }
        throw MessageFailure(MessageField.audience, flaw)
    }

    private func require(_ value: Any?, _ field: Name) throws(MessageFailure) {
        guard value == nil else { return }
        throw MessageFailure(field, "a message of this kind needs it")
    }

    private func complete(_ text: LocalizedText?, _ field: Name, _ what: String = "it") throws(MessageFailure) {
        let missing = languages.filter { text?.has($0) != true }
        guard let first = missing.first else { return }
        throw MessageFailure(field, "\(what) is missing in \(first)")
    }
}
