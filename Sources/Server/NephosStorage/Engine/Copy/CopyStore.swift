/// The tables of the directory or of one tenant, as a copy reads and fills them. All calls may wait.
package protocol CopyTables: AnyObject {
    /// The steps of migration that they have.
    func steps() throws(StorageError) -> Set<String>

    /// Shows the rows of a table in the order of its key.
    ///
    /// - Parameter key: Only those after it; nil for all.
    func rows(
        of table: CopiedTable, after key: [ColumnValue]?, _ body: (any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError)

    /// The key of the last row of a table; nil where it has none.
    func lastKey(of table: CopiedTable) throws(StorageError) -> [ColumnValue]?

    /// Adds rows in one transaction. Rows that are there already stay as they are.
    ///
    /// - Parameter rows: A value for each column of the table.
    /// - Returns: How many were not there.
    func insert(_ rows: [[ColumnValue?]], into table: CopiedTable) throws(StorageError) -> Int
}

extension CopyTables {
    func rows(
        of table: CopiedTable, _ body: (any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try rows(of: table, after: nil, body)
    }
}

/// A store that can be copied, or be filled by a copy (docs/decisions/0052). All calls may wait.
///
/// While it is filled it names its source, and nobody else opens it (``StorageError/unfinishedCopy``).
package protocol CopyStore: StorageEngine, SecretKeeper {
    /// Keeps servers away for as long as somebody has what it answers; an engine that cannot do that looks whether there are any.
    ///
    /// - Returns: nil where a server uses the store.
    func reserved() throws(StorageError) -> (any StoreReservation)?

    /// The tables of a tenant, to be read; those of the directory for nil.
    ///
    /// - Throws: ``StorageError/noSuchTenant``.
    func tables(of tenant: Tenant?) throws(StorageError) -> any CopyTables

    /// The tables of a tenant that is being copied, which are made where they are missing; those of the directory for nil.
    ///
    /// - Parameter number: Which of the tenants it is, from 1 on: the same each time that a copy goes on.
    func tables(filling tenant: Tenant?, number: Int64) throws(StorageError) -> any CopyTables

    /// What it is the unfinished copy of; 0 for a store like any other.
    func copiedFrom() throws(StorageError) -> Int64

    /// Begins to be a copy, unless there are tenants in it, or once were.
    ///
    /// - Parameters:
    ///   - source: What tells the source, in the state that it is in, from others. Not 0.
    ///   - tenants: Those that will come.
    /// - Returns: Whether it has begun.
    /// - Throws: ``StorageError/failed(_:)`` where it cannot keep one of them.
    func beginCopy(of source: Int64, _ tenants: [Tenant]) throws(StorageError) -> Bool

    /// Sets the digest of the directory, when its rows are there.
    func setDirectoryDigest(_ digest: Int64) throws(StorageError)

    /// Makes it a store like any other.
    func endCopy() throws(StorageError)
}

/// That no server uses a store.
package protocol StoreReservation: Sendable {
    /// Whether that is so still.
    func holds() throws(StorageError) -> Bool
}

extension StorageEngine {
    /// nil for one that cannot be copied.
    package var copying: (any CopyStore)? { self as? any CopyStore }
}
