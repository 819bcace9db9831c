/// Why a text is not valid JSON, and at which byte.
package struct JSONError: Error, CustomStringConvertible {
    package var reason: String
    package var offset: Int

    package var description: String { "not JSON at byte \(offset): \(reason)" }
}

extension JSON {
    /// Parses one UTF-8 document, strictly by RFC 8259: a response that needs a tolerant parser is a fault.
    ///
    /// - Throws: ``JSONError``.
    package init(reading bytes: [UInt8]) throws {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw JSONError(reason: "not UTF-8", offset: 0) }
        self = try bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes: bytes)
            return try reader.document()
        }
    }

    /// Parses one document. - Throws: ``JSONError``.
    package init(parsing text: String) throws { try self.init(reading: Array(text.utf8)) }
}

/// Iterates over the bytes by pointer, because test builds are not optimized and would spend most of their time here.
private struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    mutating func document() throws -> JSON {
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw error("more after the document") }
        return value
    }

    private func error(_ reason: String) -> JSONError { JSONError(reason: reason, offset: position) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func take(_ expected: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: expected) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ word: StaticString, _ value: JSON) throws -> JSON {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count,
            bytes[position..<position + length].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: length))
        else { throw error("expected \(word)") }
        position += length
        return value
    }

    private mutating func value() throws -> JSON {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try expect("true", .bool(true))
        case UInt8(ascii: "f"): return try expect("false", .bool(false))
        case UInt8(ascii: "n"): return try expect("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws -> JSON {
        position += 1
        var members: [JSON.Member] = []
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("expected a name") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw error("expected ':'") }
            members.append(JSON.Member(name, try value()))
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("expected '}'") }
        return .object(members)
    }

    private mutating func array() throws -> JSON {
        position += 1
        var elements: [JSON] = []
        skipSpace()
        if take("]") { return .array(elements) }
        repeat {
            elements.append(try value())
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("expected ']'") }
        return .array(elements)
    }

    private mutating func number() throws -> String {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return text(start..<position)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    private mutating func digits() throws {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw error("expected a digit") }
    }

    private mutating func string() throws -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            let start = position
            passPlain()
            guard let byte = next else { throw error("a string without end") }
            position += 1
            if byte == UInt8(ascii: "\""), text.isEmpty { return self.text(start..<position - 1) }
            text += UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try appendEscaped(to: &text)
            default: throw error("control character in a string")
            }
        }
    }

    /// Skips characters without special meaning.
    private mutating func passPlain() {
        guard let start = bytes.baseAddress else { return }
        var at = position
        while at < bytes.count {
            let byte = start[at]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            at += 1
        }
        position = at
    }

    private mutating func appendEscaped(to text: inout [UInt8]) throws {
        guard let byte = next else { throw error("an escape without end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += Array(String(try escapedScalar()).utf8)
        default: throw error("unknown escape")
        }
    }

    private mutating func escapedScalar() throws -> Unicode.Scalar {
        let unit = try hexadecimal4()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard (0xD800...0xDBFF).contains(unit), take("\\"), take("u") else { throw error("lone surrogate") }
        let low = try hexadecimal4()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw error("lone surrogate") }
        return scalar
    }

    private mutating func hexadecimal4() throws -> UInt16 {
        guard position + 4 <= bytes.count,
            let unit = UInt16(text(position..<position + 4), radix: 16),
            bytes[position] != UInt8(ascii: "+"), bytes[position] != UInt8(ascii: "-")
        else { throw error("expected four hexadecimal digits") }
        position += 4
        return unit
    }
}
