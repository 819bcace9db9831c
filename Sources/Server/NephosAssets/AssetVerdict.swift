/// The state of a published file.
package enum AssetVerdict: Sendable, Equatable {
    /// Its content matches its address. The size is in bytes.
    case intact(size: Int64)
    /// Its content was changed, truncated or extended.
    case altered(size: Int64)
    /// It does not exist.
    case missing
}

extension AssetStore {
    /// Reads a whole file, in pieces, and computes its address again.
    ///
    /// - Parameters:
    ///   - key: The tenant's.
    ///   - progress: Called with the size of each piece.
    /// - Throws: ``AssetError/failed(_:)`` if it cannot be read.
    package func verify(
        _ file: AssetFile, key: [UInt8], progress: (Int) -> Void = { _ in }
    ) throws(AssetError) -> AssetVerdict {
        do throws(AssetError) {
            let (address, size) = try open(file).address(AssetHasher(key: key, database: file.database), progress)
            return address == file.address ? .intact(size: size) : .altered(size: size)
        } catch .missing {
            return .missing
        }
    }
}

extension AssetContent {
    private static var pieceBytes: Int { 256 << 10 }

    /// The address and size of the file's current content.
    fileprivate func address(
        _ empty: AssetHasher, _ progress: (Int) -> Void
    ) throws(AssetError) -> (AssetAddress, Int64) {
        var hasher = empty
        var size: Int64 = 0
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = try read(at: size, into: piece)
            guard count > 0 else { return (hasher.finalize(), size) }
            hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            size += Int64(count)
            progress(count)
        }
    }
}
