import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Refuses records that are not valid messages, and published ones that cannot be shown; and wakes clients that wait for
/// messages.
struct MessageRule: RecordRule {
    func concerns(_ type: Name, in catalog: Catalog) -> Bool {
        // If the settings cannot be read, any record may be a message.
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

    func reading(_ changes: RecordChanges) -> RequestedRows {
        var set = RequestedRows()
        if changes.head.kind == .publicLane {
            set.ask(changes.news(Messages.name))
            set.ask(changes.salts)
            set.ask(changes.notes)
        }
        return set
    }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane, !changes.all.isEmpty else { return }
        rows.post(Messages.name, changes, reading)
        if (try? changes.catalog.messages())??.mirror != nil { rows.ask(for: FollowMirror.job, at: changes.now) }
        let salts = Dictionary(reading[changes.salts].map { ($0.message, $0) }) { $1 }
        let notes = Dictionary(reading[changes.notes].map { ($0.message, $0) }) { $1 }
        for change in changes.all where change.old == nil && change.cause == .asked {
            // The note belongs to an earlier message of the same name.
            if let note = notes[change.name] { rows.remove(note) }
        }
        guard !salts.isEmpty else { return }
        for change in changes.all {
            guard let old = salts[change.name] else { continue }
            var salt = old
            salt.endsAt = Message.end(of: change.new, now: changes.now)
            if salt == old { continue }
            rows.put(salt, replacing: old)
            if let time = salt.forgottenAt { rows.ask(for: ForgetSeen.job, at: time) }
        }
    }
}

extension RecordChanges {
    /// The salts of the changed messages.
    fileprivate var salts: Scan<MessageSaltRow> { MessageSaltRow.of(asked.map(\.name)) }
    /// The editors' notes about them.
    fileprivate var notes: Scan<MessageNoteRow> { MessageNoteRow.of(asked.map(\.name)) }
}

extension MessageSettings {
    /// - Throws: The first missing or wrong part of a message that is to be published.
    func check(_ message: Message, _ audiences: AudienceBook) throws(MessageFailure) {
        if let first = flaws(of: message, audiences).first { throw first }
    }

    /// All missing or wrong parts of a message that is to be published.
    func flaws(of message: Message, _ audiences: AudienceBook) -> [MessageFailure] {
        var flaws: [MessageFailure] = []
        if !kinds.contains(message.kind) {
            flaws.append(
                MessageFailure(
                    MessageField.kind,
                    "\(message.kind.rawValue) is not among the kinds of the settings: add it there first"))
        }
        if !slots.contains(message.slot) {
            flaws.append(
                MessageFailure(
                    MessageField.slot, "it must be one of the settings' slots: \(slots.joined(separator: ", "))"))
        }
        if let flaw = flaw(of: message.audience, audiences) { flaws.append(flaw) }
        flaws += missing(message.title, MessageField.title) + missing(message.body, MessageField.body)
        for role in message.kind.roles {
            flaws += missing(message.buttons[role], MessageField.buttons, "the button \(role.rawValue)")
        }
        for (place, entry) in message.list.enumerated() {
            flaws += missing(entry, MessageField.list, "entry \(place + 1)")
        }
        if let subject = message.mailSubject { flaws += missing(subject, MessageField.mailSubject) }
        if message.hasImage, !message.isDecorative {
            flaws += missing(
                message.label, MessageField.imageLabel, "the label of the picture, unless it is decorative,")
        }
        if let field = message.kind.carried, !message.isCarrying {
            flaws.append(MessageFailure(field, "a message of this kind needs it"))
        }
        return flaws
    }

    private func flaw(of audience: String, _ audiences: AudienceBook) -> MessageFailure? {
        guard !audience.isEmpty else {
            return MessageFailure(
                MessageField.audience, "it is missing: set it to \(Message.everybody) or to an audience")
        }
        guard audience != Message.everybody, let flaw = AudienceText.flaw(Bytes(audience.utf8), audiences) else {
            return nil
        }
        return MessageFailure(MessageField.audience, flaw)
    }

    /// One failure for each language in which a text is missing.
    private func missing(_ text: LocalizedText?, _ field: Name, _ what: String = "it") -> [MessageFailure] {
        languages.filter { text?.has($0) != true }
            .map { MessageFailure(field, "\(what) is missing in \($0)", in: $0) }
    }
}

extension MessageKind {
    /// The field for the content of a message of this kind; nil if it has none.
    fileprivate var carried: Name? {
        switch self {
        case .information: nil
        case .website: MessageField.url
        case .newVersion: MessageField.requires
        case .email: MessageField.mailTo
        case .purchase: MessageField.product
        }
    }
}

extension Message {
    /// Whether the message has the content of its kind.
    fileprivate var isCarrying: Bool {
        switch kind {
        case .information: true
        case .website: url != nil
        case .newVersion: requires != nil
        case .email: mailTo != nil
        case .purchase: product != nil
        }
    }
}
