extension StorageEngine {
    /// Creates a container with both its tenants.
    ///
    /// - Throws: ``StorageError/exists`` if there is one with this ID; otherwise like
    ///   ``DirectoryStore/commit(_:decide:)``.
    public func createContainer(_ row: ContainerRow, seeds: [TenantSeed]) throws(StorageError) {
        try decided(ContainerRow.keyed(row.id)) { found in
            guard found.isEmpty else { throw StorageError.exists }
            var writes = WriteSet()
            writes.put(row)
            writes.containers.created = seeds
            return writes
        }
    }

    /// All containers, by ID.
    ///
    /// - Throws: ``StorageError``, like ``DirectoryStore/read(_:)``.
    public func containers() throws(StorageError) -> [ContainerRow] { try directory.rows(ContainerRow.all) }

    /// Deletes a container and everything in it, immediately for every process. Its rows are removed later
    /// (``sweepDeletedContainers(rows:)``).
    ///
    /// - Throws: ``StorageError/noSuchTenant`` if there is none with this ID; otherwise like
    ///   ``DirectoryStore/commit(_:decide:)``.
    public func deleteContainer(_ id: String, at time: Milliseconds) throws(StorageError) {
        try decided(ContainerRow.keyed(id)) { found in
            guard let row = found.first else { throw StorageError.noSuchTenant }
            var writes = WriteSet()
            writes.remove(row)
            writes.containers.deleted = (id, time)
            return writes
        }
    }

    /// Creates an account.
    ///
    /// - Throws: ``StorageError/exists`` if the email address or the ID is taken; otherwise like
    ///   ``DirectoryStore/commit(_:decide:)``.
    public func createAccount(_ row: AccountRow) throws(StorageError) {
        let sameEmail = AccountRow.withEmail(row.email)
        try decided(AccountRow.keyed(row.id), sameEmail) { found, others in
            guard found.isEmpty, others.isEmpty else { throw StorageError.exists }
            var writes = WriteSet()
            writes.put(row)
            return writes
        }
    }

    /// The account with an email address in lower case; nil if there is none.
    ///
    /// - Throws: ``StorageError``, like ``DirectoryStore/read(_:)``.
    public func account(email: String) throws(StorageError) -> AccountRow? {
        try directory.rows(AccountRow.withEmail(email)).first
    }

    /// The account with an ID; nil if there is none.
    ///
    /// - Throws: ``StorageError``, like ``DirectoryStore/read(_:)``.
    public func account(id: String) throws(StorageError) -> AccountRow? {
        try directory.rows(AccountRow.keyed(id)).first
    }

    /// A page of accounts in the order of their email addresses: those after `email`, or the first ones if it is nil.
    ///
    /// - Parameter limit: Maximum number of accounts, at least 1.
    /// - Throws: ``StorageError``, like ``DirectoryStore/read(_:)``.
    public func accounts(after email: String?, limit: Int) throws(StorageError) -> [AccountRow] {
        try directory.rows(AccountRow.after(email ?? "", limit: limit))
    }

    // MARK: Deciding

    private func decided<Row: StoredRow>(
        _ scan: Scan<Row>, _ decide: ([Row]) throws -> WriteSet
    ) throws(StorageError) {
        try decided(scan, scan) { rows, _ in try decide(rows) }
    }

    private func decided<Row: StoredRow, Other: StoredRow>(
        _ scan: Scan<Row>, _ other: Scan<Other>, _ decide: ([Row], [Other]) throws -> WriteSet
    ) throws(StorageError) {
        var set = ReadSet()
        set.ask(scan)
        set.ask(other)
        do {
            try directory.commit(set) { reading in .write(try decide(reading[scan], reading[other]), ()) }
        } catch let error as StorageError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }
}
