import CloudKitWire
import NephosRunner
import NephosStorage

/// A message seen by a person, or by a device on which nobody is signed in (table `message_seen`).
struct SeenRow: Sendable, Equatable {
    var database: DatabaseNumber = Messages.database
    /// The message's record.
    var message: Name
    /// A key of ``MessageViewer``.
    var seer: [UInt8]
    var shownAt: Milliseconds
    /// 0 if it did not happen.
    var actedAt, dismissedAt: Milliseconds
    /// The role of the button that was pressed first; empty for none.
    var button: String
    /// For a device's row: a person has taken it over, and only the person's row counts.
    var isTakenOver = false
}

extension SeenRow: StoredRow {
    static let table = Table(
        of: Self.self, "message_seen", .database, key: ["db", "message", "seer"], isCounted: true)
    static let sample = SeenRow(message: "", seer: [], shownAt: 0, actedAt: 0, dismissedAt: 0, button: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("message", &message)
        try columns.bytes("seer", &seer)
        try columns.int("shown_at", &shownAt)
        try columns.int("acted_at", &actedAt)
        try columns.int("dismissed_at", &dismissedAt)
        try columns.text("button", &button)
        try columns.flag("taken_over", &isTakenOver)
    }

    static func keyed(_ keys: [(message: Name, seer: [UInt8])]) -> Scan<Self> {
        Scan(.database(Messages.database), among: keys.map { [.name($0.message), .bytes($0.seer)] })
    }

    /// Removes what a person has seen when their account is removed, message by message. Each message that anybody has seen has a
    /// salt.
    static func remove(of person: LeavingPerson) async throws {
        let seer = MessageViewer.key(of: person.user.id)
        var last: Name?
        repeat {
            let page = MessageSaltRow.page(after: last, limit: LeavingPerson.most)
            let messages = try await person.worker.rows(page, from: person.store).map(\.message)
            if !messages.isEmpty { try await person.remove(keyed(messages.map { ($0, seer) })) }
            last = messages.last
        } while last != nil
    }

    /// A page of the rows of a message.
    static func page(of message: Name, after seer: [UInt8], limit: Int) -> Scan<Self> {
        Scan(.database(Messages.database), .name(message), above: [.bytes(seer)], limit: limit)
    }
}
