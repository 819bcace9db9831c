#if canImport(Glibc)
    /// The lines before an answer's body.
    struct CurlHead {
        /// Bytes of all lines, those of interim answers among them.
        private static let limit = 256 << 10

        /// Names in lower case. What comes twice is joined by a comma.
        private(set) var fields: [String: String] = [:]
        private var size = 0

        mutating func take(_ bytes: UnsafeRawBufferPointer) throws(TransportFault) {
            size += bytes.count
            guard size <= Self.limit else {
                throw TransportFault(kind: .lost, message: "the head of the answer has more than \(Self.limit) bytes")
            }
            // Each answer begins with its status; the last one counts.
            if bytes.starts(with: "HTTP/".utf8) {
                fields.removeAll(keepingCapacity: true)
                return
            }
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
            let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
            let value = Self.trimmed(bytes[(colon + 1)...])
            let text = String(decoding: value, as: UTF8.self)
            fields[name] = fields[name].map { "\($0), \(text)" } ?? text
        }

        private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
            var rest = bytes.drop { $0 <= UInt8(ascii: " ") }
            while let last = rest.last, last <= UInt8(ascii: " ") { rest.removeLast() }
            return rest
        }
    }
#endif
