/// A stored file that is open for reading, by any thread and several at once. It is closed with the last reference.
package protocol AssetContent: AnyObject, Sendable {
    /// In bytes, when it was opened. Files never change; a size other than its row's shows that somebody changed this one.
    var size: Int64 { get }

    /// Fills the buffer with what the file has from an offset on.
    ///
    /// - Returns: How many bytes; fewer than the buffer has room for only where the file ends, 0 at its end or behind.
    /// - Throws: ``AssetError/failed(_:)``; ``AssetError/missing`` when the file was removed meanwhile on another machine.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int
}
