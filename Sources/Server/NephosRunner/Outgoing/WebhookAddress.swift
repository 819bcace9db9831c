import CloudKitWire
import NephosNetwork

/// The URL that a webhook calls: `https`, or `http` to this machine itself.
package struct WebhookAddress: Sendable, Hashable, CustomStringConvertible {
    package static let bytesMax = 2_048

    /// With at least a path: `https://example.com` becomes `https://example.com/`.
    package let url: String
    /// As it appears in ``url``; an IPv6 address with its brackets.
    package let host: String
    /// Whether it is certain that servers call it only with `--allow-webhook`: it is this machine, or in a private network. A name may
    /// turn out to be as well.
    package let isPrivate: Bool

    /// - Throws: ``WebhookAddressError``.
    package init(_ text: String) throws(WebhookAddressError) {
        let parts = try URLParts(text)
        guard !Self.isNowhere(parts) else { throw .nowhere }
        isPrivate = parts.isLoopback || parts.address?.isPublic == false
        guard parts.scheme == "https" || Self.isLoopback(parts.host) else { throw .notHTTPS }
        host = String(parts.authority.prefix(parts.host.count))
        url = "\(parts.scheme)://\(parts.authority)" + (parts.target.hasPrefix("/") ? "" : "/") + parts.target
    }

    /// The URL, whose path or query may hold a secret of the receiver's: for its owner, not for logs.
    package var description: String { url }

    /// Hosts where nobody can be called, whatever the network: addresses of no machine or of many, and names that resolvers have to
    /// answer with nothing (RFC 6761, RFC 7686).
    private static func isNowhere(_ parts: URLParts) -> Bool {
        if let address = parts.address { return address.isIn(AddressBlock.nobody) }
        return ["invalid", "onion"].contains(parts.host.split(separator: ".").last.map(String.init))
    }

    /// Names and addresses that are certain never to leave this machine: `localhost`, 127.0.0.0/8 written as four numbers, and
    /// `[::1]`.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.first == "127" && numbers.allSatisfy(isOctet)
    }

    /// A leading zero is not allowed: some systems read such numbers as octal.
    private static func isOctet(_ text: Substring) -> Bool {
        (text == "0" || text.first != "0") && Digits.number(text.utf8, max: 255) != nil
    }
}

/// Why a URL was refused, in words for the person who typed it.
package enum WebhookAddressError: Error, Sendable, Equatable, CustomStringConvertible {
    case notAbsolute, notHTTPS, userInfo, fragment, invalidHost, nowhere, invalidPort, invalidCharacter, path
    case tooLong(bytes: Int)

    package var description: String {
        switch self {
        case .notAbsolute: "The URL must be a complete URL, for example https://example.com/hooks/nephos."
        case .notHTTPS:
            "The URL must begin with https://. Only localhost, 127.0.0.0/8 and [::1] can be called without TLS."
        case .userInfo: "The URL must not contain a user name or password."
        case .fragment: "The URL must not have a fragment, the part from '#' on: it is never sent."
        case .invalidHost:
            "The URL's host must be a name of letters, digits, '-', '_' and '.', an IPv4 address or an IPv6 address in "
                + "brackets. Names of other letters are written in their xn-- form."
        case .nowhere:
            "The URL's host can never be called: it is an address of no machine or of many, or a name ending in .invalid or .onion."
        case .invalidPort: "The URL's port must be a number from 1 to 65535."
        case .invalidCharacter:
            "The URL contains a character that must be percent-encoded, or an incomplete escape."
        case .path: "The URL must not have a path or a query: only https://, the host and optionally a port."
        case .tooLong(let bytes): "The URL has \(bytes) bytes; at most \(WebhookAddress.bytesMax) are allowed."
        }
    }
}
