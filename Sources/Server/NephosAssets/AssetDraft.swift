/// A file that is being written. It is discarded with its last reference, unless it was published.
///
/// After an error it is good for nothing but discarding: what the disk has of it is unknown.
package protocol AssetDraft: AnyObject, Sendable {
    /// Bytes so far.
    var size: Int64 { get }

    /// Adds bytes at the end. - Throws: ``AssetError/full``, ``AssetError/failed(_:)``.
    func append(_ bytes: UnsafeRawBufferPointer) throws(AssetError)

    /// Makes it the file of this name. When this returns, file and name survive power loss.
    ///
    /// It never replaces a file. When it throws, the name stands for nothing, or for the whole content if the process or the
    /// disk died on the way; either way no row may name it.
    ///
    /// - Throws: ``AssetError/missing`` when the draft was removed as abandoned; ``AssetError/full``;
    ///   ``AssetError/failed(_:)``, also when there is a file of this name.
    func publish(as file: AssetFile) throws(AssetError)

    /// Removes it; nothing happens to one that was published or discarded.
    func discard()
}

extension AssetDraft {
    package func append(_ bytes: [UInt8]) throws(AssetError) {
        // Arrays do not lend their bytes to what throws an error of its own type.
        try bytes.withUnsafeBytes { bytes in Result { () throws(AssetError) in try append(bytes) } }.get()
    }
}
