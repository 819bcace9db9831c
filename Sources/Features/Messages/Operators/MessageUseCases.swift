import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosYAML

extension UseCaseGroup {
    static let messages = UseCaseGroup(
        "message", abstract: "Say something to people in an app, once and at its time.",
        [.newMessage, .publishMessage, .withdrawMessage, .listMessages, .messageStats])
}

extension Input where Value == String {
    fileprivate static var message: Input { argument("id", help: "The message's id, which is the name of its record.") }
}

extension UseCase {
    fileprivate static let newMessage = UseCase(
        "message new", .changes, abstract: "Make a message of a file of YAML.",
        discussion: """
            With from it is shown from then on; without it is a draft, which who may write messages sees alone.

            The first message makes the record type Message, which who holds the role Admin may change, and the section messages of the \
            settings; both in development: production gets them with nephos schema deploy.

            Example:

              nephos message new iCloud.com.example.app anniversary.yaml
            """,
        .tenant, Input<String>.argument("file", help: "The file (docs/messages.md).")
    ) { call, tenant, path in
        let file: MessageFile
        do throws(YAMLFailure) {
            file = try MessageFile(String(decoding: try readable(path), as: UTF8.self))
        } catch {
            throw Failure("\(path): \(error)")
        }
        try NameRules.check(Name(file.id), what: "a message's id")
        let notes = try await MessageSetup(call: call, tenant: tenant, file: file).carryOut()
        let desk = try MessageDesk(call, tenant)
        let save = RecordSave(name: file.id, type: desk.settings.type, old: nil, kind: .edit(file.edits))
        switch try await desk.administration.carryOut([save], in: tenant).first ?? nil {
        case nil: break
        case .recordExists?: throw AdminError.refused("There is a message \(file.id) already.")
        case let refusal?: throw refusal
        }
        let state =
            file.start.map { $0 <= call.now() ? "which is shown" : "which will be shown from \(ISO8601.text($0)) on" }
            ?? "a draft. Publish it with: \(call.command("message publish \(tenant.container) \(file.id)"))"
        return notes.reduce(UseCaseAnswer.note("Made message \(file.id), \(state)")) { $0.noting($1) }
    }

    private static func readable(_ path: String) throws(YAMLFailure) -> [UInt8] {
        do throws(Failure) { return try TextFile(path: path).read() } catch {
            throw YAMLFailure("\(error)", at: nil)
        }
    }

    fileprivate static let publishMessage = UseCase(
        "message publish", .changes, abstract: "Have a message shown from a time on.",
        discussion: """
            Now without --at, and for good without --until. One that another of its slot and audience is in the way of is refused.

            Example:

              nephos message publish iCloud.com.example.app anniversary --at 2027-03-07 --until 2027-03-08
            """,
        .tenant, Input<String>.message, .window
    ) { call, tenant, id, window in
        let now = call.now()
        try await MessageDesk(call, tenant).change(
            id,
            [
                (MessageField.publishedAt, .time(try window.start(now: now))),
                (MessageField.until, window.end.map { .time($0) } ?? .removed),
            ])
        return .note(try window.sentence(of: id, now: now))
    }

    fileprivate static let withdrawMessage = UseCase(
        "message withdraw", .changes, abstract: "Make a message a draft again, which nobody else sees.",
        discussion: """
            Example:

              nephos message withdraw iCloud.com.example.app anniversary
            """,
        .tenant, Input<String>.message
    ) { call, tenant, id in
        try await MessageDesk(call, tenant).change(
            id, [(MessageField.publishedAt, .removed), (MessageField.until, .removed)])
        return .note("\(id) is a draft.")
    }

    fileprivate static let listMessages = UseCase(
        "message list", .reads, abstract: "List messages: what is shown, what will be, and what was.",
        discussion: """
            Example:

              nephos message list iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let now = call.now()
        let rows = try MessageDesk(call, tenant).all().map { record, message -> [String] in
            switch message {
            case .success(let message):
                [
                    record.name.text, message.kind.rawValue, message.state(at: now), message.slot, message.audience,
                    message.publishedAt.map(ISO8601.text) ?? "-", message.until.map(ISO8601.text) ?? "-",
                ]
            case .failure(let failure): [record.name.text, "-", "unreadable: \(failure)", "-", "-", "-", "-"]
            }
        }
        return .table(
            ["Message", "Kind", "State", "Slot", "Audience", "From", "Until"], rows,
            whenEmpty: "There are no messages.")
    }
}

extension UseCase {
    fileprivate static let messageStats = UseCase(
        "message stats", .reads, abstract: "Count who has seen a message, and what they did.",
        discussion: """
            Nobody is named: a person counts once on all their devices, and a device where nobody is signed in once.

            Example:

              nephos message stats iCloud.com.example.app anniversary
            """,
        .tenant, Input<String>.message
    ) { call, tenant, id in
        let desk = try MessageDesk(call, tenant)
        let (shown, acted, dismissed) = try desk.counts(of: Name(id))
        return .table(["Message", "Shown", "Acted", "Dismissed"], [[id, "\(shown)", "\(acted)", "\(dismissed)"]])
    }
}

extension Message {
    /// For people.
    fileprivate func state(at now: Milliseconds) -> String {
        guard let publishedAt else { return "draft" }
        if now < publishedAt { return "early" }
        return isOpen(at: now) ? "published" : "ended"
    }
}
