import Crypto

/// Names an app to a container: 64 hexadecimal digits, sent as `ckAPIToken`. Only its hash is stored.
public enum APIToken {
    /// - Parameter random: 32 random bytes.
    public static func make(random: [UInt8]) -> String { hexadecimal(random) }

    /// What is stored of a token: SHA-256 of its text.
    public static func hash(_ token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}

/// Lower-case hexadecimal digits of `bytes`.
public func hexadecimal(_ bytes: some Swift.Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
