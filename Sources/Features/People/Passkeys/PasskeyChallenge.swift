import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// A page on which a passkey is created or used, in one browser. A challenge is valid only on the page that it was issued for.
struct PasskeyPage: Sendable {
    /// The origin of this server, as used by the browser.
    let origin: WebOrigin
    /// Values that identify the browser and its page, such as a cookie and an address. Without line breaks.
    let bound: [String]
    /// The key that seals challenges.
    let key: [UInt8]
    let now: Milliseconds
}

/// What a passkey signs, so that the signature is known to be recent and for this page. It is not stored until it is answered:
/// the server recognizes its seal, and accepts it once (``OneTimeValue``).
struct PasskeyChallenge: Sendable, Equatable {
    static let lifetime: Milliseconds = 5 * 60_000
    private static let boundBytes = 16
    private static let nonceBytes = 16

    /// In base64url, as in pages.
    let text: String
    let once: OneTimeValue

    /// Creates a challenge.
    init(to kind: ClientData.Kind, on page: PasskeyPage, _ randomSource: RandomSource) {
        var content = TokenContent()
        let until = page.now + Self.lifetime
        content.append(until)
        text = SealedToken.sealInURL(
            content.bytes + Self.bound(kind, page) + randomSource.bytes(Self.nonceBytes), for: .passkey, key: page.key)
        once = OneTimeValue("passkey", text.utf8, until: until)
    }

    /// Reads a challenge that was returned.
    ///
    /// - Throws: ``PasskeyProblem/expired`` if it was not issued for this page, or has expired.
    init(_ text: String, to kind: ClientData.Kind, on page: PasskeyPage) throws(PasskeyProblem) {
        guard let bytes = try? SealedToken.open(inURL: text, for: .passkey, key: page.key) else { throw .expired }
        var content = TokenContent(reading: bytes)
        guard let until = try? content.next(), page.now < until,
            content.rest.prefix(Self.boundBytes).elementsEqual(Self.bound(kind, page))
        else { throw .expired }
        self.text = text
        once = OneTimeValue("passkey", text.utf8, until: until)
    }

    private static func bound(_ kind: ClientData.Kind, _ page: PasskeyPage) -> [UInt8] {
        let text = ([kind.rawValue, page.origin.text] + page.bound).joined(separator: "\n")
        return Array(SHA256.hash(data: Array(text.utf8)).prefix(boundBytes))
    }
}
