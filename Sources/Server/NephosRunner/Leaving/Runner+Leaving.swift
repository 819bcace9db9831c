package import NephosStorage

extension Runner {
    /// The pending deletion of an account; nil if it is not being deleted. Blocks.
    package func leaving(_ account: String) throws(StorageError) -> AccountDeletionRow? {
        try engine.directory.rows(AccountDeletionRow.keyed(account)).first
    }

    /// Whether a person for whom a session was just created stays signed in: the deletion of the account may have begun meanwhile, or be
    /// complete. If not, the token must not be given out; a server ends the session within a second. Blocks.
    ///
    /// The deletion is recorded in another store than the session, so whoever creates a session must check again afterwards.
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
