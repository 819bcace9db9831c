package import NephosRunner
import NephosStorage

extension Administration {
    /// Says how mails leave this installation, in the place of what was said before; servers follow within seconds.
    ///
    /// - Parameter setup: With a sender.
    package func configureMail(_ setup: MailSetup) throws(AdminError) {
        guard let row = setup.row(at: inputs.now()) else { throw .refused("Mails need a sender.") }
        try changeMail { old, writes in
            if let old { writes.put(row, replacing: old) } else { writes.put(row) }
            // What has waited for a way goes now.
            writes.ask(for: Job.mails, at: row.changedAt)
        }
    }

    /// Has no mail leave any more. - Returns: Whether any did.
    package func removeMail() throws(AdminError) -> Bool {
        try changeMail { old, writes in if let old { writes.remove(old) } }
    }

    /// How mails leave; nil where none does.
    package func mailSetup() throws(AdminError) -> MailSetup? {
        try stored { () throws(StorageError) in try engine.directory.rows(MailSetupRow.only).first }
            .flatMap { MailSetup($0) }
    }

    /// - Returns: Whether there was something.
    @discardableResult
    private func changeMail(_ change: (MailSetupRow?, inout WriteSet) -> Void) throws(AdminError) -> Bool {
        var set = ReadSet()
        set.ask(MailSetupRow.only)
        return try commitDirectory(set) { reading in
            var writes = WriteSet()
            let old = reading[MailSetupRow.only].first
            change(old, &writes)
            return .write(writes, old != nil)
        }
    }
}
