import NephosStorage

/// `nephos.sqlite`: accounts and the list of containers. Rarely used, so one connection does; its owner locks it.
final class DirectoryStore: @unchecked Sendable {
    let connection: Connection
    private let accountColumns = "id, email, given_name, family_name, created_at"

    /// Opens the file, or makes it in a folder that has none.
    init(_ directory: DataDirectory) throws(StorageError) {
        if try !FileSystem.exists(directory.directoryFile) {
            // Two commands may start in an empty folder at the same time.
            let lock = try FileSystem.waitForLock(directory.upgradeLock)
            defer { FileSystem.unlock(lock) }
            if try !FileSystem.exists(directory.directoryFile) {
                let new = "\(directory.directoryFile).\(UInt64.random(in: .min ... .max))"
                try StoreFile.make(new, .directory) { _ throws(StorageError) in }
                // The log of a file that somebody removed would be taken for the new one's.
                for end in ["-wal", "-shm"] { try FileSystem.removeFile("\(directory.directoryFile)\(end)") }
                try FileSystem.move(new, to: directory.directoryFile)
            }
        }
        connection = try StoreFile.open(directory.directoryFile, .directory, in: directory)
    }

    // MARK: Transactions

    /// Runs `body` in one transaction, alone among all processes.
    func write<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        try connection.transaction { _ throws(StorageError) in try body() }
    }

    // MARK: Accounts

    func account(email: String) throws(StorageError) -> AccountRow? {
        try account("email = ?", email)
    }

    func account(id: String) throws(StorageError) -> AccountRow? { try account("id = ?", id) }

    private func account(_ condition: String, _ value: String) throws(StorageError) -> AccountRow? {
        var cursor = try connection.once("SELECT \(accountColumns) FROM accounts WHERE \(condition)")
        cursor.bind(value)
        return try cursor.next() ? Self.account(cursor) : nil
    }

    /// - Parameter email: The last of the page before; empty for the first.
    func accounts(after email: String, limit: Int) throws(StorageError) -> [AccountRow] {
        var cursor = try connection.once(
            "SELECT \(accountColumns) FROM accounts WHERE email > ? ORDER BY email LIMIT ?")
        cursor.bind(email)
        cursor.bind(Int64(limit))
        var rows: [AccountRow] = []
        while try cursor.next() { rows.append(Self.account(cursor)) }
        return rows
    }

    static func account(_ cursor: borrowing Cursor) -> AccountRow {
        AccountRow(
            id: cursor.string(0), email: cursor.string(1), givenName: cursor.string(2), familyName: cursor.string(3),
            createdAt: cursor.int(4))
    }

    func insert(_ row: AccountRow) throws(StorageError) {
        var cursor = try connection.once("INSERT INTO accounts (\(accountColumns), checksum) VALUES (?,?,?,?,?,?)")
        cursor.bind(row.id)
        cursor.bind(row.email)
        cursor.bind(row.givenName)
        cursor.bind(row.familyName)
        cursor.bind(row.createdAt)
        cursor.bind(row.checksum)
        try cursor.finish()
        try moveDigest(by: row.checksum)
    }

    // MARK: Containers

    /// All containers, by id.
    func containers() throws(StorageError) -> [ContainerRow] {
        var cursor = try connection.once("SELECT id, created_at FROM containers ORDER BY id")
        var rows: [ContainerRow] = []
        while try cursor.next() { rows.append(ContainerRow(id: cursor.string(0), createdAt: cursor.int(1))) }
        return rows
    }

    func container(_ id: String) throws(StorageError) -> ContainerRow? {
        var cursor = try connection.once("SELECT id, created_at FROM containers WHERE id = ?")
        cursor.bind(id)
        return try cursor.next() ? ContainerRow(id: cursor.string(0), createdAt: cursor.int(1)) : nil
    }

    func insert(_ row: ContainerRow) throws(StorageError) {
        var cursor = try connection.once("INSERT INTO containers (id, created_at, checksum) VALUES (?,?,?)")
        cursor.bind(row.id)
        cursor.bind(row.createdAt)
        cursor.bind(row.checksum)
        try cursor.finish()
        try moveDigest(by: row.checksum)
    }

    func remove(_ row: ContainerRow) throws(StorageError) {
        var cursor = try connection.once("DELETE FROM containers WHERE id = ?")
        cursor.bind(row.id)
        try cursor.finish()
        try moveDigest(by: 0 &- row.checksum)
    }

    // MARK: Secrets

    func secretNames() throws(StorageError) -> SecretNames {
        var cursor = try connection.once("SELECT secret_key, secret_next FROM meta")
        guard try cursor.next() else { throw .corrupt("meta: the row is missing") }
        return SecretNames(key: cursor.int(0), next: cursor.int(1))
    }

    func change(_ names: SecretNames) throws(StorageError) {
        var cursor = try connection.once("UPDATE meta SET secret_key = ?, secret_next = ?")
        cursor.bind(names.key)
        cursor.bind(names.next)
        try cursor.finish()
    }

    // MARK: Digest

    /// The sum, modulo 2^64, of the checksums of all accounts and containers.
    func digest() throws(StorageError) -> Int64 {
        guard let digest = try connection.number("SELECT digest FROM meta") else {
            throw .corrupt("meta: the row is missing")
        }
        return digest
    }

    private func moveDigest(by difference: Int64) throws(StorageError) {
        // Added here, not in SQL: SQLite's sums do not wrap around.
        let digest = try digest() &+ difference
        var cursor = try connection.once("UPDATE meta SET digest = ?")
        cursor.bind(digest)
        try cursor.finish()
    }
}
