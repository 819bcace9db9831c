import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Creates messages from records of the template, and has those records follow the messages from then on.
struct ImportTemplate {
    let call: any UseCaseCall
    let tenant: Tenant
    let template: Name

    func carryOut() async throws -> UseCaseAnswer {
        let administration = try call.administration
        let store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        if let flaw = Template.mismatch(template, in: catalog.schema) {
            throw Failure("\(template) cannot be imported: \(flaw). Pass the type of the messages with --type.")
        }
        guard let type = catalog.types[template] else { throw Failure("There is no record type \(template).") }
        var (walk, records): (TypeWalk, [RecordRow]) = (TypeWalk(type.row.number), [])
        while let page = try walk.next(store) { records += page.records }
        let read = records.map { record in
            (record, Result { () throws(Failure) in try TemplateRecord(record.liveFields(of: type)) })
        }
        let good = read.compactMap { record, result in
            if case .success(let content) = result { (record: record, content: content) } else { nil }
        }
        guard !good.isEmpty else {
            let flaws = read.map { record, result in flaw(of: record, result) }
            return UseCaseAnswer.table(
                ["Record", "What is wrong"], flaws, whenEmpty: "There are no records of type \(template)."
            ).failing(Self.failure(flaws.count, of: read.count))
        }
        var answer = UseCaseAnswer.nothing
        let languages = good.flatMap(\.content.languages).reduce(into: [String]()) { all, next in
            if !all.contains(next) { all.append(next) }
        }
        let kinds = MessageKind.allCases.map(\.rawValue)
        for note in try await MessageSetup(call: call, tenant: tenant, kinds: kinds, languages: languages).carryOut() {
            answer = answer.noting(note)
        }
        let operations = try MessageOperations(call, tenant)
        let known = Set(try MirrorRow.all(in: store).map(\.record))
        var rows: [[String]] = []
        var failed = read.count - good.count
        for (record, content) in good.sorted(by: { $0.content.identifier < $1.content.identifier }) {
            let outcome = try await take(record, content, known, operations)
            if !outcome.isDone { failed += 1 }
            rows.append([record.name.text, content.id, outcome.state])
        }
        for (record, result) in read {
            if case .failure = result { rows.append([record.name.text, "-"] + flaw(of: record, result).suffix(1)) }
        }
        return answer.then(.table(["Record", "Message", "State"], rows)).then(
            try await operations.mirror(in: template, call)
        ).failing(Self.failure(failed, of: read.count))
    }

    /// What became of a record, for people, and whether there is a message of it.
    private struct Outcome {
        let state: String
        var isDone = true
    }

    /// nil if all records became messages.
    private static func failure(_ failed: Int, of count: Int) -> String? {
        guard failed > 0 else { return nil }
        return "\(failed) of \(count) records \(failed == 1 ? "was" : "were") not imported; see the table above."
    }

    private func flaw(of record: RecordRow, _ result: Result<TemplateRecord, Failure>) -> [String] {
        if case .failure(let failure) = result { [record.name.text, "\(failure)"] } else { [] }
    }

    private func take(
        _ record: RecordRow, _ content: TemplateRecord, _ known: Set<Name>, _ operations: MessageOperations
    ) async throws -> Outcome {
        guard !known.contains(record.name) else { return Outcome(state: "already imported") }
        let id = Name(content.id)
        var edits = content.edits
        if let address = record.picture(in: Template.image),
            let row = try operations.store.rows(AssetRow.at([address], in: Messages.database)).first
        {
            let context = try operations.administration.context(
                of: RecordPlace(tenant: tenant, scope: .public, session: nil), operations.store)
            edits.append((MessageField.image, .file(context.receipt(for: row, .server))))
        }
        func save(_ more: [(field: Name, edit: FieldEdit)]) async throws -> Refusal? {
            let save = RecordSave(name: content.id, type: operations.settings.type, old: nil, kind: .edit(edits + more))
            return try await operations.administration.carryOut([save], in: tenant).first ?? nil
        }
        var state = "a draft"
        if content.isCurrent {
            let refusal = try await save([(MessageField.publishedAt, .time(call.now()))])
            state = refusal.map { "a draft, as it cannot be shown: \($0.reason)" } ?? "shown"
        }
        if state != "shown", let refusal = try await save([]) {
            guard case .recordExists = refusal else {
                return Outcome(state: "not imported: \(refusal.reason)", isDone: false)
            }
            // Created by an import that did not finish, or from another record with the same number.
            state = try operations.record(content.id).name == id ? "already imported" : state
            guard try operations.store.rows(MirrorRow.of(id)).isEmpty else {
                return Outcome(state: "message \(content.id) already exists, from another record", isDone: false)
            }
        }
        if !content.note.isEmpty, try operations.note(of: content.id) == nil {
            try await operations.setNote(of: content.id, to: content.note, now: call.now(), by: call.actor.author)
            state +=
                "; its description is now a note, and remains in the record, where everybody can read it, until you empty it"
        }
        let (name, type) = (record.name, record.type)
        let row = ChangeMirrorRow(of: id) { row in
            row ?? MirrorRow(message: id, identifier: content.identifier, type: type, record: name)
        }
        try await operations.administration.commit(to: operations.store, row.reading) { row.decide($0) }
        return Outcome(state: state)
    }
}

