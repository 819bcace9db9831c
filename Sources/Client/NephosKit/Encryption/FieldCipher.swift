import CloudKitWire
import Crypto
import CryptoExtras
import Foundation

/// The field that a value is sealed for. Opened for any other one, the value is an error.
struct SealedField: Sendable {
    var scope: CKDatabaseScope
    var record: CKRecordID
    var recordType: CKRecord.RecordType
    var name: CKRecord.FieldKey
}

/// Seals values, so that the server cannot see them, nor return one that nobody sealed for this field: AES-GCM with a key that is
/// derived from a passphrase.
struct FieldCipher: Sendable {
    /// The prefix of every sealed value. It states the format: another one would have another prefix.
    static let prefix = "nephos2."
    /// The iterations of PBKDF2 with SHA-256, as OWASP recommended in 2023. Each guess costs an attacker as many.
    private static let rounds = 600_000

    private let key: SymmetricKey
    private let container, environment, user: String

    /// Derives the key from a passphrase, which takes a moment. It is the same on all devices of a person.
    ///
    /// - Parameter user: The name of the person's user record.
    init(passphrase: String, container: String, environment: String, user: String) throws {
        (self.container, self.environment, self.user) = (container, environment, user)
        key = try KDF.Insecure.PBKDF2.deriveKey(
            from: Data(passphrase.utf8), salt: Self.joined(["nephos encrypted values", container, environment, user]),
            using: .sha256, outputByteCount: 32, rounds: Self.rounds)
    }

    /// Seals a field value.
    ///
    /// - Parameter json: A field value with its type, `{"value":…,"type":…}`.
    func seal(_ json: [UInt8], for field: SealedField) throws -> String {
        let box = try AES.GCM.seal(json, using: key, authenticating: address(of: field))
        return Self.prefix + (box.combined ?? Data()).base64EncodedString()
    }

    /// Opens a sealed value.
    ///
    /// - Throws: An error if the text was sealed with another key or for another field, or was changed since.
    func open(_ text: String, for field: SealedField) throws -> [UInt8] {
        let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))) ?? Data()
        return Array(
            try AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key, authenticating: address(of: field)))
    }

    /// What is authenticated with a value: the whole address of its field.
    ///
    /// A shared database shows zones of other people's private databases, so a zone has the same address in both, and its owner is
    /// named by their user record, however a program spells it.
    private func address(of field: SealedField) -> Data {
        let zone = field.record.zoneID
        return Self.joined([
            container, environment, field.scope == .public ? "public" : "private",
            zone.ownerName == CKCurrentUserDefaultName ? user : zone.ownerName, zone.zoneName, field.record.recordName,
            field.recordType, field.name,
        ])
    }

    /// Texts with their lengths before them, so that no other list of texts gives the same bytes.
    private static func joined(_ texts: [String]) -> Data {
        texts.reduce(into: Data()) { data, text in
            withUnsafeBytes(of: UInt64(text.utf8.count).bigEndian) { data.append(contentsOf: $0) }
            data.append(contentsOf: text.utf8)
        }
    }
}
