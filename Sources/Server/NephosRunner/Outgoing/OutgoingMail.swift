/// Sends mails by the transport that the operator has configured.
package protocol OutgoingMail: Sendable {
    /// The settings with which the program was started, which override those of the installation; nil for none.
    var setup: MailSetup? { get }

    /// The settings if neither is present; nil for none.
    var fallback: MailSetup? { get }

    /// Hands over one mail, once, within ``MailFailure/deadline``.
    ///
    /// - Returns: The reply of the receiver, for an operator; it may contain the address.
    func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String
}

extension OutgoingMail {
    package var setup: MailSetup? { nil }
    package var fallback: MailSetup? { nil }
}

/// Sends nothing; every mail fails.
package struct NoOutgoingMail: OutgoingMail {
    package init() {}

    package func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String {
        throw MailFailure("this program sends no mails")
    }
}
