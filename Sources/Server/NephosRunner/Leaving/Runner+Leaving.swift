package import NephosStorage

extension Runner {
    /// That an account is being deleted; nil where it is not. May wait.
    package func leaving(_ account: String) throws(StorageError) -> AccountDeletionRow? {
        try engine.directory.rows(AccountDeletionRow.keyed(account)).first
    }

    /// Whether somebody stays signed in for whom a session was made just now: the account may have begun to go meanwhile, or be gone. Its
    /// token must not be given to anybody then; a server ends the session within a second. May wait.
    ///
    /// What is deleted in one store is found out in another: so whoever makes a session looks once more afterwards.
    package func stays(_ account: String, at now: Milliseconds) throws -> Bool {
        let (known, leaving) = (AccountRow.keyed(account), AccountDeletionRow.keyed(account))
        var set = ReadSet()
        set.ask(known)
        set.ask(leaving)
        let reading = try engine.directory.read(set)
        if !reading[known].isEmpty, reading[leaving].isEmpty { return true }
        return try commitDirectory(set) { reading -> Decision<Bool> in
            var writes = WriteSet()
            let old = reading[leaving].first
            if old == nil, !reading[known].isEmpty { return .write(writes, true) }
            var row = old ?? AccountDeletionRow(account: account, askedAt: now, dueAt: now, takesPublic: false)
            row.endedAt = 0
            if row != old { writes.put(row, replacing: old) }
            writes.ask(for: Job.leaving, at: now)
            return .write(writes, false)
        }
    }
}
