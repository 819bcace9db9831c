import CloudKitWire
import NephosDomain

/// The text that lets somebody read trends, or hand in figures, and nothing else: `trends-ID-SECRET`, 16 and 48 hexadecimal digits. Of the
/// text only a hash is stored.
struct TrendToken: Sendable {
    static let idBytes = 8
    static let secretBytes = 24
    private static let prefix = "trends-"

    let text: String
    /// Tells it from others, and is no secret.
    let id: [UInt8]

    /// - Parameter random: ``idBytes`` and ``secretBytes`` random bytes.
    init(random: [UInt8]) {
        id = Array(random.prefix(Self.idBytes))
        text = Self.prefix + Hexadecimal.text(id) + "-" + Hexadecimal.text(random.dropFirst(Self.idBytes))
    }

    /// - Parameter text: As it was sent; nil for what can be none.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, text.hasPrefix(Self.prefix), parts[1].utf8.count == 2 * Self.idBytes,
            parts[2].utf8.count == 2 * Self.secretBytes, let id = Hexadecimal.bytes(String(parts[1])),
            Hexadecimal.bytes(String(parts[2])) != nil
        else { return nil }
        (self.text, self.id) = (text, id)
    }

    /// What is stored of it: SHA-256 of its text.
    var hash: [UInt8] { APIToken.hash(text) }

    /// Whether this is the token of which a hash is stored. How long it takes says nothing of how much is the same.
    func hasHash(_ stored: [UInt8]) -> Bool {
        let hash = hash
        guard hash.count == stored.count else { return false }
        return zip(hash, stored).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
