import Crypto
import NephosStorage

/// The change tag of a record as others than its owner see it. The owner's tag is a number that counts all changes of all of the owner's
/// zones; this one tells nothing, and is the same as long as the record is.
enum MemberTag {
    private static let name = Array("member tag ".utf8)

    /// The first 8 bytes of the code.
    static func code(of record: RecordRow, key: [UInt8]) -> UInt64 {
        var code = HMAC<SHA256>(key: SymmetricKey(data: key))
        code.update(data: name)
        for number in [record.database, record.number, record.tagSequence] {
            withUnsafeBytes(of: number.bigEndian) { code.update(data: $0) }
        }
        return code.finalize().withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    }
}
