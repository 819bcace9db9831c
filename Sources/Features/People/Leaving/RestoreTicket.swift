import CloudKitWire
import Crypto
import NephosDomain
import NephosStorage

/// Proof that somebody has just shown to be the person of an account that is to be deleted: with it they can keep the account, in
/// the same browser and on the same page. It works once, because keeping the account removes the scheduled deletion.
struct RestoreTicket: Sendable {
    static let lifetime: Milliseconds = 10 * 60_000
    private static let hashBytes = 32

    /// ID.
    let account: String
    /// When they proved it. A password that was set later makes the ticket void (``CancelDeletion/provedAt``).
    let provedAt: Milliseconds

    init(account: String, provedAt: Milliseconds) { (self.account, self.provedAt) = (account, provedAt) }

    /// nil for a ticket that was not created for this form, or has expired. - Parameter key: ``SiteKey``.
    init?(_ text: String, form: String, key: [UInt8], now: Milliseconds) {
        guard let bytes = try? SealedToken.open(inURL: text, for: .keepAccount, key: key) else { return nil }
        var content = TokenContent(reading: bytes)
        guard let provedAt = try? content.next(), now < provedAt + Self.lifetime,
            content.rest.prefix(Self.hashBytes).elementsEqual(Self.hash(form))
        else { return nil }
        self.provedAt = provedAt
        account = String(decoding: content.rest.dropFirst(Self.hashBytes), as: UTF8.self)
    }

    /// - Parameter form: The hidden field of the form that contains the ticket, which is specific to one browser and one page.
    func sealed(form: String, key: [UInt8]) -> String {
        var content = TokenContent()
        content.append(provedAt)
        return SealedToken.sealInURL(
            content.bytes + Self.hash(form) + Array(account.utf8), for: .keepAccount, key: key)
    }

    private static func hash(_ form: String) -> [UInt8] { Array(SHA256.hash(data: Array(form.utf8))) }
}
