import CloudKitWire
import Crypto
import CryptoExtras
import Foundation

/// Encrypts values so that the server never sees them: AES-GCM with a key that is derived from a passphrase.
///
/// Each encrypted value is bound to its record and field, so that the server cannot return it in place of another.
struct FieldCipher: Sendable {
    /// The prefix of every encrypted value. Another format would have another prefix.
    static let prefix = "nephos1."
    /// The iterations of PBKDF2 with SHA-256, as OWASP recommended in 2023. Each guess costs an attacker as many.
    private static let rounds = 600_000

    private let key: SymmetricKey

    /// Derives the key from a passphrase, which takes a moment.
    ///
    /// - Parameters:
    ///   - salt: The container, the environment and the user record name: the same on all devices of a person.
    init(passphrase: String, salt: String) throws {
        key = try KDF.Insecure.PBKDF2.deriveKey(
            from: Data(passphrase.utf8), salt: Data("nephos encrypted values\u{0}\(salt)".utf8), using: .sha256,
            outputByteCount: 32, rounds: Self.rounds)
    }

    /// Encrypts a field value.
    ///
    /// - Parameter json: A field value, `{"value":…,"type":…}`.
    func seal(_ json: [UInt8], in record: CKRecordID, field: String) throws -> String {
        let box = try AES.GCM.seal(json, using: key, authenticating: Self.place(record, field))
        return Self.prefix + (box.combined ?? Data()).base64EncodedString()
    }

    /// Decrypts a field value.
    ///
    /// - Throws: An error if the text was encrypted with another key or for another field, or was changed since.
    func open(_ text: String, in record: CKRecordID, field: String) throws -> [UInt8] {
        let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))) ?? Data()
        return Array(
            try AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key, authenticating: Self.place(record, field)))
    }

    private static func place(_ record: CKRecordID, _ field: String) -> Data {
        Data([record.zoneID.zoneName, record.recordName, field].joined(separator: "\u{0}").utf8)
    }
}
