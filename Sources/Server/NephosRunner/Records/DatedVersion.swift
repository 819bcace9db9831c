package import CloudKitWire
import NephosDomain
package import NephosStorage

/// Identifies the records whose versions are kept, and the table for them.
package protocol VersionKeeper: Sendable {
    /// The table of ``DatedVersion`` of this keeper. A constant, because it has its own number.
    static var table: Table { get }
}

/// A version of a feature's record, with time and author: the last ``kept`` versions of each record, including deleted ones, but not of
/// records that were created and never changed.
package struct DatedVersion<Keeper: VersionKeeper>: RecordVersionRow {
    package var database: DatabaseNumber
    /// The name of the record.
    package var name: Name
    /// Counted per name, from 1.
    package var version: Int64
    /// The type of the record: another may have its name later.
    package var type: TypeNumber
    package var fields: Bytes?
    package var changedAt: Milliseconds
    /// Who changed it, for people.
    package var author: String

    package static var kept: Int { 50 }
    package static var beginsWithChange: Bool { true }

    package static var table: Table { Keeper.table }
    package static var sample: Self {
        Self(name: "", type: 1, version: 0, fields: [], changedAt: 0, author: "")
    }

    package init(
        name: Name, type: TypeNumber, version: Int64, fields: Bytes?, changedAt: Milliseconds, author: String
    ) {
        database = RecordVersions<Self>.database
        (self.name, self.type, self.version, self.fields) = (name, type, version, fields)
        (self.changedAt, self.author) = (changedAt, author)
    }

    package mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.name("name", &name)
        try columns.int("version", &version)
        try columns.type("type_no", &type)
        try columns.version("fields", &fields)
        try columns.int("changed_at", &changedAt)
        try columns.text("author", &author)
    }

    /// - Parameter name: Of the table.
    package static func table(_ name: String) -> Table {
        Table(of: Self.self, name, .database, key: ["db", "name", "version"], isCounted: true)
    }
}
