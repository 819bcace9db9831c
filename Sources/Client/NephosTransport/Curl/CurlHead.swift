#if canImport(Glibc)
    /// The header fields of a response.
    struct CurlHead {
        /// The most bytes of all lines, including those of interim responses.
        private static let limit = 256 << 10

        /// Names are in lower case. The values of a repeated field are joined with commas.
        private(set) var fields: [String: String] = [:]
        private var size = 0

        mutating func take(_ bytes: UnsafeRawBufferPointer) throws(TransportFault) {
            size += bytes.count
            guard size <= Self.limit else {
                throw TransportFault(kind: .lost, message: "the head of the answer has more than \(Self.limit) bytes")
            }
            // Each response begins with its status line; only the fields of the last one count.
            if bytes.starts(with: "HTTP/".utf8) {
                fields.removeAll(keepingCapacity: true)
                return
            }
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
            let name = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
            let value = Self.trimmed(bytes[(colon + 1)...])
            let text = String(decoding: value, as: UTF8.self)
            // Appended in place: a field may be repeated as often as the limit of the head permits.
            if fields[name]?.append(", \(text)") == nil { fields[name] = text }
        }

        private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
            var rest = bytes.drop { $0 <= UInt8(ascii: " ") }
            while let last = rest.last, last <= UInt8(ascii: " ") { rest.removeLast() }
            return rest
        }
    }
#endif
