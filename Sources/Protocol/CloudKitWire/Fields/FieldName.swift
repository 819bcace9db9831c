/// The rule for names of fields (docs/protocol.md, "Field values"): a letter, then letters, digits and underscores, 1 to 255 bytes
/// of ASCII, optionally prefixed with `cloudkit.`.
public enum FieldName {
    public static let bytesMax = 255

    public static func isValid(_ name: Name) -> Bool {
        guard name.bytes.count <= bytesMax else { return false }
        return name.bytes.withUnsafeBufferPointer { bytes in
            if isPlain(bytes) { return true }
            return prefix ~= UnsafeBufferPointer(rebasing: bytes.prefix(prefix.utf8CodeUnitCount))
                && isPlain(UnsafeBufferPointer(rebasing: bytes.dropFirst(prefix.utf8CodeUnitCount)))
        }
    }

    private static let prefix: StaticString = "cloudkit."

    @inline(__always)
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        for byte in bytes where !byte.isLetter && !byte.isDigit && byte != UInt8(ascii: "_") { return false }
        return true
    }
}
