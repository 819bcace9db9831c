import Audience
import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Checks messages for probable mistakes.
struct MessageLint {
    private let settings: MessageSettings
    private let schema: Schema
    private let audiences: AudienceBook
    private let reach: MessageReach
    private let now: Milliseconds

    /// - Parameter messages: All messages to be checked; their reach is counted once for all.
    init(
        _ messages: [Message], _ settings: MessageSettings, _ administration: Administration, _ store: any TenantStore,
        now: Milliseconds
    ) throws {
        let catalog = try administration.read(store).catalog
        do throws(SectionFailure) { audiences = try catalog.audiences() } catch {
            throw Failure("The audiences of the settings cannot be read by this program: \(error)")
        }
        (self.settings, schema, self.now) = (settings, catalog.schema, now)
        reach = try MessageReach(messages, audiences, administration, store, now: now)
    }

    /// What is not known about the reach of messages; nil for nothing.
    var doubt: String? { reach.doubt }

    /// Findings about all messages.
    ///
    /// - Parameter command: The command line of a use case.
    func findings(in container: String, _ command: (String) -> String) -> [MessageFinding] {
        guard let type = schema[type: settings.type] else { return [] }
        let everybody = [Schema.BuiltInRole.world, Schema.BuiltInRole.icloud].map { type[rightsOf: $0] }
        guard everybody.contains(where: { !$0.isDisjoint(with: [.create, .write]) }) else { return [] }
        let remedy = command("role preset \(container) \(settings.type) admin-only --role \(MessageSetup.role)")
        return [
            MessageFinding(
                message: "", language: "", severity: .error, rule: .rights,
                text: "everybody who is signed in can publish messages: restrict it to a role with: \(remedy)")
        ]
    }

    /// Findings about one message; a failure means that its record is not a valid message.
    func findings(_ id: Name, _ message: Result<Message, MessageFailure>) -> [MessageFinding] {
        switch message {
        case .failure(let failure):
            return [finding(id, nil, .error, .unreadable, "\(failure). Save it again; until then nobody sees it")]
        case .success(let message):
            // For a message that has ended, nothing else matters.
            if let until = message.until, until <= now {
                return [
                    finding(
                        id, nil, .warning, .time,
                        "it ended at \(ISO8601.text(until)), and nobody sees it: publish it again, or leave it as it is"
                    )
                ]
            }
            return incomplete(message) + Self.lengths(message) + people(message) + times(message)
                + StoreRules.findings(message)
        }
    }

    private func finding(
        _ id: Name, _ language: LanguageTag?, _ severity: MessageFinding.Severity, _ rule: MessageFinding.Rule,
        _ text: String
    ) -> MessageFinding {
        MessageFinding(
            message: id.text, language: language?.description ?? "", severity: severity, rule: rule, text: text)
    }

    /// What is missing for a message to be published.
    private func incomplete(_ message: Message) -> [MessageFinding] {
        let isWithout = settings.languages.filter { message.title?.has($0) != true && message.body?.has($0) != true }
        let flaws = settings.flaws(of: message, audiences).filter { flaw in
            flaw.language.map { !isWithout.contains($0) } ?? true
        }
        return isWithout.map { language in
            finding(
                message.id, language, .error, .language,
                "it is missing in this language of the settings: write title, text and buttons, or remove the language from the settings"
            )
        }
            + flaws.map { flaw in
                let rule: MessageFinding.Rule =
                    switch flaw.field {
                    case MessageField.imageLabel.text: .label
                    case MessageField.audience.text: .audience
                    default: .incomplete
                    }
                return finding(message.id, flaw.language, .error, rule, "\(flaw)")
            }
    }

    /// Findings about the message's reach, from what apps have reported.
    private func people(_ message: Message) -> [MessageFinding] {
        var findings: [MessageFinding] = []
        // What publishing would refuse is found above.
        if message.audience != Message.everybody, AudienceText.flaw(Bytes(message.audience.utf8), audiences) == nil,
            let mistake = AudienceText.mistake(Bytes(message.audience.utf8), audiences)
        {
            findings.append(finding(message.id, nil, .error, .audience, "nobody belongs to its audience: \(mistake)"))
        }
        if reach.isEmptyAudience(of: message) {
            findings.append(
                finding(
                    message.id, nil, .warning, .audience,
                    "none of the \(reach.total) clients that have reported is in this audience: choose another, or wait until some are"
                ))
        }
        if message.kind == .newVersion, let requires = message.requires, let newest = reach.newest, newest < requires {
            findings.append(
                finding(
                    message.id, nil, .warning, .version,
                    "no client has reported the version that it requires: publish it once that version is available in the store"
                ))
        }
        return findings
    }

    private func times(_ message: Message) -> [MessageFinding] {
        guard message.isPublished, message.until == nil else { return [] }
        return [
            finding(
                message.id, nil, .warning, .time,
                "it has no end, so a person who installs the app in a year sees it too: set an end with --until")
        ]
    }
}
