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
    ///   - progress: Called with the name of a database, the number of bytes copied so far of all databases, and of all
    ///     bytes to copy, after each piece. No write is blocked meanwhile. If it throws, the copy ends.
    func backUp(
        to folder: String, now: () -> Milliseconds,
        progress: (String, Int64, Int64) throws(StorageError) -> Void
    ) throws(StorageError) -> BackedUpDatabases

    /// Opens the copy in a folder, with the keys of this store.
    func openBackup(in folder: String) throws(StorageError) -> any StorageEngine
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
