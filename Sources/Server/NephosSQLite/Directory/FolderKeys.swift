import NephosStorage

/// The keys that seal a folder's secrets: those that the operator provides, or those in the folder's own file, which is
/// created with the folder (docs/decisions/0021).
struct FolderKeys {
    private let directory: DataDirectory
    private let store: DirectoryFile
    private let options: SQLiteOptions

    init(_ directory: DataDirectory, _ store: DirectoryFile, _ options: SQLiteOptions) {
        self.directory = directory
        self.store = store
        self.options = options
    }

    /// Finds the keys, and records the newest one in a folder that names none yet.
    ///
    /// - Throws: ``StorageError/noKey(_:)`` if a key that the folder names is missing.
    func find() throws(StorageError) -> SecretKeys {
        var names = try store.secretNames()
        if names.key == 0 {
            // Two commands may open a folder at the same time.
            let lock = try FileSystem.waitForLock(directory.upgradeLock)
            defer { FileSystem.unlock(lock) }
            names = try store.secretNames()
            if names.key == 0 { return try begin() }
        }
        let keys = try given()
        if !options.acceptsLostKey {
            _ = try keys.key(named: names.key)
            _ = try keys.key(named: names.next)
        }
        return keys
    }

    private func begin() throws(StorageError) -> SecretKeys {
        if options.secretKeys == nil, try !FileSystem.exists(directory.secretKey) {
            try Self.write([.random()], in: directory)
        }
        let keys = try given()
        guard let newest = keys.newest else { throw .failed("\(keys.place) contains no key") }
        try store.write { () throws(StorageError) in try store.change(SecretNames(key: newest.id)) }
        return keys
    }

    private func given() throws(StorageError) -> SecretKeys {
        if let keys = options.secretKeys { return keys }
        let path = directory.secretKey
        let keys = try FileSystem.exists(path) ? KeyFile.keys(FileSystem.secret(path), from: path) : []
        return SecretKeys(keys, from: path) {
            // A rotation of keys replaces the file, so that it is never incomplete.
            try? KeyFile.keys(FileSystem.secret(path), from: path)
        }
    }

    /// Replaces the folder's file with these keys, atomically.
    static func write(_ keys: [SecretKey], in directory: DataDirectory) throws(StorageError) {
        let new = "\(directory.secretKey).\(UInt64.random(in: .min ... .max))"
        try FileSystem.createFile(new, containing: Array(KeyFile.text(keys).utf8))
        try FileSystem.move(new, to: directory.secretKey)
    }
}
