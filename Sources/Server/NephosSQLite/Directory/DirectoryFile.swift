import NephosStorage

/// `nephos.sqlite`: accounts, the list of containers, and other tables of the directory. Rarely used, so one connection is
/// sufficient; its owner locks it.
final class DirectoryFile: @unchecked Sendable {
    let connection: Connection
    private let reader: TableReader
    private let writer: TableWriter

    /// Opens the file, or creates it in a folder that has none.
    init(_ directory: DataDirectory, _ tables: TableSet) throws(StorageError) {
        let steps = Migrations.directory(tables)
        if try !FileSystem.exists(directory.directoryFile) {
            // Two commands may start in an empty folder at the same time.
            let lock = try FileSystem.waitForLock(directory.upgradeLock)
            defer { FileSystem.unlock(lock) }
            if try !FileSystem.exists(directory.directoryFile) {
                let new = "\(directory.directoryFile).\(UInt64.random(in: .min ... .max))"
                try StoreFile.create(new, steps) { _ throws(StorageError) in }
                // The log of a file that was removed would be mistaken for the log of the new one.
                for end in ["-wal", "-shm"] { try FileSystem.removeFile("\(directory.directoryFile)\(end)") }
                try FileSystem.move(new, to: directory.directoryFile)
            }
        }
        connection = try StoreFile.open(directory.directoryFile, steps, in: directory)
        reader = TableReader(connection: connection)
        writer = TableWriter(connection: connection, tables: tables)
    }

    // MARK: Rows

    func load(_ scan: any AnyScan, into reading: inout Reading) throws(StorageError) {
        try reader.load(scan, into: &reading)
    }

    func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] { try reader.rows(scan) }

    /// All containers, by id.
    func containers() throws(StorageError) -> [ContainerRow] { try rows(ContainerRow.all) }

    func container(_ id: String) throws(StorageError) -> ContainerRow? { try rows(ContainerRow.keyed(id)).first }

    /// Applies a decision's rows, inside a transaction.
    func apply(_ writes: WriteSet) throws(StorageError) {
        for change in writes.changes { try writer.apply(change) }
        let difference = writes.directoryDigest
        guard difference != 0 else { return }
        // Added here, not in SQL: SQLite's sums do not wrap around.
        try change(digest: digest() &+ difference)
    }

    /// The sum, modulo 2^64, of the checksums of all counted rows.
    func digest() throws(StorageError) -> Int64 {
        guard let digest = try connection.number("SELECT digest FROM meta") else {
            throw .corrupt("meta: the row is missing")
        }
        return digest
    }

    // MARK: Transactions

    /// Runs `body` in one transaction, which excludes all other processes.
    func write<Answer>(_ body: () throws(StorageError) -> Answer) throws(StorageError) -> Answer {
        try connection.transaction { _ throws(StorageError) in try body() }
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

    // MARK: Copies

    /// What the folder is the unfinished copy of; 0 for none.
    func copiedFrom() throws(StorageError) -> Int64 {
        guard let source = try connection.number("SELECT copied_from FROM meta") else {
            throw .corrupt("meta: the row is missing")
        }
        return source
    }

    func change(copiedFrom source: Int64) throws(StorageError) {
        try connection.run(Self.copyChange, source)
    }

    func change(digest: Int64) throws(StorageError) { try connection.run(Self.digestChange, digest) }

    private static let copyChange = Statement("UPDATE meta SET copied_from = ?")
    private static let digestChange = Statement("UPDATE meta SET digest = ?")
}
