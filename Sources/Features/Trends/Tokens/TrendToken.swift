import CloudKitWire
import NephosDomain

/// A token that permits reading trends, or importing figures, and nothing else: `trends-ID-SECRET`, 16 and 48 hexadecimal digits.
/// Only a hash of it is stored.
struct TrendToken: Sendable {
    static let idBytes = 8
    static let secretBytes = 24
    private static let prefix = "trends-"

    let text: String
    /// Identifies the token; not secret.
    let id: [UInt8]

    /// - Parameter random: ``idBytes`` and ``secretBytes`` random bytes.
    init(random: [UInt8]) {
        id = Array(random.prefix(Self.idBytes))
        text = Self.prefix + Hexadecimal.text(id) + "-" + Hexadecimal.text(random.dropFirst(Self.idBytes))
    }

    /// - Parameter text: As received; the result is nil if it cannot be a token.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, text.hasPrefix(Self.prefix), parts[1].utf8.count == 2 * Self.idBytes,
            parts[2].utf8.count == 2 * Self.secretBytes, let id = Hexadecimal.bytes(String(parts[1])),
            Hexadecimal.bytes(String(parts[2])) != nil
        else { return nil }
        (self.text, self.id) = (text, id)
    }

    /// The stored hash: SHA-256 of its text.
    var hash: [UInt8] { APIToken.hash(text) }

    /// Whether a stored hash is that of this token. Compares in constant time.
    func hasHash(_ stored: [UInt8]) -> Bool {
        let hash = hash
        guard hash.count == stored.count else { return false }
        return zip(hash, stored).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
