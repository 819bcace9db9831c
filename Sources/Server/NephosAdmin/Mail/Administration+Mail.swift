package import NephosRunner
import NephosStorage

extension Administration {
    /// Configures how mails leave this installation, replacing the previous setup; servers follow within seconds.
    ///
    /// - Parameter setup: With a sender.
    package func configureMail(_ setup: MailSetup) throws(AdminError) {
        guard let row = setup.row(at: inputs.now()) else { throw .refused("Mails need a sender.") }
        try changeMail { old, writes in
            if let old { writes.put(row, replacing: old) } else { writes.put(row) }
            // Mails that have waited for a transport are sent now.
            writes.ask(for: Job.mails, at: row.changedAt)
        }
    }

    /// Removes the mail setup. - Returns: Whether there was one.
    package func removeMail() throws(AdminError) -> Bool {
        try changeMail { old, writes in if let old { writes.remove(old) } }
    }

    /// The mail setup; nil if there is none.
    package func mailSetup() throws(AdminError) -> MailSetup? {
        try stored { () throws(StorageError) in try engine.directory.rows(MailSetupRow.only).first }
            .flatMap { MailSetup($0) }
    }

    /// - Returns: Whether there was a setup before.
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
