import CloudKitWire
import NephosRunner
import NephosStorage

/// A cookie of this server's own pages: random bytes as text, not visible to scripts and not sent with forms of other sites.
struct SiteCookie: Sendable {
    /// Distinguishes browsers while nobody is signed in. It is not a session and grants nothing by itself.
    static let form = SiteCookie("nephos-form")
    /// The cookie of a ``BrowserSession``.
    static let session = SiteCookie("nephos")
    /// The cookie of a ``KnownBrowser``.
    static let known = SiteCookie("nephos-known")
    private static let valueBytes = 32

    private let word: String

    private init(_ word: String) { self.word = word }

    /// Over TLS, the prefix restricts the cookie to this host. That is possible only for cookies of the whole host: below a path, the
    /// prefix only keeps pages without TLS from setting it.
    private func name(_ place: PagePlace) -> String {
        place.origin.isSecure ? (place.base.isEmpty ? "__Host-" : "__Secure-") + word : word
    }

    /// The value that ``make(_:)`` created for this browser; nil for anything else.
    func value(in request: RawRequest, _ place: PagePlace) -> String? {
        texts(in: request, place).first { $0.utf8.count == 2 * Self.valueBytes && Hexadecimal.bytes($0) != nil }
    }

    /// The cookie's value, whatever it is.
    func text(in request: RawRequest, _ place: PagePlace) -> String? { texts(in: request, place).first }

    private func texts(in request: RawRequest, _ place: PagePlace) -> [String] {
        let begin = name(place) + "="
        return request.headers[.cookie].flatMap { header in
            header.split(separator: ";").map(\.trimmed).filter { $0.hasPrefix(begin) }
                .map { String($0.dropFirst(begin.utf8.count)) }
        }
    }

    func make(_ randomSource: RandomSource) -> String { Hexadecimal.text(randomSource.bytes(Self.valueBytes)) }

    /// - Parameter seconds: How long the browser keeps it; nil until the browser is closed.
    func set(_ value: String, _ place: PagePlace, seconds: Milliseconds? = nil) -> (name: String, value: String) {
        let path = place.base.isEmpty ? "/" : place.base
        let age = seconds.map { "; Max-Age=\($0)" } ?? ""
        let secure = place.origin.isSecure ? "; Secure" : ""
        return ("Set-Cookie", "\(name(place))=\(value); Path=\(path); HttpOnly; SameSite=Lax\(age)\(secure)")
    }

    /// Makes the browser delete the cookie.
    func gone(_ place: PagePlace) -> (name: String, value: String) { set("", place, seconds: 0) }
}
