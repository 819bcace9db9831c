public import CloudKitWire
import Crypto
public import NephosStorage

/// Limits for files of a container that no record references: uploaded and not saved yet, or no longer referenced. Each such file
/// is removed after a day (``AssetReceipt/grace``), so this is what can be uploaded in a day beyond what records reference.
public struct UnreferencedFileLimits: Sendable {
    /// For the uploads of one person or key.
    public var uploaderBytesMax: Int64 = 1 << 30
    /// For all files of a container in one environment.
    public var bytesMax: Int64 = 10 << 30

    public init() {}

    /// - Parameters:
    ///   - files: As stored.
    ///   - coming: What is currently being uploaded.
    /// - Throws: ``Refusal/limitExceeded(_:)`` if one more file must wait until others are referenced or removed.
    public func check(
        _ files: UnreferencedFiles, coming: UnreferencedFiles = UnreferencedFiles(), uploader: Int64
    ) throws(Refusal) {
        func sum(_ bytes: (UnreferencedFiles) -> Int64) -> Int64 { bytes(files) + bytes(coming) }
        if sum({ $0.byUploader[uploader] ?? 0 }) >= uploaderBytesMax {
            throw .limitExceeded(
                "LIMIT: your uploads that no record references can have at most \(uploaderBytesMax) bytes, and each file counts "
                    + "as at least \(UnreferencedFiles.bytesMin): save them in records, or wait until they are removed after a day"
            )
        }
        // An uploader counts with at most its own limit: files that were referenced and released may exceed it, and must not
        // block others.
        if sum({ $0.byUploader.values.reduce(0) { $0 + min($1, uploaderBytesMax) } }) >= bytesMax {
            throw .limitExceeded(
                "LIMIT: files of a container that no record references can have at most \(bytesMax) bytes: try again when some have "
                    + "been removed, a day after their upload")
        }
    }

    /// The uploader's part in nonces of files: 24 bits, which two of many uploaders may share.
    ///
    /// - Parameter key: The tenant's signing key.
    public static func uploader(_ user: UserID, key: [UInt8]) -> Int64 {
        var code = HMAC<SHA256>(key: SymmetricKey(data: key))
        code.update(data: Array("file uploader \(user.recordName)".utf8))
        let bits = code.finalize().prefix(3).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return (bits << UnreferencedFiles.uploaderShift) >> UnreferencedFiles.uploaderShift
    }

    /// The nonce of a file of this uploader. - Parameter random: 40 bits of it are used.
    public static func nonce(_ uploader: Int64, random: UInt64) -> Int64 {
        uploader << UnreferencedFiles.uploaderShift | Int64(random & ((1 << UnreferencedFiles.uploaderShift) - 1))
    }
}
