import CloudKitWire
import NephosStorage

/// What is known of who has seen a message, in all (table `message_salts`): what makes the devices that have seen it unlike those that have seen
/// another, without which no device is found in a row. Made when a message is seen first; the salt is forgotten ``keptFor`` after its end.
struct MessageSaltRow: Sendable, Equatable {
    /// 30 days.
    static let keptFor: Milliseconds = 30 * 86_400_000

    var database: DatabaseNumber = Messages.database
    var message: Name
    /// 32 bytes; none once it was forgotten.
    var salt: [UInt8]
    /// When the message ends, or ended: as its record says, else when it was withdrawn or deleted. 0 where no end is known.
    var endsAt: Milliseconds = 0
    /// How often an editor had it shown again to who has seen it.
    var round: Int64 = 0

    /// When it is forgotten; nil for a message without an end.
    var forgottenAt: Milliseconds? { endsAt == 0 ? nil : endsAt + Self.keptFor }
}

extension MessageSaltRow: StoredRow {
    static let table = Table(
        of: Self.self, "message_salts", .database, key: ["db", "message"], isCounted: true,
        checksum: .columns(later: [["ends_at", "round"]]))
    static let sample = MessageSaltRow(message: "", salt: [])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("message", &message)
        try columns.bytes("salt", &salt)
        try columns.int("ends_at", &endsAt)
        try columns.int("round", &round)
    }

    static func of(_ message: Name) -> Scan<Self> {
        Scan(.database(Messages.database), .name(message), limit: 1)
    }

    static func of(_ messages: [Name]) -> Scan<Self> {
        Scan(.database(Messages.database), among: messages.map { [.name($0)] })
    }

    /// All of them by the names of messages, some at a time.
    static func page(after message: Name?, limit: Int) -> Scan<Self> {
        guard let message else { return Scan(.database(Messages.database), limit: limit) }
        return Scan(.database(Messages.database), above: [.name(message)], limit: limit)
    }
}

extension Message {
    /// When whoever has seen a message with such a record is not to be known any more, but for ``MessageSaltRow/keptFor``; 0 for never.
    ///
    /// - Parameter record: nil where it is no message, or gone.
    static func end(of record: RecordRow?, now: Milliseconds) -> Milliseconds {
        guard let record else { return now }
        do throws(MessageFailure) {
            let message = try Message(record.name, fields: record.fields)
            return message.isPublished ? message.until ?? 0 : now
        } catch {
            return now
        }
    }
}
