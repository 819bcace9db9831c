import CloudKitWire
import Crypto

/// Names an app to a container: 64 hexadecimal digits, sent as `ckAPIToken`. Only its hash is stored.
public enum APIToken {
    /// - Parameter random: 32 random bytes.
    public static func make(random: [UInt8]) -> String { Hexadecimal.text(random) }

    /// What is stored of a token: SHA-256 of its text.
    public static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}
