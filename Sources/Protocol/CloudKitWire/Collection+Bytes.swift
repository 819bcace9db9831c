#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the view of a text's bytes does one by one, done in its memory: every request carries tokens. Inlinable, so that it
/// is made for each kind of bytes in the rooms that use it.
extension Collection<UInt8> {
    /// Where a byte first stands.
    @inlinable package func place(of byte: UInt8) -> Index? {
        switch withContiguousStorageIfAvailable({ $0.offset(of: byte) }) {
        case .some(let offset): offset.map { index(startIndex, offsetBy: $0) }
        case nil: firstIndex(of: byte)
        }
    }

    /// Whether both are the same bytes. Texts that Unicode calls equal may not be.
    @inlinable package func isSame(as other: some Collection<UInt8>) -> Bool {
        let answer = withContiguousStorageIfAvailable { left in
            other.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
        }
        return (answer ?? nil) ?? elementsEqual(other)
    }
}

extension UnsafeBufferPointer<UInt8> {
    @usableFromInline package func offset(of byte: UInt8) -> Int? {
        guard let base = baseAddress, let found = memchr(base, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
