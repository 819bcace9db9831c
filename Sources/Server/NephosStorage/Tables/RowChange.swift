/// A row to add (`old` nil), change, or remove (`new` nil). Both have one key.
public struct RowChange: Sendable {
    /// As it was read: what lies there must be just so.
    public let old: (any StoredRow)?
    public internal(set) var new: (any StoredRow)?
    public let table: Table

    init<Row: StoredRow>(old: Row?, new: Row?) {
        self.old = old
        self.new = new
        table = Row.table
    }

    /// Of the catalog.
    package init(_ write: CatalogWrite) throws(StorageError) {
        (old, new) = (write.old?.row, write.new?.row)
        guard let row = new ?? old else { throw .failed("a change of the catalog changes nothing") }
        table = type(of: row).table
    }

    /// A new row.
    package init<Row: StoredRow>(_ row: Row) { self.init(old: nil, new: row) }

    package init<Row: StoredRow>(removing row: Row) { self.init(old: row, new: nil) }

    /// The database that it is about; nil for one of a tenant or of the installation.
    package var database: DatabaseNumber? { (new ?? old)?.database }

    /// Counts it in the heads, and looks whether they gave out what it carries.
    package func count(in ledger: inout Ledger) throws(StorageError) {
        if let old { try ledger.count(old, times: -1) }
        if let new { try ledger.count(new, times: 1) }
    }
}

extension WriteSet {
    /// Adds a row, or puts it in the place of the one with its key. - Parameter old: As it was read; nil for a new row.
    public mutating func put<Row: StoredRow>(_ row: Row, replacing old: Row? = nil) {
        changes.append(RowChange(old: old, new: row))
    }

    /// Removes a row. - Parameter row: As it was read.
    public mutating func remove(_ row: some StoredRow) { changes.append(RowChange(old: row, new: nil)) }

    /// What it does to the rows of one table.
    public func changes<Row: StoredRow>(of: Row.Type) -> [(old: Row?, new: Row?)] {
        changes.lazy.filter { $0.table === Row.table }.map { ($0.old as? Row, $0.new as? Row) }
    }
}

extension Ledger {
    fileprivate mutating func count<Row: StoredRow>(_ row: Row, times: Int64) throws(StorageError) {
        guard Row.table.isCounted, let database = row.database else { return }
        if times > 0, let sequence = row.givenSequence { try check(sequence, in: database) }
        try count(database) { row.count(in: &$0, times: times) }
    }
}
