import CloudKitWire
import Crypto
import NephosDomain
import NephosRunner
import NephosStorage

/// A page on which a passkey is made or used, in one browser: what is asked there is answered there.
struct PasskeyPage: Sendable {
    /// Of this server, as the browser has it.
    let origin: WebOrigin
    /// What tells the browser and its page from others, such as the value of a cookie and an address. Without line breaks.
    let bound: [String]
    /// Under which what the page is given is sealed.
    let key: [UInt8]
    let now: Milliseconds
}

/// What a passkey signs, so that the signature is of now and of here. It is stored nowhere until it is answered: the server knows it
/// again by its seal, and takes it once (``Once``).
struct PasskeyChallenge: Sendable, Equatable {
    static let lifetime: Milliseconds = 5 * 60_000
    private static let boundBytes = 16
    private static let nonceBytes = 16

    /// In base64url, as pages have it.
    let text: String
    let once: Once

    /// A new one.
    init(to kind: ClientData.Kind, on page: PasskeyPage, _ chance: Chance) {
        var content = TokenContent()
        let until = page.now + Self.lifetime
        content.append(until)
        text = SealedToken.sealInURL(
            content.bytes + Self.bound(kind, page) + chance.bytes(Self.nonceBytes), for: .passkey, key: page.key)
        once = Once("passkey", text.utf8, until: until)
    }

    /// One that comes back.
    ///
    /// - Throws: ``PasskeyProblem/over`` for one that this page was not given, or that is over.
    init(_ text: String, to kind: ClientData.Kind, on page: PasskeyPage) throws(PasskeyProblem) {
        guard let bytes = try? SealedToken.open(inURL: text, for: .passkey, key: page.key) else { throw .over }
        var content = TokenContent(reading: bytes)
        guard let until = try? content.next(), page.now < until,
            content.rest.prefix(Self.boundBytes).elementsEqual(Self.bound(kind, page))
        else { throw .over }
        self.text = text
        once = Once("passkey", text.utf8, until: until)
    }

    private static func bound(_ kind: ClientData.Kind, _ page: PasskeyPage) -> [UInt8] {
        let text = ([kind.rawValue, page.origin.text] + page.bound).joined(separator: "\n")
        return Array(SHA256.hash(data: Array(text.utf8)).prefix(boundBytes))
    }
}
