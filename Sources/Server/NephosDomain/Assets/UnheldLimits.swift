public import CloudKitWire
import Crypto
public import NephosStorage

/// How much may lie in a container's store that no record holds: what was uploaded and not saved yet, and what was let go. Each
/// such file goes after a day (``AssetReceipt/grace``), so this is what can be uploaded in a day beyond what records hold.
public struct UnheldLimits: Sendable {
    /// Of what one person or key has uploaded.
    public var uploaderBytesMax: Int64 = 1 << 30
    /// Of all of a container in one environment.
    public var bytesMax: Int64 = 10 << 30

    public init() {}

    /// - Parameters:
    ///   - files: As they are stored.
    ///   - coming: What is being uploaded at the moment.
    /// - Throws: ``Refusal/limitExceeded(_:)`` where one more file must wait until others are held or gone.
    public func check(
        _ files: UnheldFiles, coming: UnheldFiles = UnheldFiles(), uploader: Int64
    ) throws(Refusal) {
        func sum(_ bytes: (UnheldFiles) -> Int64) -> Int64 { bytes(files) + bytes(coming) }
        if sum({ $0.byUploader[uploader] ?? 0 }) >= uploaderBytesMax {
            throw .limitExceeded(
                "LIMIT: what you have uploaded and no record holds may have \(uploaderBytesMax) bytes, and each file counts "
                    + "as \(UnheldFiles.bytesMin) at least: save it in records, or wait until it is removed after a day"
            )
        }
        // Of one uploader no more counts than that may have: what was held and let go again may be more, and bars nobody else.
        if sum({ $0.byUploader.values.reduce(0) { $0 + min($1, uploaderBytesMax) } }) >= bytesMax {
            throw .limitExceeded(
                "LIMIT: the files of a container that no record holds may have \(bytesMax) bytes: try again when some were "
                    + "removed, a day after they were uploaded")
        }
    }

    /// What nonces of files say of their uploader: 24 bits, which two of many may share.
    ///
    /// - Parameter key: The tenant's signing key.
    public static func uploader(_ user: UserID, key: [UInt8]) -> Int64 {
        var code = HMAC<SHA256>(key: SymmetricKey(data: key))
        code.update(data: Array("file uploader \(user.recordName)".utf8))
        let bits = code.finalize().prefix(3).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return (bits << UnheldFiles.uploaderShift) >> UnheldFiles.uploaderShift
    }

    /// The nonce of a file that this uploader brings. - Parameter random: Of which 40 bits are taken.
    public static func nonce(_ uploader: Int64, random: UInt64) -> Int64 {
        uploader << UnheldFiles.uploaderShift | Int64(random & ((1 << UnheldFiles.uploaderShift) - 1))
    }
}
