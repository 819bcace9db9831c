import NephosRunner

/// The origin of a web page, as browsers write it: `https://app.example.org`, with a port if it is not the default.
struct WebOrigin: Sendable, Equatable {
    private static let bytesMax = 255

    let text: String
    /// In lower case; an IPv6 address with its brackets.
    let host: String
    /// Host, with the port if it is not the default.
    let authority: String
    let isSecure: Bool
    let isLoopback: Bool
    /// Whether its host is an address in place of a name.
    let isAddress: Bool

    /// nil if it is not a valid origin: `null`, an address with a path, another scheme.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, let parts = try? URLParts(text), parts.target.isEmpty else {
            return nil
        }
        isSecure = parts.scheme == "https"
        let usual = isSecure ? ":443" : ":80"
        var authority = parts.authority.lowercased()
        if authority.hasSuffix(usual) { authority.removeLast(usual.count) }
        self.text = "\(parts.scheme)://\(authority)"
        (self.authority, host) = (authority, parts.host)
        (isLoopback, isAddress) = (parts.isLoopback, parts.address != nil)
    }

    /// The same origin as `localhost`, if this is 127.0.0.1 or ::1; nil for any other.
    var atLocalhost: WebOrigin? {
        guard host == "127.0.0.1" || host == "[::1]" else { return nil }
        return WebOrigin(text.replacing(host, with: "localhost", maxReplacements: 1))
    }

    /// Whether passwords may be typed there: nobody can listen on the network.
    var isSafe: Bool { isSecure || isLoopback }
}
