import CloudKitWire
import Crypto
import NephosDomain
import NephosStorage

/// That somebody has just proved to be the person of an account that is to be deleted: with it they keep the account, in the browser and on the
/// page where they did. It is used up by that: what says that the account leaves goes once.
struct RestoreTicket: Sendable {
    static let lifetime: Milliseconds = 10 * 60_000
    private static let hashBytes = 32

    /// Id.
    let account: String
    /// When they proved it. A password that was chosen later makes it void (``KeepAccount/provedAt``).
    let provedAt: Milliseconds

    init(account: String, provedAt: Milliseconds) { (self.account, self.provedAt) = (account, provedAt) }

    /// nil for what was not made for this form, or is over. - Parameter key: ``SiteKey``.
    init?(_ text: String, form: String, key: [UInt8], now: Milliseconds) {
        guard let bytes = try? SealedToken.open(inURL: text, for: .keepAccount, key: key) else { return nil }
        var content = TokenContent(reading: bytes)
        guard let provedAt = try? content.next(), now < provedAt + Self.lifetime,
            content.rest.prefix(Self.hashBytes).elementsEqual(Self.hash(form))
        else { return nil }
        self.provedAt = provedAt
        account = String(decoding: content.rest.dropFirst(Self.hashBytes), as: UTF8.self)
    }

    /// - Parameter form: The hidden field of the form in which it stands, which is of one browser and one page.
    func sealed(form: String, key: [UInt8]) -> String {
        var content = TokenContent()
        content.append(provedAt)
        return SealedToken.sealInURL(
            content.bytes + Self.hash(form) + Array(account.utf8), for: .keepAccount, key: key)
    }

    private static func hash(_ form: String) -> [UInt8] { Array(SHA256.hash(data: Array(form.utf8))) }
}
