import CloudKitWire
import Crypto

/// Identifies an app to a container: 64 hexadecimal digits, sent as `ckAPIToken`. Only its hash is stored.
public enum APIToken {
    /// - Parameter random: 32 random bytes.
    public static func make(random: [UInt8]) -> String { Hexadecimal.text(random) }

    /// The stored form of a token: SHA-256 of its text.
    public static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}
