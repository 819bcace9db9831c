import CloudKitWire

/// The URL at which clients reach a server (`serve --public-url`): scheme, host and port, and for a server that shares its host
/// with other sites, the path below which it is. Whatever a server writes for clients begins with it: URLs with ``text``, links
/// between its own pages and paths of cookies with ``path``.
///
/// Inside a server, paths do not contain ``path``: ``ownTarget(of:)`` removes it from each request. A class, because it is passed
/// around.
package final class PublicURL: Sendable, CustomStringConvertible {
    /// In bytes.
    private static let pathBytesMax = 200
    /// First segments of the server's own paths, which therefore cannot be the beginning of ``path``. `nephos` can, because
    /// ``ownTarget(of:)`` distinguishes it.
    private static let ownSegments: Set<Substring> = [
        "account", "asset", "database", "device", "docs", "healthz", "metrics", "recover", "sign-in", "sign-up",
        "verify",
    ]
    /// Pages for whoever runs the server, who requests them without a proxy. A rule of a proxy that hides them cannot be evaded by
    /// repeating ``path``.
    private static let unproxied: Set<Substring> = ["/healthz", "/metrics"]

    /// Without a slash at its end: `https://example.org/nephos`.
    package let text: String
    /// Scheme, host and port as they were written: `https://example.org`.
    package let origin: String
    /// `/nephos`; empty for a server with a host of its own. It contains nothing that would need an escape in HTML, in a header or in
    /// a URL.
    package let path: String
    /// In lower case; an IPv6 address with its brackets.
    package let host: String
    package let isSecure: Bool
    /// Whether the host is certain to be this machine.
    package let isLoopback: Bool

    /// nil for anything else than a complete http or https URL without user, query and fragment, whose path, if there is one, has at
    /// most 200 bytes and segments of letters, digits, `-`, `_`, `.` and `~`, and is none of the server's own. One slash at the end is
    /// ignored.
    package init?(_ text: String) {
        guard let parts = try? URLParts(text) else { return nil }
        let path = parts.target.hasSuffix("/") ? String(parts.target.dropLast()) : parts.target
        guard Self.isPath(path) else { return nil }
        origin = "\(parts.scheme)://\(parts.authority)"
        self.path = path
        self.text = origin + path
        (host, isSecure, isLoopback) = (parts.host, parts.scheme == "https", parts.isLoopback)
    }

    package var description: String { text }

    private static func isPath(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard text.hasPrefix("/"), text.utf8.count <= pathBytesMax, let first = segments.first,
            !ownSegments.contains(first), !segments.starts(with: ["nephos", "1"])
        else { return false }
        return segments.allSatisfy { segment in
            !segment.isEmpty && segment != "." && segment != ".."
                && segment.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~".utf8.contains($0) }
        }
    }

    /// The target of a request without ``path`` at its beginning. A proxy may pass requests on with it or without it, and clients on
    /// the same machine need no proxy, so a target without it is returned unchanged.
    ///
    /// - Parameter target: Path and query as received.
    package func ownTarget(of target: String) -> String {
        guard !path.isEmpty, target.utf8.starts(with: path.utf8) else { return target }
        let rest = Substring(target.utf8.dropFirst(path.utf8.count))
        switch rest.utf8.first {
        case nil: return "/"
        case UInt8(ascii: "?"): return "/\(rest)"
        case UInt8(ascii: "/"): break
        default: return target
        }
        // No path of a server begins with /1/: below /nephos, /nephos/1/CONTAINER has come without it.
        guard !rest.utf8.starts(with: "/1/".utf8), !Self.unproxied.contains(RawRequest.path(of: String(rest))) else {
            return target
        }
        return String(rest)
    }
}
