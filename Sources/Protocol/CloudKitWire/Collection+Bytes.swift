#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Searches and comparisons in contiguous storage where the text's view would go byte by byte: every request carries tokens.
/// Inlinable, so that it is specialized in the modules that use it.
extension Collection<UInt8> {
    /// The first index of a byte.
    @inlinable package func place(of byte: UInt8) -> Index? {
        switch withContiguousStorageIfAvailable({ $0.offset(of: byte) }) {
        case .some(let offset): offset.map { index(startIndex, offsetBy: $0) }
        case nil: firstIndex(of: byte)
        }
    }

    /// Whether both are the same bytes. Texts that are equal in Unicode may differ.
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
