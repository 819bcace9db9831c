package import NephosStorage

/// A mail that a decision of the directory puts into the outbox, in the transaction of the change that it reports: it is sent only if that is
/// committed, by one of all servers, however long it takes (docs/decisions/0047).
///
///     let mail = try NewMail(to: address, subject: "…", text: "…", for: "recovery", id: host.chance.bytes(16), at: now)
///     mail.ask(&set)
///     try runner.commitDirectory(set) { reading in …; _ = mail.put(into: &writes, reading); return .write(writes, ()) }
package struct NewMail: Sendable {
    /// How long delivery is attempted by default.
    package static let day: Milliseconds = 86_400_000
    /// A longer subject is cut.
    package static let subjectMax = 200

    package let row: MailRow

    /// - Parameters:
    ///   - subject: One line; control characters and line breaks become spaces.
    ///   - text: Plain text.
    ///   - purpose: A word for the log, which contains neither address nor text.
    ///   - id: 16 random bytes. A waiting row with this id stays as it is.
    ///   - time: How long delivery is attempted: no longer than the content of the mail is valid.
    /// - Throws: If subject and text are longer than ``MailRow/contentBytesMax``.
    package init(
        to address: MailAddress, subject: String, text: String, for purpose: String, id: [UInt8], at now: Milliseconds,
        goodFor time: Milliseconds = day
    ) throws(MailFailure) {
        let line = String(subject.unicodeScalars.map { $0.isOfLine ? Character($0) : " " }.prefix(Self.subjectMax))
        guard line.utf8.count + text.utf8.count < MailRow.contentBytesMax else {
            throw MailFailure("a mail has more than \(MailRow.contentBytesMax) bytes")
        }
        row = MailRow(
            id: id, address: address.text, subject: line, text: text, purpose: purpose, createdAt: now,
            until: now + time)
    }

    /// Adds to `set` what ``put(into:_:)`` reads.
    package func ask(_ set: inout ReadSet) {
        set.ask(MailRow.keyed(row.id))
        set.ask(MailRow.waiting(for: row.address))
        set.ask(MailRow.some)
    }

    /// - Returns: Whether it is in the outbox now; false if too many are waiting, in total or for this address. Do not report that to the
    ///   requester if it would reveal who has an account.
    package func put(into writes: inout WriteSet, _ reading: Reading) -> Bool {
        guard reading[MailRow.keyed(row.id)].isEmpty else { return true }
        guard reading[MailRow.waiting(for: row.address)].count < MailRow.mostOfAddress,
            reading[MailRow.some].count < MailRow.most / 64
        else { return false }
        writes.put(row)
        writes.ask(for: Job.mails, at: row.createdAt)
        return true
    }
}
