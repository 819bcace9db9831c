/// A row to add (`old` nil), change, or remove (`new` nil). Both have the same key.
public struct RowChange: Sendable {
    /// As it was read: the stored row must be equal to it.
    public let old: (any StoredRow)?
    /// As it is to be stored; nil to remove it.
    public internal(set) var new: (any StoredRow)? { didSet { newChecksum = new?.checksum ?? 0 } }
    /// The table of both rows.
    public let table: Table
    /// The database of the row; nil for a row of a tenant or of the installation.
    package let database: DatabaseNumber?
    /// The checksums of ``old``, if the table needs it, and of ``new``. Computed once: heads count them, and tables store them.
    package let oldChecksum: Int64
    package private(set) var newChecksum: Int64

    init<Row: StoredRow>(changing old: Row, to new: Row) {
        (self.old, self.new) = (old, new)
        table = Row.table
        database = new.database
        oldChecksum = table.looksAtOld ? old.checksum : 0
        newChecksum = new.checksum
    }

    /// A change of the catalog.
    package init(_ write: CatalogWrite) throws(StorageError) {
        let (old, new) = (write.old?.row, write.new?.row)
        guard let row = new ?? old else { throw .failed("a change of the catalog has neither an old nor a new row") }
        (self.old, self.new) = (old, new)
        table = type(of: row).table
        database = row.database
        (oldChecksum, newChecksum) = (old?.checksum ?? 0, new?.checksum ?? 0)
    }

    /// A new row.
    package init<Row: StoredRow>(_ row: Row) {
        (old, new) = (nil, row)
        table = Row.table
        database = row.database
        (oldChecksum, newChecksum) = (0, row.checksum)
    }

    package init<Row: StoredRow>(removing row: Row) {
        (old, new) = (row, nil)
        table = Row.table
        database = row.database
        (oldChecksum, newChecksum) = (table.looksAtOld ? row.checksum : 0, 0)
    }

    /// Counts the change in the heads, and checks that its sequence was assigned by them.
    package func count(in ledger: inout Ledger) throws(StorageError) {
        guard table.isCounted, let database else { return }
        if let old { try ledger.count(old, in: database, times: -1, checksum: oldChecksum) }
        if let new { try ledger.count(new, in: database, times: 1, checksum: newChecksum) }
    }
}

extension Table {
    /// Whether the checksum of a row that is changed or removed matters.
    fileprivate var looksAtOld: Bool { isGuarded || isCounted }
}

extension WriteSet {
    /// Adds a row.
    public mutating func put(_ row: some StoredRow) { changes.append(RowChange(row)) }

    /// Adds a row, or replaces the one with its key. - Parameter old: As it was read; nil for a new row.
    public mutating func put<Row: StoredRow>(_ row: Row, replacing old: Row?) {
        if let old { changes.append(RowChange(changing: old, to: row)) } else { changes.append(RowChange(row)) }
    }

    /// Removes a row. - Parameter row: As it was read.
    public mutating func remove(_ row: some StoredRow) { changes.append(RowChange(removing: row)) }

    /// The changes of the rows of one table.
    public func changes<Row: StoredRow>(of: Row.Type) -> [(old: Row?, new: Row?)] {
        changes.lazy.filter { $0.table === Row.table }.map { ($0.old as? Row, $0.new as? Row) }
    }
}

extension Ledger {
    fileprivate mutating func count(
        _ row: some StoredRow, in database: DatabaseNumber, times: Int64, checksum: Int64
    ) throws(StorageError) {
        if times > 0, let sequence = row.givenSequence { try check(sequence, in: database) }
        try count(database) { row.count(in: &$0, times: times, checksum: checksum) }
    }
}
