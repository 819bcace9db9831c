import CloudKitWire
package import Crypto

/// A team's credentials for APNs: a signing key from Apple's developer site, and the IDs of both.
package struct APNsKey: Sendable, CustomStringConvertible {
    /// 10 characters A-Z and 0-9.
    package let teamID: String
    /// 10 characters A-Z and 0-9.
    package let keyID: String
    package let signingKey: P256.Signing.PrivateKey

    /// - Parameters:
    ///   - pem: The text of the file `AuthKey_<key id>.p8`. Blanks and other text around the key do not matter.
    ///   - teamID: As on the developer site under "Membership".
    ///   - keyID: As on the developer site next to the key, and in the file's name.
    /// - Throws: ``APNsKeyError``.
    package init(pem: String, teamID: String, keyID: String) throws(APNsKeyError) {
        guard Self.isAppleID(teamID) else { throw .invalidTeamID }
        guard Self.isAppleID(keyID) else { throw .invalidKeyID }
        self.teamID = teamID
        self.keyID = keyID
        signingKey = try PEMKey(pem).signingKey()
    }

    /// The IDs, never the key.
    package var description: String { "APNs key \(keyID) of team \(teamID)" }

    private static func isAppleID(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy { $0.isDigit || ($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z")) }
    }
}

/// Why a key, or one of its IDs, was refused; with a text for the person who has the file.
package enum APNsKeyError: Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case invalidTeamID, invalidKeyID
    case empty, tooLong, notPEM
    case publicKey, certificate, rsaKey, encryptedKey, otherContent
    /// A private key, but unreadable or not on the curve P-256.
    case notP256

    package var description: String {
        switch self {
        case .invalidTeamID:
            "The team id must be 10 characters A-Z and 0-9. Find it at developer.apple.com/account under Membership."
        case .invalidKeyID:
            "The key id must be 10 characters A-Z and 0-9. It is part of the key's file name: AuthKey_<key id>.p8."
        default: "\(finding) \(Self.expectation)"
        }
    }

    private var finding: String {
        switch self {
        case .empty: "The key is empty."
        case .tooLong: "This is too long to be a key."
        case .notPEM: "This is not a PEM text with a key."
        case .publicKey: "This is a public key; signing requires the private key."
        case .certificate: "This is a certificate; tokens are signed with a key instead."
        case .rsaKey: "This is an RSA key; APNs accepts only ECDSA keys on the curve P-256."
        case .encryptedKey: "This key is encrypted, and the server has no password for it."
        case .otherContent: "This PEM text contains something other than a private key."
        case .notP256: "This private key is damaged or of another kind (RSA, another curve) than ECDSA P-256."
        case .invalidTeamID, .invalidKeyID: ""
        }
    }

    private static let expectation =
        "Expected: the whole text of the .p8 file that developer.apple.com/account/resources/authkeys offers when a "
        + "key for APNs is created; it begins with -----BEGIN PRIVATE KEY-----."
}
