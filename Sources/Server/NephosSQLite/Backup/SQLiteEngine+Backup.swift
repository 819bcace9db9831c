import CSQLite
package import NephosStorage

extension SQLiteEngine: BackupStore {
    package var folderPath: String { folder.path }
    package var storeFile: String { DataDirectory.storeFile }

    package func backUp(
        to path: String, now: () -> Milliseconds, progress: (BackupStep) throws(StorageError) -> Void
    ) throws(StorageError) -> BackedUpDatabases {
        let moment = try FolderLock(folder).moment(
            now, waiting: { name throws(StorageError) in try progress(.waiting(name)) })
        let copy = DataDirectory(path)
        try FileSystem.createFolder(copy.containers)
        let total = moment.databases.reduce(0) { $0 + $1.bytes }
        var done: Int64 = 0
        for database in moment.databases {
            if let tenant = database.tenant { try FileSystem.createFolder(copy.container(tenant.container)) }
            try database.copy(to: database.tenant.map(copy.tenant) ?? copy.directoryFile) {
                bytes throws(StorageError) in
                try progress(.copying(database.name, done: done + bytes, total: total))
            }
            // Its log may shrink again, while the others are copied.
            database.snapshot.close()
            done += database.bytes
        }
        for id in moment.deleting { try FileSystem.createFile(copy.deletionMark(id)) }
        for folder in try folders(in: copy) { try FileSystem.synchronize(folder) }
        return BackedUpDatabases(moment: moment.time, bytes: total, unlisted: moment.unlisted)
    }

    private func folders(in copy: DataDirectory) throws(StorageError) -> [String] {
        try FileSystem.list(copy.containers).map(copy.container) + [copy.containers, copy.path]
    }

    package func openBackup(in path: String) throws(StorageError) -> any StorageEngine {
        var options = options
        options.secretKeys = secretKeys
        return try SQLiteEngine(directory: path, options: options)
    }
}

extension FolderMoment.Database {
    /// Pages that are copied in one piece: 8 MB.
    private static let pieceOfPages: Int32 = 1024

    /// Copies the database as its snapshot sees it to a new file, which is on the disk when this returns.
    ///
    /// SQLite begins the copy of a database anew when another process writes to it, unless the connection that it reads with is
    /// in a transaction already, as here.
    ///
    /// - Parameter progress: Called with the number of bytes copied so far.
    fileprivate func copy(
        to path: String, _ progress: (Int64) throws(StorageError) -> Void
    ) throws(StorageError) {
        try FileSystem.createFile(path)
        let target = try Connection(path: path, access: .write, settings: Tuning.newFile)
        guard let backup = sqlite3_backup_init(target.handle, "main", snapshot.handle, "main") else {
            throw target.failure(sqlite3_extended_errcode(target.handle))
        }
        do throws(StorageError) {
            while true {
                let code = sqlite3_backup_step(backup, Self.pieceOfPages)
                guard code == SQLITE_OK || code == SQLITE_DONE else {
                    // The target has no message before the end of the copy.
                    throw StorageError(
                        sqlite: code, system: sqlite3_system_errno(target.handle),
                        message: "\(String(cString: sqlite3_errstr(code))) while \(name) is copied")
                }
                let (rest, all) = (sqlite3_backup_remaining(backup), max(sqlite3_backup_pagecount(backup), 1))
                try progress(bytes / Int64(all) * Int64(all - rest))
                if code == SQLITE_DONE { break }
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        try target.check(sqlite3_backup_finish(backup))
        target.close()
        try FileSystem.synchronize(path)
    }
}
