import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// An editors' note about a message (table `message_notes`). It is stored outside the record, because anybody who may read the
/// record sees all of it; no endpoint returns notes.
struct MessageNoteRow: Sendable, Equatable {
    static let bytesMax = 4_096

    var database: DatabaseNumber = Messages.database
    /// The name of the message's record, which may no longer exist.
    var message: Name
    var text: String
    var changedAt: Milliseconds
    /// Who wrote it, for people.
    var author: String
}

extension MessageNoteRow: StoredRow {
    static let table = Table(of: Self.self, "message_notes", .database, key: ["db", "message"], isCounted: true)
    static let sample = MessageNoteRow(message: "", text: "", changedAt: 0, author: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("message", &message)
        try columns.text("text", &text)
        try columns.int("changed_at", &changedAt)
        try columns.text("author", &author)
    }

    static func of(_ message: Name) -> Scan<Self> { Scan(.database(Messages.database), .name(message), limit: 1) }

    static func of(_ messages: [Name]) -> Scan<Self> {
        Scan(.database(Messages.database), among: messages.map { [.name($0)] })
    }
}

extension MessageOperations {
    func note(of id: String) throws -> MessageNoteRow? { try store.rows(MessageNoteRow.of(Name(id))).first }

    /// - Parameter text: Empty to remove the note.
    func setNote(of id: String, to text: String, now: Milliseconds, by author: String) async throws {
        guard text.utf8.count <= MessageNoteRow.bytesMax else {
            throw Failure("A note can have at most \(MessageNoteRow.bytesMax) bytes.")
        }
        let scan = MessageNoteRow.of(Name(id))
        var reading = ReadSet()
        reading.databases = [Messages.database]
        reading.ask(scan)
        try await administration.commit(to: store, reading) { reading in
            var set = WriteSet()
            let old = reading[scan].first
            if text.isEmpty {
                if let old { set.remove(old) }
            } else if old?.text != text {
                set.put(MessageNoteRow(message: Name(id), text: text, changedAt: now, author: author), replacing: old)
            }
            return .write(set, ())
        }
    }
}

extension UseCase {
    static let messageNote = UseCase(
        "message note", .changes, abstract: "Show or write the editors' note about a message.",
        discussion: """
            A note is for the people who run the server: no endpoint returns it, and it is not part of the record. An empty text removes it.

            Examples:

              nephos message note iCloud.com.example.app anniversary
              nephos message note iCloud.com.example.app anniversary \\
                "Ask Grace before it goes out."
            """,
        .tenant, Input<String>.message,
        Input<String?>.argument("text", help: "The note; if omitted, the current one is shown.")
    ) { call, tenant, id, text in
        let operations = try MessageOperations(call, tenant)
        _ = try operations.record(id)
        guard let text else {
            guard let note = try operations.note(of: id) else { return .note("There is no note about \(id).") }
            return .note("\(note.text)\n(\(note.author), \(note.changedAt.asDate))")
        }
        try await operations.setNote(of: id, to: text, now: call.now(), by: call.actor.author)
        return .note(text.isEmpty ? "There is no note about \(id)." : "The note about \(id) is saved.")
    }
}
