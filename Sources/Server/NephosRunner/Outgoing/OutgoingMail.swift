/// Takes mails out of the house, by whichever way the operator has set up.
package protocol OutgoingMail: Sendable {
    /// What whoever started the program said, in the place of what the installation says; nil for nothing.
    var setup: MailSetup? { get }

    /// What holds where neither says anything; nil for nothing.
    var fallback: MailSetup? { get }

    /// Hands one mail over, once, within ``MailFailure/deadline``.
    ///
    /// - Returns: What whoever took it said, for an operator who asks; it may have the address in it.
    func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String
}

extension OutgoingMail {
    package var setup: MailSetup? { nil }
    package var fallback: MailSetup? { nil }
}

/// Sends nothing, and says so.
package struct NoOutgoingMail: OutgoingMail {
    package init() {}

    package func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String {
        throw MailFailure("this program sends no mails")
    }
}
