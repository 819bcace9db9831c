/// A stored file that is open for reading, by any thread and by several concurrently. It is closed with the last reference.
package protocol AssetContent: AnyObject, Sendable {
    /// In bytes, at the time of opening. Files never change; a size that differs from its row's means that the file was tampered
    /// with.
    var size: Int64 { get }

    /// Fills the buffer with the content from an offset on.
    ///
    /// - Returns: The number of bytes; fewer than the buffer's size only at the end of the file, 0 at or after its end.
    /// - Throws: ``AssetError/failed(_:)``; ``AssetError/missing`` if the file was removed meanwhile on another machine.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int
}
