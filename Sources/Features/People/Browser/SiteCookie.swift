import CloudKitWire
import NephosRunner
import NephosStorage

/// A cookie of this server's own pages: random bytes as text, which scripts do not see and other sites' forms do not send.
struct SiteCookie: Sendable {
    /// Tells one browser from others while nobody is signed in. It is nobody's session and opens nothing by itself.
    static let form = SiteCookie("nephos-form")
    /// Of a ``BrowserSession``.
    static let session = SiteCookie("nephos")
    /// Of a ``KnownBrowser``.
    static let known = SiteCookie("nephos-known")
    private static let valueBytes = 32

    private let word: String

    private init(_ word: String) { self.word = word }

    /// Over TLS a browser takes it from this host alone.
    private func name(_ own: WebOrigin) -> String { own.isSecure ? "__Host-\(word)" : word }

    /// What ``make(_:)`` made for this browser; nil for anything else.
    func value(in request: RawRequest, _ own: WebOrigin) -> String? {
        texts(in: request, own).first { $0.utf8.count == 2 * Self.valueBytes && Hexadecimal.bytes($0) != nil }
    }

    /// Whatever the browser has.
    func text(in request: RawRequest, _ own: WebOrigin) -> String? { texts(in: request, own).first }

    private func texts(in request: RawRequest, _ own: WebOrigin) -> [String] {
        let begin = name(own) + "="
        return request.headers[.cookie].flatMap { header in
            header.split(separator: ";").map(\.trimmed).filter { $0.hasPrefix(begin) }
                .map { String($0.dropFirst(begin.utf8.count)) }
        }
    }

    func make(_ chance: Chance) -> String { Hexadecimal.text(chance.bytes(Self.valueBytes)) }

    /// - Parameter seconds: How long the browser keeps it; nil until it is closed.
    func set(_ value: String, _ own: WebOrigin, seconds: Milliseconds? = nil) -> (name: String, value: String) {
        let age = seconds.map { "; Max-Age=\($0)" } ?? ""
        return (
            "Set-Cookie", "\(name(own))=\(value); Path=/; HttpOnly; SameSite=Lax\(age)\(own.isSecure ? "; Secure" : "")"
        )
    }

    /// Has the browser forget it.
    func gone(_ own: WebOrigin) -> (name: String, value: String) { set("", own, seconds: 0) }
}
