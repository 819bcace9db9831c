import NephosStorage

/// Creates and migrates the files that contain our tables.
enum StoreFile {
    /// Creates a file with its tables and first rows, complete and on the disk when this returns.
    static func create(
        _ path: String, _ migrations: Migrations, rows: (Connection) throws(StorageError) -> Void
    ) throws(StorageError) {
        try FileSystem.createFile(path)
        do {
            let connection = try Connection(path: path, access: .write, settings: Tuning.newFile)
            try migrations.run(on: connection)
            try connection.transaction(rows)
            // The mode is stored in the file. Closing the only connection then empties and removes the log.
            try connection.execute("PRAGMA journal_mode = WAL")
        }
        try FileSystem.synchronize(path)
    }

    /// Opens a file for writing, and runs its missing migrations.
    ///
    /// - Throws: ``StorageError/newer(_:)`` for a file with steps that this server does not know.
    static func open(
        _ path: String, _ migrations: Migrations, in directory: DataDirectory
    ) throws(StorageError) -> Connection {
        let connection = try Connection(path: path, access: .write, settings: Tuning.writer)
        if try migrations.areDone(connection) { return connection }
        let lock = try FileSystem.waitForLock(directory.upgradeLock)
        defer { FileSystem.unlock(lock) }
        if try !migrations.areDone(connection) { try migrations.run(on: connection) }
        return connection
    }
}
