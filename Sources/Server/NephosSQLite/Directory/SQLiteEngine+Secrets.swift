package import NephosStorage

extension SQLiteEngine: SecretKeeper {
    package func secretNames() throws(StorageError) -> SecretNames {
        try withStore { store throws(StorageError) in try store.secretNames() }
    }

    package func change(_ old: SecretNames, to new: SecretNames) throws(StorageError) -> SecretNames {
        try withStore { store throws(StorageError) in
            try store.write { () throws(StorageError) in
                let names = try store.secretNames()
                guard names == old else { return names }
                try store.change(new)
                return new
            }
        }
    }

    package var keepsKeys: Bool { options.secretKeys == nil }

    package func exclusively<Answer>(_ body: () throws -> Answer) throws -> Answer {
        let lock = try FileSystem.waitForLock(folder.upgradeLock)
        defer { FileSystem.unlock(lock) }
        return try body()
    }

    package func keep(_ keys: [SecretKey]) throws(StorageError) {
        try FolderKeys.write(keys, in: folder)
        secretKeys.refresh()
    }

    /// A file has one writer at a time, and a writer sees everything that was committed before.
    package func settle() async throws {}
}
