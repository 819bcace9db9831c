import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosYAML

extension UseCaseGroup {
    static let messages = UseCaseGroup(
        "message", abstract: "Show messages to people in an app, once and at their time.",
        [
            .newMessage, .editMessage, .exportMessage, .publishMessage, .withdrawMessage, .listMessages,
            .previewMessage, .lintMessages, .messageStats, .messageNote, .messageHistory, .messageRevert,
            .mirrorMessages, .importMessages,
        ], groups: [.messageKinds, .messageLanguages])
}

extension Input where Value == String {
    static var message: Input { argument("id", help: "The message's id, which is the name of its record.") }
}

extension UseCase {
    fileprivate static let newMessage = UseCase(
        "message new", .changes, abstract: "Create a message from a YAML file.",
        discussion: """
            With from, it is shown from that time on; without, it is a draft, which only people who can write messages see.

            The first message creates the record type Message, which holders of the role Admin can change, and the section messages of the \
            settings, both in development; production gets them with nephos schema deploy.

            Example:

              nephos message new iCloud.com.example.app anniversary.yaml
            """,
        .tenant, Input<InputFile>.argument("file", help: "The file (docs/messages.md)."), .also
    ) { call, tenant, named, others in
        let path = named.path
        let text = String(decoding: try call.contents(of: named), as: UTF8.self)
        let file: MessageFile
        do throws(YAMLFailure) { file = try MessageFile(text) } catch { throw Failure("\(path): \(error)") }
        try NameRules.check(Name(file.id), what: "a message's id")
        guard !file.keepsPicture else {
            throw Failure("\(path): image: a new message has no picture to keep. Name its file.")
        }
        // Before the store is used, whose owner may not be allowed to read it.
        let picture = try file.picture.map { try PictureFile($0, beside: path, call) }
        return try await tenant.each(with: others) { tenant in try await make(file, picture, path, call, tenant) }
    }

    private static func make(
        _ file: MessageFile, _ picture: PictureFile?, _ path: String, _ call: any UseCaseCall, _ tenant: Tenant
    ) async throws -> UseCaseAnswer {
        let administration = try call.administration
        try file.check(path, in: try administration.read(administration.store(tenant)).catalog)
        let notes = try await MessageSetup(call: call, tenant: tenant, kinds: [file.kind], languages: file.languages)
            .carryOut()
        let operations = try MessageOperations(call, tenant)
        var edits = file.edits
        if let picture { edits.append((MessageField.image, try await picture.edit(operations, call))) }
        let save = RecordSave(name: file.id, type: operations.settings.type, old: nil, kind: .edit(edits))
        switch try await operations.administration.carryOut([save], in: tenant).first ?? nil {
        case nil: break
        case .recordExists?:
            let note = try operations.note(of: file.id)?.text ?? ""
            guard try operations.record(file.id).hasSameContent(edits), note == file.note ?? "" || note.isEmpty else {
                let edit = call.command("message edit \(tenant.asTyped) \(file.id) \(path)")
                throw AdminError.refused(
                    "Message \(file.id) already exists, with different content. Change it with: \(edit)")
            }
            try await operations.takeNote(of: file, call)
            return notes.reduce(UseCaseAnswer.note("\(file.id) already exists, with the same content.")) {
                $0.noting($1)
            }
        case .badRequest(let reason)?:
            let remedy = operations.remedy(for: file.kind).map { "\n\($0)" } ?? ""
            throw Failure("\(path): \(MessageFile.withFileKey(reason)). No message was created.\(remedy)")
        case let refusal?: throw refusal
        }
        try await operations.takeNote(of: file, call)
        if let start = file.start {
            let sentence = TypedWindow.sentence(
                of: "It", in: tenant.environment, from: start, until: file.end, now: call.now())
            return notes.reduce(UseCaseAnswer.note("Created message \(file.id). \(sentence)")) { $0.noting($1) }
        }
        let state = "a draft. Publish it with: \(call.command("message publish \(tenant.asTyped) \(file.id)"))"
        return notes.reduce(
            UseCaseAnswer.note("Created message \(file.id) in \(tenant.environment.rawValue), \(state)")
        ) { $0.noting($1) }
        .noting(operations.remedy(for: file.kind))
    }

