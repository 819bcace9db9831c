extension StorageEngine {
    /// Makes a container with both its tenants. - Throws: ``StorageError/exists``.
    public func createContainer(_ row: ContainerRow, seeds: [TenantSeed]) throws(StorageError) {
        try decided(ContainerRow.keyed(row.id)) { found in
            guard found.isEmpty else { throw StorageError.exists }
            var writes = WriteSet()
            writes.put(row)
            writes.containers.made = seeds
            return writes
        }
    }

    /// All containers, by id.
    public func containers() throws(StorageError) -> [ContainerRow] { try directory.rows(ContainerRow.all) }

    /// Deletes a container and everything in it, at once for every process. - Throws: ``StorageError/noSuchTenant``.
    public func deleteContainer(_ id: String, at time: Milliseconds) throws(StorageError) {
        try decided(ContainerRow.keyed(id)) { found in
            guard let row = found.first else { throw StorageError.noSuchTenant }
            var writes = WriteSet()
            writes.remove(row)
            writes.containers.deleted = (id, time)
            return writes
        }
    }

    /// - Throws: ``StorageError/exists`` when the email or the id is taken.
    public func createAccount(_ row: AccountRow) throws(StorageError) {
        let sameEmail = AccountRow.withEmail(row.email)
        try decided(AccountRow.keyed(row.id), sameEmail) { found, others in
            guard found.isEmpty, others.isEmpty else { throw StorageError.exists }
            var writes = WriteSet()
            writes.put(row)
            return writes
        }
    }

    public func account(email: String) throws(StorageError) -> AccountRow? {
        try directory.rows(AccountRow.withEmail(email)).first
    }

    public func account(id: String) throws(StorageError) -> AccountRow? {
        try directory.rows(AccountRow.keyed(id)).first
    }

    /// A page of accounts in the order of their emails: those after `email`, or the first.
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
