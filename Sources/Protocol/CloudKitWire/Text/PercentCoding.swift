/// Percent-encoding of URLs (RFC 3986 §2.1).
package enum PercentCoding {
    /// nil if a percent sign is not followed by two hexadecimal digits. Inlinable, because every request has a path.
    @inlinable package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(Hexadecimal.value), let low = rest.next().flatMap(Hexadecimal.value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// A text encoded as a value in a query: letters, digits and `-._~` are unchanged.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isLetter || byte.isDigit || marks.contains(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes += [byte >> 4, byte & 15].map { Hexadecimal.digit($0, ten: UInt8(ascii: "A")) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let marks = Array("-._~".utf8)
}
