/// Why a mail was not taken.
package struct MailFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whoever has not handed a mail over by then has failed.
    package static let deadline: Duration = .seconds(240)

    package enum Kind: Sendable {
        /// The way is not open: no mail would be taken now.
        case way
        /// This mail was not taken, and may be later.
        case passing
        /// This mail is never taken.
        case final
    }

    package let kind: Kind
    /// For the log: without what the mail says and to whom.
    package let description: String
    /// What was answered, for an operator who asks; it may have the address in it.
    package let said: String

    package static let notSetUp = MailFailure("this server sends no mails: nephos mail configure says how")

    package init(_ description: String, _ kind: Kind = .way, said: String = "") {
        (self.description, self.kind, self.said) = (description, kind, said)
    }
}
