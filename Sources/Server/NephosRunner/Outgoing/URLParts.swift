import CloudKitWire
package import NephosNetwork

/// An absolute URL, split without accepting anything that two parsers could read differently.
package struct URLParts {
    /// In lower case.
    package let scheme: String
    /// Host and port as they were written.
    package let authority: String
    /// In lower case; an IPv6 address with its brackets.
    package let host: String
    /// Path and query as they were written; empty if there are none.
    package let target: String

    /// - Throws: ``WebhookAddressError``.
    package init(_ text: String) throws(WebhookAddressError) {
        guard text.utf8.count <= WebhookAddress.bytesMax else { throw .tooLong(bytes: text.utf8.count) }
        guard let colon = text.firstRange(of: "://") else { throw .notAbsolute }
        scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { throw .notHTTPS }
        let rest = text[colon.upperBound...]
        if rest.contains("#") { throw .fragment }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        if authority.contains("@") { throw .userInfo }
        let target = rest[authority.endIndex...]
        guard Self.isTarget(target.utf8) else { throw .invalidCharacter }
        let (host, port) = Self.split(authority)
        guard Self.isHost(host) else { throw .invalidHost }
        if let port { guard Self.isPort(port) else { throw .invalidPort } }
        self.authority = String(authority)
        self.host = host.lowercased()
        self.target = String(target)
    }

    /// The host as an address; nil if it is a name.
    package var address: NetworkAddress? {
        NetworkAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// Whether the host is certain to be this machine.
    package var isLoopback: Bool { host == "localhost" || address?.isLoopback == true }

    /// The port begins at the last colon, unless that is one of an IPv6 address.
    private static func split(_ authority: Substring) -> (host: Substring, port: Substring?) {
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
            return (authority, nil)
        }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first != "0" && Digits.number(text.utf8, max: 65_535) != nil
    }

    private static func isHost(_ text: Substring) -> Bool {
        if text.first == "[" {
            let address = text.dropFirst().dropLast()
            return text.last == "]" && address.contains(":")
                && address.utf8.allSatisfy {
                    $0.isHexadecimalDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                }
                && NetworkAddress(String(address)) != nil
        }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.allSatisfy(isLabel) else { return false }
        // No name ends in a number, but some systems read addresses from such texts: 2130706433, 127.1, 0x7f.1.
        return labels.last.map(isNumber) != true || NetworkAddress(String(text)) != nil
    }

    /// Decimal, octal or hexadecimal, as those systems read it.
    private static func isNumber(_ label: Substring) -> Bool {
        let isHexadecimal = label.hasPrefix("0x") || label.hasPrefix("0X")
        return isHexadecimal
            ? label.utf8.dropFirst(2).allSatisfy(\.isHexadecimalDigit) : label.utf8.allSatisfy(\.isDigit)
    }

    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count) && text.first != "-" && text.last != "-"
            && text.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    /// The characters of RFC 3986 §3.3 and §3.4, with whole percent escapes.
    private static func isTarget(_ text: Substring.UTF8View) -> Bool {
        var rest = Array(text)[...]
        while let character = rest.popFirst() {
            if character == UInt8(ascii: "%") {
                guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(\.isHexadecimalDigit) else { return false }
                rest = rest.dropFirst(2)
            } else if !(character.isLetter || character.isDigit || marks.contains(character)) {
                return false
            }
        }
        return true
    }

    private static let marks = Set("-._~!$&'()*+,;=:@/?".utf8)
}