/// The content of a record of the template.
struct TemplateRecord {
    let identifier: Int64
    let isCurrent: Bool
    let edits: [(field: Name, edit: FieldEdit)]
    /// The description, which is for editors.
    let note: String
    /// The languages of the title.
    let languages: [String]

    var id: String { "commun-\(identifier)" }

    init(_ fields: Bytes) throws(Failure) {
        var values: [Name: StoredValue] = [:]
        let names = Template.fields.map(\.name).sorted()
        CanonicalFields.read(names, in: fields) { place, value in values[names[place]] = value }
        func text(_ field: Name) -> String {
            values[field]?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        func packed(_ field: Name) throws(Failure) -> String {
            if let text = PackedText.read(text(field)) { return text }
            throw Failure("\(field) must contain texts such as en=Hello|es=Hola")
        }
        guard let identifier = values[Template.identifier]?.integer, MirrorRow.identifiers.contains(identifier) else {
            throw Failure("identifier must be a number from 0 to \(MirrorRow.identifiers.upperBound)")
        }
        guard values[Template.version]?.integer ?? 0 <= Message.schema else {
            throw Failure("version must be at most \(Message.schema): later ones are not supported")
        }
        (self.identifier, isCurrent) = (identifier, values[Template.isCurrent]?.integer == 1)
        let words = text(Template.type).split(separator: "|", maxSplits: 1).map(String.init)
        guard let word = words.first, let kind = MessageKind(rawValue: word) else {
            let kinds = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure("type is \(text(Template.type)): it must begin with one of \(kinds)")
        }
        let title = try packed(Template.title)
        var edits: [(field: Name, edit: FieldEdit)] = [
            (MessageField.kind, .text(kind.rawValue)), (MessageField.title, .text(title)),
            (MessageField.body, .text(try packed(Template.content))), (MessageField.slot, .text("main")),
            (MessageField.audience, .text(Message.everybody)),
        ]
        let carried: [MessageKind: Name] = [
            .website: MessageField.url, .newVersion: MessageField.requires, .email: MessageField.mailTo,
            .purchase: MessageField.product,
        ]
        if let field = carried[kind], words.count > 1 { edits.append((field, .text(words[1]))) }
        if let label = PackedText.read(text(Template.imageLabel)) {
            edits.append((MessageField.imageLabel, .text(label)))
        }
        var buttons: [(MessageKind.Role, String)] = []
        for role in kind.roles {
            guard let field = Template.titles[role] else { continue }
            buttons.append((role, try packed(field)))
        }
        edits.append(
            (
                MessageField.buttons,
                .text("{" + buttons.map { "\"\($0.rawValue)\":\($1)" }.joined(separator: ",") + "}")
            ))
        self.edits = edits
        note = text(Template.description).prefix(bytes: MessageNoteRow.bytesMax)
        languages = Self.keys(of: title)
    }

    private static func keys(of json: String) -> [String] {
        var keys: [String] = []
        do throws(WireError) {
            var reader = try JSONReader(Array(json.utf8)[...])
            try reader.readObject { reader, key throws(WireError) in
                keys.append(key.name.text)
                _ = try reader.skipValue()
            }
        } catch {
            // This record was written by the mirror.
            return []
        }
        return keys
    }
}

extension String {
    /// The longest prefix of whole characters with at most this many bytes.
    fileprivate func prefix(bytes most: Int) -> String {
        var (text, count) = ("", 0)
        for character in self {
            count += character.utf8.count
            if count > most { break }
            text.append(character)
        }
        return text
    }
}
