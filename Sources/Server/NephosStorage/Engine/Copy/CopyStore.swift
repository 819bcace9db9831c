/// The tables of the directory or of one tenant, which a copy reads or fills. All calls may block.
package protocol CopyTables: AnyObject {
    /// Returns the migration steps that the store has done.
    func steps() throws(StorageError) -> Set<String>

    /// Passes the rows of a table to `body`, in the order of the key.
    ///
    /// - Parameter key: The key after which rows are passed; nil for all rows.
    func rows(
        of table: CopiedTable, after key: [ColumnValue]?, _ body: (any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError)

    /// Returns the key of the last row of a table; nil if the table is empty.
    func lastKey(of table: CopiedTable) throws(StorageError) -> [ColumnValue]?

    /// Adds rows in one transaction. Rows that already exist are not changed.
    ///
    /// - Parameter rows: The rows, each with a value for each column of the table.
    /// - Returns: The number of added rows.
    func insert(_ rows: [[ColumnValue?]], into table: CopiedTable) throws(StorageError) -> Int
}

extension CopyTables {
    func rows(
        of table: CopiedTable, _ body: (any AnswerRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        try rows(of: table, after: nil, body)
    }
}

/// A store that can be copied, or filled by a copy (docs/decisions/0052). All calls may block.
///
/// While a store is being filled, it contains a number that identifies the source, and other attempts to open it fail
/// (``StorageError/unfinishedCopy``).
package protocol CopyStore: StorageEngine, SecretKeeper {
    /// Keeps servers from using the store as long as the returned reservation exists. An engine that cannot do that
    /// only checks whether a server uses the store.
    ///
    /// - Returns: nil if a server uses the store.
    func reserved() throws(StorageError) -> (any StoreReservation)?

    /// Returns the tables of a tenant for reading; those of the directory for nil.
    ///
    /// - Throws: ``StorageError/noSuchTenant`` if the tenant does not exist.
    func tables(of tenant: Tenant?) throws(StorageError) -> any CopyTables

    /// Returns the tables of a tenant that is being copied, and creates them if they do not exist; the tables of the
    /// directory for nil.
    ///
    /// - Parameter number: The number of the tenant, from 1 on; the same each time that a copy is continued.
    func tables(filling tenant: Tenant?, number: Int64) throws(StorageError) -> any CopyTables

    /// Returns the number that identifies the source of an unfinished copy; 0 if the store is not an unfinished copy.
    func copiedFrom() throws(StorageError) -> Int64

    /// Marks the store as an unfinished copy, unless it contains tenants or rows that the directory's digest covers. An
    /// engine that assigns numbers to tenants also refuses a store that contained tenants earlier.
    ///
    /// - Parameters:
    ///   - source: The number that identifies the source in its current state. Not 0.
    ///   - tenants: The tenants that will be copied.
    /// - Returns: Whether the store was marked.
    /// - Throws: ``StorageError/failed(_:)`` if the store cannot contain one of the tenants.
    func beginCopy(of source: Int64, _ tenants: [Tenant]) throws(StorageError) -> Bool

    /// Sets the digest of the directory, after all of its rows were copied.
    func setDirectoryDigest(_ digest: Int64) throws(StorageError)

    /// Removes the mark of an unfinished copy, so that the store can be used like any other.
    func endCopy() throws(StorageError)
}

/// A reservation of a store that no server uses.
package protocol StoreReservation: Sendable {
    /// Whether it is still true that no server uses the store.
    func holds() throws(StorageError) -> Bool
}

extension StorageEngine {
    /// The engine as one that can be copied; nil if it does not support that.
    package var copying: (any CopyStore)? { self as? any CopyStore }
}
