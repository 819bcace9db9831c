import NephosStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Compares keys: negative if `left` is first, 0 if both are equal.
@inline(__always)
func compareKeys(_ left: Bytes, _ right: Bytes) -> Int {
    left.withUnsafeBytes { left in right.withUnsafeBytes { right in compareBytes(left, right) } }
}

@inline(__always)
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    guard let first = left.baseAddress, let second = right.baseAddress else { return left.count - right.count }
    let order = memcmp(first, second, min(left.count, right.count))
    return order != 0 ? Int(order) : left.count - right.count
}
