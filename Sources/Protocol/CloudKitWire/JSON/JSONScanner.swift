/// Walks over JSON text without creating values: finds the ends of strings, numbers and whole values, and checks their syntax. The
/// UTF-8 must be valid.
///
/// Indices are those of the buffer. The buffer must outlive the scanner, which never leaves a `withUnsafe…` closure.
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let limits: JSONLimits

    /// The byte at `index`, or 0 after the end (JSON never contains an unescaped 0).
    @inline(__always)
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// Skips `text` at `index`; false, without skipping anything, if other bytes are there.
    @inline(__always)
    func skip(_ text: StaticString, _ index: inout Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != text.utf8Start[offset] { return false }
        index += count
        return true
    }

    @inline(__always)
    func skippingSpace(_ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return index
            }
        }
        return index
    }

    /// Index of the first `"`, `\` or control character at or after `start`; the count if there is none.
    @inline(__always)
    func endOfPlainText(_ start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(bytes)
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let hits = Self.special(word)
            if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return index }
            index += 1
        }
        return index
    }

    /// The high bits of those bytes of `word` that are `"`, `\` or below 0x20; exact up to the first of them.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return (found | (word &- ones &* 0x20) & ~word) & (ones &* 0x80)
    }

    /// - Parameter start: Index after the opening quote.
    /// - Returns: Index of the closing quote, and whether there are escapes before it.
    @inline(__always)
    func endOfString(_ start: Int) throws(WireError) -> (end: Int, hasEscapes: Bool) {
        let end = endOfPlainText(start)
        guard byte(end) == UInt8(ascii: "\"") else { return (try endOfEscapedString(start, from: end), true) }
        guard end - start <= limits.stringBytes else { throw tooLong(start) }
        return (end, false)
    }

    private func endOfEscapedString(_ start: Int, from first: Int) throws(WireError) -> Int {
        var index = first
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard index - start <= limits.stringBytes else { throw tooLong(start) }
                return index
            case UInt8(ascii: "\\"): index = try endOfEscape(index)
            default: throw WireError("control character in a string", offset: index)
            }
            index = endOfPlainText(index)
        }
        throw WireError("a string is not closed", offset: start - 1)
    }

    private func tooLong(_ start: Int) -> WireError {
        WireError("a string is longer than \(limits.stringBytes) bytes", offset: start - 1)
    }

    private func endOfEscape(_ backslash: Int) throws(WireError) -> Int {
        switch byte(backslash + 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(backslash)
            if unit & 0xF800 != 0xD800 { return backslash + 6 }
            let low = backslash + 6
            guard unit < 0xDC00, byte(low) == UInt8(ascii: "\\"), byte(low + 1) == UInt8(ascii: "u"),
                try codeUnit(low) & 0xFC00 == 0xDC00
            else { throw WireError("a lone surrogate in a string", offset: backslash) }
            return backslash + 12
        default: throw WireError("an unknown escape in a string", offset: backslash)
        }
    }

    /// The code unit of the escape `\uXXXX` at `backslash`.
    func codeUnit(_ backslash: Int) throws(WireError) -> UInt16 {
        var unit: UInt16 = 0
        for index in (backslash + 2)..<(backslash + 6) {
            guard let digit = Hexadecimal.value(of: byte(index)) else {
                throw WireError("\\u needs four hexadecimal digits", offset: backslash)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    /// Index after the number at `start`.
    @inline(__always)
    func endOfNumber(_ start: Int) throws(WireError) -> Int {
        var index = byte(start) == UInt8(ascii: "-") ? start + 1 : start
        let firstDigit = index
        index = endOfDigits(index)
        guard index > firstDigit else { throw WireError("not a JSON value", offset: start) }
        guard index == firstDigit + 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw WireError("a number with a leading zero", offset: start)
        }
        if byte(index) == UInt8(ascii: ".") { index = try endOfSomeDigits(index + 1) }
        if byte(index) | 0x20 == UInt8(ascii: "e") {
            let sign = byte(index + 1)
            let signed = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            index = try endOfSomeDigits(index + (signed ? 2 : 1))
        }
        guard index - start <= JSONLimits.numberBytes else {
            throw WireError("a number is longer than \(JSONLimits.numberBytes) bytes", offset: start)
        }
        return index
    }

    @inline(__always)
    private func endOfDigits(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index
    }

    private func endOfSomeDigits(_ start: Int) throws(WireError) -> Int {
        let end = endOfDigits(start)
        guard end > start else { throw WireError("a number without digits", offset: start) }
        return end
    }

    /// Index after the literal `true`, `false` or `null` at `start`.
    @inline(__always)
    func endOfLiteral(_ start: Int) throws(WireError) -> Int {
        let text: StaticString =
            switch byte(start) {
            case UInt8(ascii: "t"): "true"
            case UInt8(ascii: "f"): "false"
            default: "null"
            }
        for offset in 0..<text.utf8CodeUnitCount where byte(start + offset) != text.utf8Start[offset] {
            throw WireError(start < bytes.count ? "not a JSON value" : WireError.endsTooEarly, offset: start)
        }
        return start + text.utf8CodeUnitCount
    }

    /// Index after the value at `start`, whatever it is.
    ///
    /// - Parameter depth: How many containers are open around it.
    func endOfValue(_ start: Int, depth: Int) throws(WireError) -> Int {
        switch byte(start) {
        case UInt8(ascii: "\""): return try endOfString(start + 1).end + 1
        case UInt8(ascii: "{"): return try endOfContainer(start, depth: depth + 1, isObject: true)
        case UInt8(ascii: "["): return try endOfContainer(start, depth: depth + 1, isObject: false)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try endOfNumber(start)
        default: return try endOfLiteral(start)
        }
    }

    private func endOfContainer(_ start: Int, depth: Int, isObject: Bool) throws(WireError) -> Int {
        guard depth <= limits.depth else { throw limits.tooDeep(start) }
        let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        var index = skippingSpace(start + 1)
        if byte(index) == close { return index + 1 }
        while true {
            if isObject { index = try endOfKey(index) }
            index = skippingSpace(try endOfValue(index, depth: depth))
            let next = byte(index)
            if next == close { return index + 1 }
            guard next == UInt8(ascii: ",") else { throw expected(isObject ? "',' or '}'" : "',' or ']'", index) }
            index = skippingSpace(index + 1)
        }
    }

    /// Index of the value that belongs to the key at `start`.
    private func endOfKey(_ start: Int) throws(WireError) -> Int {
        guard byte(start) == UInt8(ascii: "\"") else { throw expected("a key in double quotes", start) }
        let colon = skippingSpace(try endOfString(start + 1).end + 1)
        guard byte(colon) == UInt8(ascii: ":") else { throw expected("':'", colon) }
        return skippingSpace(colon + 1)
    }

    func expected(_ what: String, _ index: Int) -> WireError {
        WireError(index < bytes.count ? "expected \(what)" : WireError.endsTooEarly, offset: index)
    }

    /// Appends the text between two quotes, escapes resolved. The syntax must be valid.
    func unescape(_ start: Int, _ end: Int, into text: inout [UInt8]) throws(WireError) {
        var index = start
        while index < end {
            let plain = min(endOfPlainText(index), end)
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[index..<plain]))
            if plain == end { return }
            index = plain + 2
            switch byte(plain + 1) {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = UInt32(try codeUnit(plain))
                index = plain + 6
                if scalar & 0xFC00 == 0xD800 {
                    scalar = 0x10000 + (scalar & 0x3FF) << 10 + UInt32(try codeUnit(index) & 0x3FF)
                    index = plain + 12
                }
                text.append(scalar: scalar)
            case let byte: text.append(byte)
            }
        }
    }
}

extension [UInt8] {
    /// Appends the UTF-8 of a Unicode scalar value.
    fileprivate mutating func append(scalar: UInt32) {
        switch scalar {
        case 0..<0x80: append(UInt8(scalar))
        case 0..<0x800: append(contentsOf: [UInt8(0xC0 | scalar >> 6), UInt8(0x80 | scalar & 0x3F)])
        case 0..<0x10000:
            append(UInt8(0xE0 | scalar >> 12))
            append(contentsOf: [UInt8(0x80 | scalar >> 6 & 0x3F), UInt8(0x80 | scalar & 0x3F)])
        default:
            append(contentsOf: [UInt8(0xF0 | scalar >> 18), UInt8(0x80 | scalar >> 12 & 0x3F)])
            append(contentsOf: [UInt8(0x80 | scalar >> 6 & 0x3F), UInt8(0x80 | scalar & 0x3F)])
        }
    }
}
