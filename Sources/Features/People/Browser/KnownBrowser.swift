import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// A browser in which the person of an account has signed in before, according to a separate cookie. The cookie grants no access;
/// it makes this browser's password attempts count separately.
struct KnownBrowser: Sendable {
    static let lifetime: Milliseconds = 400 * 24 * 3_600_000
    private static let idBytes = 16

    /// Identifies the browser.
    let id: [UInt8]

    /// nil if the browser is not known for this address.
    ///
    /// - Parameters:
    ///   - email: ``EmailAddress/text``.
    ///   - key: ``SiteKey``.
    init?(_ visit: SiteVisit, _ email: String, key: [UInt8]) {
        guard let text = SiteCookie.known.text(in: visit.request, visit.place),
            let bytes = try? SealedToken.open(inURL: text, for: .knownBrowser, key: key)
        else { return nil }
        var content = TokenContent(reading: bytes)
        guard let until = try? content.next(), visit.now < until,
            content.rest.dropFirst(Self.idBytes).elementsEqual(Self.hash(email))
        else { return nil }
        id = Array(content.rest.prefix(Self.idBytes))
    }

    /// The cookie for a browser in which somebody has signed in.
    ///
    /// - Parameter email: ``EmailAddress/text``.
    static func cookie(
        of email: String, _ place: PagePlace, key: [UInt8], now: Milliseconds, _ randomSource: RandomSource
    ) -> (
        name: String, value: String
    ) {
        var content = TokenContent()
        content.append(now + lifetime)
        let text = SealedToken.sealInURL(
            content.bytes + randomSource.bytes(idBytes) + hash(email), for: .knownBrowser, key: key)
        return SiteCookie.known.set(text, place, seconds: lifetime / 1_000)
    }

    private static func hash(_ email: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(email.utf8)).prefix(idBytes))
    }
}
