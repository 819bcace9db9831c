import CloudKitWire
import Crypto
import CryptoExtras
import Foundation

/// Encrypts values so that the server never sees them: AES-GCM under a key that is derived from a passphrase.
///
/// What is sealed is bound to its record and field, so that the server cannot hand one value out as another.
struct FieldCipher: Sendable {
    /// What is sealed begins so; another way to seal would begin otherwise.
    static let prefix = "nephos1."
    /// Of PBKDF2 with SHA-256, as OWASP recommended in 2023. A guess costs an attacker as much.
    private static let rounds = 600_000

    private let key: SymmetricKey

    /// - Parameters:
    ///   - salt: The same for all devices of a person: container, environment and user record name.
    init(passphrase: String, salt: String) throws {
        key = try KDF.Insecure.PBKDF2.deriveKey(
            from: Data(passphrase.utf8), salt: Data("nephos encrypted values\u{0}\(salt)".utf8), using: .sha256,
            outputByteCount: 32, rounds: Self.rounds)
    }

    /// - Parameter json: A field value, `{"value":…,"type":…}`.
    func seal(_ json: [UInt8], in record: CKRecordID, field: String) throws -> String {
        let box = try AES.GCM.seal(json, using: key, authenticating: Self.place(record, field))
        return Self.prefix + (box.combined ?? Data()).base64EncodedString()
    }

    /// - Throws: When it was sealed by another key, for another field, or changed since.
    func open(_ text: String, in record: CKRecordID, field: String) throws -> [UInt8] {
        let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))) ?? Data()
        return Array(
            try AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key, authenticating: Self.place(record, field)))
    }

    private static func place(_ record: CKRecordID, _ field: String) -> Data {
        Data([record.zoneID.zoneName, record.recordName, field].joined(separator: "\u{0}").utf8)
    }
}
