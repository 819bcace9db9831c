public import CloudKitWire
public import NephosStorage

/// A thing that no part of the server knows: an engine keeps it by its description alone.
public struct ScratchRow: StoredRow {
    public enum Kind: Int64, Sendable { case plain = 1, odd = 2 }

    public var database: DatabaseNumber
    public var id: [UInt8]
    public var user: UserID
    public var label: Name
    public var kind: Kind
    public var isOpen: Bool
    public var dueAt: Milliseconds
    public var note: String
    public var content: Bytes
    public var secret: Secret

    public static let table = Table(
        of: Self.self, "scratch", .database, key: ["db", "id"],
        indexes: [
            Table.Index("scratch_by_label", ["db", "label"], isUnique: true),
            Table.Index("scratch_by_kind", ["kind", "due_at"]),
        ], isCounted: true, person: "user_id")

    public static let sample = ScratchRow(
        database: 1, id: [], user: UserID(high: 0, low: 1), label: "", kind: .plain, isOpen: false, dueAt: 0, note: "",
        content: [], secret: Secret([]))

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.bytes("id", &id)
        try columns.user("user_id", &user)
        try columns.name("label", &label)
        try columns.kind("kind", &kind)
        try columns.flag("is_open", &isOpen)
        try columns.int("due_at", &dueAt)
        try columns.text("note", &note)
        try columns.utf8("content", &content)
        try columns.sealed("secret", &secret)
    }
}

/// A part of one, which goes with it.
public struct ScratchPart: StoredRow {
    public var database: DatabaseNumber
    public var whole: [UInt8]
    public var number: Int64

    public static let table = Table(
        of: Self.self, "scratch_parts", .database, key: ["db", "whole", "number"],
        parent: Table.Parent("scratch", ["db": "db", "id": "whole"]))

    public static let sample = ScratchPart(database: 1, whole: [], number: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.bytes("whole", &whole)
        try columns.int("number", &number)
    }
}

/// One of a tenant.
public struct ScratchNote: StoredRow {
    public var name: String
    public var text: Bytes

    public static let table = Table(of: Self.self, "scratch_notes", .tenant, key: ["name"])
    public static let sample = ScratchNote(name: "", text: [])

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("name", &name)
        try columns.utf8("text", &text)
    }
}

/// The same as a later version has it: with a column more, and an index by it.
public struct LaterScratchNote: StoredRow {
    public var name: String
    public var text: Bytes
    public var rank: Int64

    public static let table = Table(
        of: Self.self, "scratch_notes", .tenant, key: ["name"],
        indexes: [Table.Index("scratch_notes_by_rank", ["rank", "name"])], checksum: .columns(later: [["rank"]]))
    public static let sample = LaterScratchNote(name: "", text: [], rank: 0)

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("name", &name)
        try columns.utf8("text", &text)
        try columns.int("rank", &rank)
    }
}

/// One of the installation.
public struct ScratchShelf: StoredRow {
    public var name: String
    public var rank: Int64
    public var secret: Secret

    public static let table = Table(
        of: Self.self, "scratch_shelves", .installation, key: ["name"],
        indexes: [Table.Index("scratch_shelves_by_rank", ["rank"], isUnique: true)], isCounted: true)
    public static let sample = ScratchShelf(name: "", rank: 0, secret: Secret([]))

    public mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("name", &name)
        try columns.int("rank", &rank)
        try columns.sealed("secret", &secret)
    }

    static let all = Scan<Self>(by: "scratch_shelves_by_rank", above: [.int(-1)], limit: 99)
    static func keyed(_ name: String) -> Scan<Self> { Scan(.text(name), limit: 1) }
}
