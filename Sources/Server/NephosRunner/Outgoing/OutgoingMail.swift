/// Mails that this server sends for its features, by whatever its operator has.
package protocol OutgoingMail: Sendable {
    /// Hands one mail over.
    ///
    /// - Parameters:
    ///   - address: One, of visible ASCII characters, which does not begin with a hyphen.
    ///   - subject: One line; characters beyond ASCII are encoded.
    ///   - text: Plain text.
    func send(to address: String, subject: String, text: String) async throws(MailFailure)
}

/// Why a mail was not taken: for the log, without what it says and to whom.
package struct MailFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Sends nothing, and says so.
package struct NoOutgoingMail: OutgoingMail {
    package init() {}

    package func send(to address: String, subject: String, text: String) async throws(MailFailure) {
        throw MailFailure("this server sends no mail: start it with --mail-command")
    }
}
