import Crypto

/// The first private key among the PEM blocks of a text that people paste or upload; without one, the first block.
struct PEMKey {
    /// The limit; a .p8 file has about 260 bytes.
    private static let bytesMax = 16 << 10

    /// The label of the block, for example `PRIVATE KEY`.
    private let label: String
    /// The block alone, with uniform line ends and no blanks, as the parser requires.
    private let block: String

    /// - Throws: ``APNsKeyError``: `empty`, `tooLong` or `notPEM`.
    init(_ text: String) throws(APNsKeyError) {
        guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
        let lines = text.split(whereSeparator: \.isNewline).map(Self.trimmed).filter { !$0.isEmpty }
        guard !lines.isEmpty else { throw .empty }
        let starts = lines.indices.filter { lines[$0].hasPrefix("-----BEGIN ") && lines[$0].hasSuffix("-----") }
        guard let first = starts.first(where: { lines[$0].hasSuffix("PRIVATE KEY-----") }) ?? starts.first,
            let last = lines[first...].firstIndex(where: { $0.hasPrefix("-----END ") })
        else { throw .notPEM }
        label = String(lines[first].dropFirst("-----BEGIN ".count).dropLast("-----".count))
        block = lines[first...last].joined(separator: "\n")
    }

    /// - Throws: ``APNsKeyError``, the one that names what the block contains instead.
    func signingKey() throws(APNsKeyError) -> P256.Signing.PrivateKey {
        switch label {
        // OpenSSL's older commands write the second label for the same key.
        case "PRIVATE KEY", "EC PRIVATE KEY": break
        case "PUBLIC KEY", "RSA PUBLIC KEY": throw .publicKey
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": throw .certificate
        case "RSA PRIVATE KEY": throw .rsaKey
        case "ENCRYPTED PRIVATE KEY": throw .encryptedKey
        default: throw .otherContent
        }
        do { return try P256.Signing.PrivateKey(pemRepresentation: block) } catch { throw .notP256 }
    }

    /// Without blanks at either end, and without the byte order mark that some editors put at the start of a file.
    private static func trimmed(_ line: Substring) -> Substring {
        let isNoise: (Character) -> Bool = { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard let start = line.firstIndex(where: { !isNoise($0) }), let end = line.lastIndex(where: { !isNoise($0) })
        else { return "" }
        return line[start...end]
    }
}
