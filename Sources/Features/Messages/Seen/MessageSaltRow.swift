import CloudKitWire
import NephosStorage

/// The salt with which a message's rows name devices (table `message_salts`). It makes a device's key differ from message to
/// message, and without it no device can be found in a row. Created when a message is first seen; the salt is forgotten
/// ``keptFor`` after the message's end.
struct MessageSaltRow: Sendable, Equatable {
    /// 30 days.
    static let keptFor: Milliseconds = 30 * 86_400_000

    var database: DatabaseNumber = Messages.database
    var message: Name
    /// 32 bytes; empty once it was forgotten.
    var salt: [UInt8]
    /// When the message ends or ended: according to its record, otherwise when it was withdrawn or deleted. 0 if it has no known
    /// end.
    var endsAt: Milliseconds = 0
    /// How often an editor had it shown again to people who had seen it.
    var round: Int64 = 0

    /// When the salt is forgotten; nil for a message without an end.
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

    /// A page of all salts, ordered by message name.
    static func page(after message: Name?, limit: Int) -> Scan<Self> {
        guard let message else { return Scan(.database(Messages.database), limit: limit) }
        return Scan(.database(Messages.database), above: [.name(message)], limit: limit)
    }
}

extension Message {
    /// The end of a message with such a record, from which its salt is kept for another ``MessageSaltRow/keptFor``; 0 for never.
    ///
    /// - Parameter record: nil if it is not a message, or is gone.
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
