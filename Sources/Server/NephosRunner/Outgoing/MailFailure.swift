/// Why a mail was not accepted.
package struct MailFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// An attempt that has not completed by then has failed.
    package static let deadline: Duration = .seconds(240)

    package enum Kind: Sendable {
        /// The transport is not available: no mail would be accepted now.
        case way
        /// This mail was not accepted, and may be later.
        case passing
        /// This mail is never accepted.
        case final
    }

    package let kind: Kind
    /// For the log: without the content and the recipient of the mail.
    package let description: String
    /// The reply of the mail server, for an operator; it may contain the address.
    package let reply: String

    package static let notSetUp = MailFailure("this server sends no mails: configure them with nephos mail configure")

    package init(_ description: String, _ kind: Kind = .way, reply: String = "") {
        (self.description, self.kind, self.reply) = (description, kind, reply)
    }
}
