import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosYAML

extension UseCase {
    static let exportMessage = UseCase(
        "message export", .reads, abstract: "Write a message as a YAML file, to be edited.",
        discussion: """
            Example:

              nephos message export iCloud.com.example.app anniversary anniversary.yaml
            """,
        .tenant, Input<String>.message,
        Input<OutputFile?>.argument("file", help: "The file; standard output if omitted.")
    ) { call, tenant, id, file in
        let operations = try MessageOperations(call, tenant)
        return .bytes(Array(try operations.content(of: operations.record(id)).text.utf8), into: file)
    }

    static let editMessage = UseCase(
        "message edit", .destroys, abstract: "Change a message in an editor, or by a YAML file.",
        discussion: """
            Without a file, the message opens in your editor (VISUAL, or EDITOR) as nephos message export writes it. Save the text and close the \
            editor. The difference is shown, and saved once you agree; a mistake is reported, and the text can be edited again.

            What the text lacks is removed, except the note, from, and until if it lacks from as well: nephos message publish and withdraw \
            change these, too. image: {kept: true} keeps the picture.

            Examples:

              nephos message edit iCloud.com.example.app anniversary
              nephos message edit iCloud.com.example.app anniversary anniversary.yaml
            """,
        .tenant, Input<String>.message,
        Input<InputFile?>.argument("file", help: "The changed message; an editor opens if it is omitted."), .yes
    ) { call, tenant, id, named, isSure in
        guard let named else { return try await EditMessage(id, tenant, call, isSure).inEditor() }
        // Before the store is used, whose owner may not be allowed to read it.
        let file = try MessageText(decoding: try call.contents(of: named), path: named.path, call)
        return try await EditMessage(id, tenant, call, isSure).save(file)
    }
}

/// A message's text and its picture, as an operator provides them.
private struct MessageText {
    let path: String
    let file: MessageFile
    let picture: PictureFile?

    /// - Parameter path: Of the text, for people; pictures are named relative to its folder.
    init(decoding bytes: [UInt8], path: String, _ call: any UseCaseCall) throws {
        self.path = path
        do throws(YAMLFailure) { file = try MessageFile(String(decoding: bytes, as: UTF8.self)) } catch {
            throw Failure("\(path): \(error)")
        }
        picture = try file.picture.map { try PictureFile($0, beside: path, call) }
    }
}

/// Changes a message, after the operator has seen the difference.
private struct EditMessage {
    /// Attempts, as others may change the message meanwhile.
    private static let attemptsMax = 8
    private static let hint = """
        # Change the text, save it, and close the editor. Unchanged, it cancels. Times are in UTC.

        """

    let id: String
    let tenant: Tenant
    let call: any UseCaseCall
    let isSure: Bool

    init(_ id: String, _ tenant: Tenant, _ call: any UseCaseCall, _ isSure: Bool) {
        (self.id, self.tenant, self.call, self.isSure) = (id, tenant, call, isSure)
    }

    /// Repeats until what is written can be saved, or the operator gives up.
    func inEditor() async throws -> UseCaseAnswer {
        let operations = try MessageOperations(call, tenant)
        let before = try operations.content(of: operations.record(id)).text
        var text = Self.hint + before
        while true {
            let edited = try call.edit(text, in: "message.yaml")
            if edited == Self.hint + before { return .note("The text was not changed. Nothing was saved.") }
            text = edited
            do {
                return try await save(
                    MessageText(decoding: Array(text.utf8), path: "message.yaml", call), since: before)
            } catch let declined as Declined {
                throw declined.failure
            } catch {
                guard let failure = Failure(error, proposing: call.command) else { throw error }
                call.note(failure.shown)
                guard Self.isYes(call.ask("Edit the text again? [Y/n] ")) else {
                    throw Failure("Nothing was saved.")
                }
            }
        }
    }

    private static func isYes(_ answer: String?) -> Bool {
        answer.map { ["", "y", "yes"].contains($0.lowercased()) } ?? false
    }

    /// - Parameter before: The text that was edited; nil for a file, which replaces whatever there is.
    func save(_ text: MessageText, since before: String? = nil) async throws -> UseCaseAnswer {
        let (file, path) = (text.file, text.path)
        guard file.id == id else {
            throw Failure(
                "\(path): id: it is \(file.id), but message \(id) is edited. The id of a message cannot be changed.")
        }
        for _ in 0..<Self.attemptsMax {
            let operations = try MessageOperations(call, tenant)
            try file.check(path, in: operations.catalog)
            let record = try operations.record(id)
            let old = try operations.content(of: record)
            guard !file.keepsPicture || old.hasPicture else {
                throw Failure("\(path): image: the message has no picture to keep. Name a file.")
            }
            let new = old.replaced(by: file)
            let difference = LineDifference(from: try old.text, to: try new.text).lines
            guard !difference.isEmpty else { return .note("\(id) has this content already. Nothing was changed.") }
            if let before, try before != old.text {
                call.note("Somebody else changed \(id) meanwhile, which this undoes, too:")
            }
            call.note(difference.joined(separator: "\n"))
            do throws(Failure) { try call.confirm("This changes message \(id) of \(tenant).", unless: isSure) } catch {
                throw Declined(failure: error)
            }
            var edits = old.edits(to: new)
            if let picture = text.picture {
                edits.append((MessageField.image, try await picture.edit(operations, call)))
            }
            let save = RecordSave(name: id, type: operations.settings.type, old: record, kind: .edit(edits))
            switch edits.isEmpty ? nil : try await operations.administration.carryOut([save], in: tenant).first ?? nil {
            case nil:
                try await operations.takeNote(of: file, call)
                return .note("Changed message \(id) in \(tenant.environment.rawValue).")
                    .noting(try operations.shownSentence(id, now: call.now()))
            case .conflict?, .recordNotFound?: call.note("Somebody else changed \(id) meanwhile.")
            case .badRequest(let reason)?:
                let remedy = operations.remedy(for: file.kind).map { "\n\($0)" } ?? ""
                throw Failure("\(path): \(MessageFile.withFileKey(reason)). Nothing was saved.\(remedy)")
            case let refusal?: throw refusal
            }
        }
        throw Failure("Others keep changing \(id). Nothing was saved. Try again.")
    }
}

/// The operator does not want the difference to be saved, or nobody can be asked.
private struct Declined: OperatorError {
    let failure: Failure

    func failure(proposing command: (String) -> String) -> Failure { failure }
}

extension MessageOperations {
    /// What a message contains, with the note of its editors.
    func content(of record: RecordRow) throws -> MessageContent {
        MessageContent(record.name.text, fields: record.fields, note: try note(of: record.name.text)?.text)
    }
}
