import CloudKitWire
import NephosStorage

/// That a person, or a device of nobody's, has seen a message (table `message_seen`).
struct SeenRow: Sendable, Equatable {
    var database: DatabaseNumber = Messages.database
    /// Of the record.
    var message: Name
    /// ``Seer``.
    var seer: [UInt8]
    var shownAt: Milliseconds
    /// 0 where that did not happen.
    var actedAt, dismissedAt: Milliseconds
    /// The role of the button that was pressed first; empty for none.
    var button: String
    /// Of a device: a person has it, too, and is the one that counts.
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

    /// Those of a message, some at a time.
    static func page(of message: Name, after seer: [UInt8], limit: Int) -> Scan<Self> {
        Scan(.database(Messages.database), .name(message), above: [.bytes(seer)], limit: limit)
    }
}

/// What makes the devices that have seen a message unlike those that have seen another (table `message_salts`): without it no device is found
/// in a row. Made when a message is seen first.
struct MessageSaltRow: Sendable, Equatable {
    var database: DatabaseNumber = Messages.database
    var message: Name
    /// 32 bytes.
    var salt: [UInt8]
}

extension MessageSaltRow: StoredRow {
    static let table = Table(of: Self.self, "message_salts", .database, key: ["db", "message"], isCounted: true)
    static let sample = MessageSaltRow(message: "", salt: [])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("message", &message)
        try columns.bytes("salt", &salt)
    }

    static func of(_ message: Name) -> Scan<Self> {
        Scan(.database(Messages.database), .name(message), limit: 1)
    }

    static func of(_ messages: [Name]) -> Scan<Self> {
        Scan(.database(Messages.database), among: messages.map { [.name($0)] })
    }
}
