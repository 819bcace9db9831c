package import CloudKitWire
package import NephosStorage

/// A row unknown to every part of the server: an engine stores it by its description alone.
package struct ScratchRow: StoredRow {
    package enum Kind: Int64, Sendable { case plain = 1, odd = 2 }

    package var database: DatabaseNumber
    package var id: [UInt8]
    package var user: UserID
    package var label: Name
    package var kind: Kind
    package var isOpen: Bool
    package var dueAt: Milliseconds
    package var note: String
    package var content: Bytes
    package var secret: Secret

    package static let table = Table(
        of: Self.self, "scratch", .database, key: ["db", "id"],
        indexes: [
            Table.Index("scratch_by_label", ["db", "label"], isUnique: true),
            Table.Index("scratch_by_kind", ["kind", "due_at"]), Table.Index("scratch_by_user", ["user_id"]),
        ], isCounted: true, person: "user_id")

    package static let sample = ScratchRow(
        database: 1, id: [], user: UserID(high: 0, low: 1), label: "", kind: .plain, isOpen: false, dueAt: 0, note: "",
        content: [], secret: Secret([]))

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
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

/// A part of such a row, which is deleted with it.
package struct ScratchPart: StoredRow {
    package var database: DatabaseNumber
    package var whole: [UInt8]
    package var number: Int64

    package static let table = Table(
        of: Self.self, "scratch_parts", .database, key: ["db", "whole", "number"],
        parent: Table.Parent("scratch", ["db": "db", "id": "whole"]))

    package static let sample = ScratchPart(database: 1, whole: [], number: 0)

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.bytes("whole", &whole)
        try columns.int("number", &number)
    }
}

/// A row of a user, in their home database.
package struct ScratchBadge: StoredRow {
    package var database: DatabaseNumber
    package var user: UserID
    package var number: Int64

    package static let table = Table(
        of: Self.self, "scratch_badges", .database, key: ["db", "user_id", "number"], person: "user_id", isAtHome: true)
    package static let sample = ScratchBadge(database: 1, user: UserID(high: 0, low: 1), number: 0)

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.user("user_id", &user)
        try columns.int("number", &number)
    }
}

/// A row of a tenant.
package struct ScratchNote: StoredRow {
    package var name: String
    package var text: Bytes

    package static let table = Table(of: Self.self, "scratch_notes", .tenant, key: ["name"])
    package static let sample = ScratchNote(name: "", text: [])

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("name", &name)
        try columns.utf8("text", &text)
    }
}

/// The same in a later version: with an additional column, and an index on it.
package struct LaterScratchNote: StoredRow {
    package var name: String
    package var text: Bytes
    package var rank: Int64

    package static let table = Table(
        of: Self.self, "scratch_notes", .tenant, key: ["name"],
        indexes: [Table.Index("scratch_notes_by_rank", ["rank", "name"])], checksum: .columns(later: [["rank"]]))
    package static let sample = LaterScratchNote(name: "", text: [], rank: 0)

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("name", &name)
        try columns.utf8("text", &text)
        try columns.int("rank", &rank)
    }
}

/// A row of the installation.
package struct ScratchShelf: StoredRow {
    package var name: String
    package var rank: Int64
    package var secret: Secret

    package static let table = Table(
        of: Self.self, "scratch_shelves", .installation, key: ["name"],
        indexes: [Table.Index("scratch_shelves_by_rank", ["rank"], isUnique: true)], isCounted: true)
    package static let sample = ScratchShelf(name: "", rank: 0, secret: Secret([]))

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.text("name", &name)
        try columns.int("rank", &rank)
        try columns.sealed("secret", &secret)
    }

    static let all = Scan<Self>(by: "scratch_shelves_by_rank", above: [.int(-1)], limit: 99)
    static func keyed(_ name: String) -> Scan<Self> { Scan(.text(name), limit: 1) }
}
