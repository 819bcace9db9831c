extension JSON: CustomStringConvertible {
    /// The document as text, with members in order.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The document as UTF-8, with members in order.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .absent, .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let digits): output += digits.utf8
        case .string(let text): JSON.write(text, to: &output)
        case .array(let elements): JSON.write(elements, "[", "]", to: &output) { $0.write(to: &$1) }
        case .object(let members):
            JSON.write(members, "{", "}", to: &output) { member, output in
                JSON.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], _ open: Unicode.Scalar, _ close: Unicode.Scalar, to output: inout [UInt8],
        each: (Element, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: open))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            each(element, &output)
        }
        output.append(UInt8(ascii: close))
    }

    /// Escapes what must be escaped, and nothing else.
    private static func write(_ text: String, to output: inout [UInt8]) {
        var text = text
        output.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return }
            // By pointer, because test builds are not optimized.
            var (plain, at) = (0, 0)
            while at < bytes.count {
                let byte = start[at]
                if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain..<at]))
                    output += escaped(byte).utf8
                    plain = at + 1
                }
                at += 1
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func escaped(_ byte: UInt8) -> String {
        if byte >= 0x20 { return "\\" + String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
