package import NephosStorage

/// A mail as it is sent.
package struct MailMessage: Sendable {
    /// 16 bytes. The same at each attempt, so that a duplicate mail can be recognized by its Message-ID.
    package var id: [UInt8]
    package var sender: MailSender?
    package var address: MailAddress
    /// A single line.
    package var subject: String
    package var text: String
    /// When it was written.
    package var date: Milliseconds

    package init(
        id: [UInt8], sender: MailSender?, to address: MailAddress, subject: String, text: String, date: Milliseconds
    ) {
        (self.id, self.sender, self.address) = (id, sender, address)
        (self.subject, self.text, self.date) = (subject, text, date)
    }
}
