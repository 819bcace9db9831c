/// A file that is being written. It is discarded with its last reference, unless it was published.
///
/// After an error it can only be discarded: its content on the disk is unknown.
package protocol AssetDraft: AnyObject, Sendable {
    /// Bytes so far.
    var size: Int64 { get }

    /// Adds bytes at the end. - Throws: ``AssetError/full``, ``AssetError/failed(_:)``.
    func append(_ bytes: UnsafeRawBufferPointer) throws(AssetError)

    /// Publishes it under this name. When this returns, file and name survive power loss.
    ///
    /// It never replaces a file. If it throws, there is no file with this name, or the complete one if the process or the disk
    /// died meanwhile; either way no row may name it.
    ///
    /// - Throws: ``AssetError/missing`` if the draft was removed as abandoned; ``AssetError/full``; ``AssetError/failed(_:)``,
    ///   also if a file with this name exists.
    func publish(as file: AssetFile) throws(AssetError)

    /// Removes it; no effect on one that was published or discarded.
    func discard()
}

extension AssetDraft {
    package func append(_ bytes: [UInt8]) throws(AssetError) {
        // Array's `withUnsafeBytes` does not support typed throws.
        try bytes.withUnsafeBytes { bytes in Result { () throws(AssetError) in try append(bytes) } }.get()
    }
}
