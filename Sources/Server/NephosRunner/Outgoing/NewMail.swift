package import NephosStorage

/// A mail that a decision of the directory puts into the outbox, in the transaction of what it speaks of: it is sent if that stands, and only
/// then, by one of all servers and however long it takes (docs/decisions/0047).
///
///     let mail = try NewMail(to: address, subject: "…", text: "…", for: "recovery", id: host.chance.bytes(16), at: now)
///     mail.ask(&set)
///     try runner.commitDirectory(set) { reading in …; _ = mail.put(into: &writes, reading); return .write(writes, ()) }
package struct NewMail: Sendable {
    /// How long it is tried, where nobody says otherwise.
    package static let day: Milliseconds = 86_400_000
    /// A longer subject is cut.
    package static let subjectMax = 200

    package let row: MailRow

    /// - Parameters:
    ///   - subject: One line; what steers a terminal or ends a line becomes a space.
    ///   - text: Plain text.
    ///   - purpose: A word for the log, which has neither address nor text.
    ///   - id: 16 random bytes. A row of this id that waits stays as it is.
    ///   - time: How long it is tried: no longer than what it says is true.
    /// - Throws: Where subject and text are longer than ``MailRow/contentBytesMax``.
    package init(
        to address: MailAddress, subject: String, text: String, for purpose: String, id: [UInt8], at now: Milliseconds,
        goodFor time: Milliseconds = day
    ) throws(MailFailure) {
        let line = String(subject.unicodeScalars.map { $0.isOfLine ? Character($0) : " " }.prefix(Self.subjectMax))
        guard line.utf8.count + text.utf8.count < MailRow.contentBytesMax else {
            throw MailFailure("a mail has more than \(MailRow.contentBytesMax) bytes")
        }
        row = MailRow(
            id: id, address: address.text, subject: line, text: text, purpose: purpose, madeAt: now, until: now + time)
    }

    /// Asks for what ``put(into:_:)`` looks at.
    package func ask(_ set: inout ReadSet) {
        set.ask(MailRow.keyed(row.id))
        set.ask(MailRow.waiting(for: row.address))
        set.ask(MailRow.some)
    }

    /// - Returns: Whether it is there now; not where too many wait, of all or for this address. Who asked for it should be told nothing of
    ///   that, where it would say who has an account.
    package func put(into writes: inout WriteSet, _ reading: Reading) -> Bool {
        guard reading[MailRow.keyed(row.id)].isEmpty else { return true }
        guard reading[MailRow.waiting(for: row.address)].count < MailRow.mostOfAddress,
            reading[MailRow.some].count < MailRow.most / 64
        else { return false }
        writes.put(row)
        writes.ask(for: Job.mails, at: row.madeAt)
        return true
    }
}