    fileprivate static let withdrawMessage = UseCase(
        "message withdraw", .changes, abstract: "Turn a message back into a draft, which only editors see.",
        discussion: """
            Example:

              nephos message withdraw iCloud.com.example.app anniversary
            """,
        .tenant, Input<String>.message, .also
    ) { call, tenant, id, others in
        try await tenant.each(with: others) { tenant in
            let times = try await MessageOperations(call, tenant).withdraw(id)
            if times.contains(MessageField.publishedAt) {
                return .note("\(id) will no longer be shown in \(tenant.environment.rawValue). It is a draft again.")
            }
            return .note(
                times.isEmpty
                    ? "\(id) is a draft in \(tenant.environment.rawValue) already. Nothing was changed."
                    : "\(id) is a draft in \(tenant.environment.rawValue) already. Its end was removed.")
        }
    }

    fileprivate static let listMessages = UseCase(
        "message list", .reads, lists: true, abstract: "List messages: drafts, planned, shown and ended ones.",
        discussion: """
            Example:

              nephos message list iCloud.com.example.app
            """,
        .tenant
    ) { call, tenant in
        let now = call.now()
        let operations = try MessageOperations(ifAny: call, tenant)
        let rows = try (operations?.all() ?? []).map { record, message -> [String] in
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
            whenEmpty: operations == nil
                ? try MessageOperations.lacking(call, tenant)
                : "There are no messages. Create the first with: \(call.command("message new \(tenant.asTyped) FILE.yaml"))"
        )
    }
}

extension UseCase {
    fileprivate static let messageStats = UseCase(
        "message stats", .reads, lists: true, abstract: "Count the people who saw a message, and what they did.",
        discussion: """
            Nobody is named: a person counts once across all their devices, and a device where nobody is signed in counts once.

            Example:

              nephos message stats iCloud.com.example.app anniversary
            """,
        .tenant, Input<String>.message
    ) { call, tenant, id in
        let operations = try MessageOperations(call, tenant)
        let (shown, acted, dismissed) = try operations.counts(of: Name(id))
        // A deleted message still has counts for a while.
        if shown == 0 { _ = try operations.record(id) }
        return .table(["Message", "Shown", "Acted", "Dismissed"], [[id, "\(shown)", "\(acted)", "\(dismissed)"]])
    }
}

extension Message {
    fileprivate static func isTime(_ field: Name) -> Bool { MessageField.times.contains(field) }

    /// For people.
    func state(at now: Milliseconds) -> String {
        guard let publishedAt else { return "draft" }
        if now < publishedAt { return "early" }
        return isOpen(at: now) ? "published" : "ended"
    }
}

extension RecordRow {
    /// Whether it holds exactly the fields of a new record with these edits. If the edits have no times, the times of the record
    /// are ignored.
    fileprivate func hasSameContent(_ edits: [(field: Name, edit: FieldEdit)]) -> Bool {
        let isTimed = edits.contains { Message.isTime($0.field) }
        let names = CanonicalFields.names(in: fields).filter { isTimed || !Message.isTime($0) }
        guard names.sorted() == edits.map(\.field).sorted() else { return false }
        var values: [Name: StoredValue] = [:]
        CanonicalFields.read(names.sorted(), in: fields) { place, value in values[names.sorted()[place]] = value }
        return edits.allSatisfy { field, edit in
            switch edit {
            case .text(let text): values[field]?.bytes.map { String(decoding: $0, as: UTF8.self) } == text
            case .number(let number): values[field]?.integer == number
            case .file(let receipt): picture == receipt.asset.address
            case .time(let time): values[field]?.integer == time
            case .texts, .removed: false
            }
        }
    }
}
