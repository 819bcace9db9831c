/// A store in a folder whose databases can be copied as of one moment while other processes write them
/// (docs/decisions/0054). All calls may block.
package protocol BackupStore: StorageEngine {
    /// The folder.
    var folderPath: String { get }

    /// The file in the folder without which the folder is no store.
    var storeFile: String { get }

    /// Copies the databases into a folder that exists and is empty. The copies are on the disk when it returns.
    ///
    /// - Parameters:
    ///   - now: The clock.
    ///   - progress: Called when it begins to wait for another process, and after each piece of a database. No write is blocked
    ///     meanwhile. If it throws, the copy ends.
    func backUp(
        to folder: String, now: () -> Milliseconds, progress: (BackupStep) throws(StorageError) -> Void
    ) throws(StorageError) -> BackedUpDatabases

    /// Opens the copy in a folder, with the keys of this store.
    func openBackup(in folder: String) throws(StorageError) -> any StorageEngine
}

/// What a backup is doing, with the name of a database for people.
package enum BackupStep: Sendable {
    /// Waiting until nobody writes to the database.
    case waiting(String)
    /// Copying the database: the bytes of all databases that were copied so far, and of all that are to be copied.
    case copying(String, done: Int64, total: Int64)
}

/// The databases in a backup.
package struct BackedUpDatabases: Sendable {
    /// When all of them were as they are in the backup.
    package let moment: Milliseconds
    package let bytes: Int64
    /// Folders that are not those of containers of the store, and are not in the backup.
    package let unlisted: [String]

    package init(moment: Milliseconds, bytes: Int64, unlisted: [String]) {
        (self.moment, self.bytes, self.unlisted) = (moment, bytes, unlisted)
    }
}

extension StorageEngine {
    /// The engine as one whose databases can be copied as files; nil if it does not support that.
    package var backup: (any BackupStore)? { self as? any BackupStore }
}
