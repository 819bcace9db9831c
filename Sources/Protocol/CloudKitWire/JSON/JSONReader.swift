/// A pull parser that reads a JSON document in one pass: the caller requests the value that it expects next. docs/protocol.md,
/// "JSON", defines the accepted JSON.
///
/// A reader is a value: a copy continues from the position at which it was taken.
public struct JSONReader: Sendable {
    /// The kind of the next value.
    public enum Kind: Sendable, Equatable { case object, array, string, number, bool, null }

    /// The document. Strings without escapes are returned as slices of it.
    let bytes: ArraySlice<UInt8>
    /// Index into `bytes`.
    var position: Int
    private var depth = 0
    private let limits: JSONLimits
    /// Keys of the open objects, the innermost object's last, to find duplicates. Only the first ``keyCount`` are valid, so that
    /// dropping the others costs nothing.
    private var keys: [KeyPrint] = []
    private var keyCount = 0

    /// - Throws: `WireError` if the bytes are not UTF-8 or begin with a byte order mark.
    public init(_ bytes: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(WireError) {
        if let index = bytes.withUnsafeBufferPointer(UTF8Validation.firstError(in:)) {
            throw WireError("not UTF-8", offset: index)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw WireError("a byte order mark", offset: 0) }
        self.init(checked: bytes, limits: limits)
    }

    /// A reader of a part of a document whose UTF-8 was validated.
    init(checked bytes: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) {
        self.bytes = bytes
        self.limits = limits
        position = bytes.startIndex
        skipSpace()
    }

    /// The unread bytes.
    public var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Offset of the next byte from the beginning of the document.
    public var offset: Int { position - bytes.startIndex }

    /// Ensures that nothing follows the value that was read.
    public func finish() throws(WireError) {
        guard position == bytes.endIndex else { throw WireError("unexpected text after the document", offset: offset) }
    }

    // MARK: Containers

    /// Reads an object. `member` is called for each key and reads its value; unread values are skipped.
    ///
    /// - Throws: `WireError` for a duplicate key.
    public mutating func readObject(
        _ member: (inout JSONReader, JSONKey) throws(WireError) -> Void
    ) throws(WireError) {
        guard try open(UInt8(ascii: "{"), close: UInt8(ascii: "}"), "an object") else { return }
        let firstKey = keyCount
        var manyKeys: Set<Name> = []
        repeat {
            let key = try readKey(since: firstKey, &manyKeys)
            let start = position
            do throws(WireError) {
                try member(&self, key)
            } catch {
                throw error.within(key)
            }
            if position == start { try skipValue() }
        } while try continues(UInt8(ascii: "}"), "',' or '}'")
        keyCount = firstKey
    }

    /// Reads an array. `element` is called for each element with its index and reads it; unread elements are skipped.
    public mutating func readArray(
        _ element: (inout JSONReader, Int) throws(WireError) -> Void
    ) throws(WireError) {
        guard try open(UInt8(ascii: "["), close: UInt8(ascii: "]"), "an array") else { return }
        var index = 0
        repeat {
            let start = position
            do throws(WireError) {
                try element(&self, index)
            } catch {
                throw error.within(index: index)
            }
            if position == start { try skipValue() }
            index += 1
        } while try continues(UInt8(ascii: "]"), "',' or ']'")
    }

    /// Opens a container; false if it is empty (it is then closed again).
    private mutating func open(_ open: UInt8, close: UInt8, _ what: String) throws(WireError) -> Bool {
        guard next == open else { throw unexpected(what) }
        depth += 1
        guard depth <= limits.depth else { throw limits.tooDeep(offset) }
        advance()
        if next != close { return true }
        depth -= 1
        advance()
        return false
    }

    /// Consumes the comma before another element, or the end of the container; false at the end.
    @inline(__always)
    private mutating func continues(_ close: UInt8, _ what: String) throws(WireError) -> Bool {
        let byte = next
        guard byte == UInt8(ascii: ",") || byte == close else { throw unexpected(what) }
        advance()
        if byte != close { return true }
        depth -= 1
        return false
    }

    // MARK: Keys

    /// Reads a key with its colon, and ensures that it is unique in its object.
    ///
    /// - Parameter firstKey: The index of the first key of its object.
    @inline(__always)
    private mutating func readKey(since firstKey: Int, _ manyKeys: inout Set<Name>) throws(WireError) -> JSONKey {
        guard next == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
        let start = position
        let key = JSONKey(bytes: try readString())
        guard next == UInt8(ascii: ":") else { throw unexpected("':'") }
        advance()
        let print = KeyPrint(key.bytes, start: start)
        guard keyCount - firstKey < 32 else {
            try refuseSecond(ofMany: key, since: firstKey, &manyKeys)
            return key
        }
        var index = firstKey
        while index < keyCount {
            if keys[index].mayEqual(print), try name(at: keys[index].start) == key.name { throw duplicate(key) }
            index += 1
        }
        push(print)
        return key
    }

    @inline(__always)
    private mutating func push(_ print: KeyPrint) {
        if keyCount < keys.count {
            keys[keyCount] = print
        } else {
            if keys.isEmpty { keys.reserveCapacity(16) }
            keys.append(print)
        }
        keyCount += 1
    }

    /// Many keys are checked with a set, so that a hostile document takes only linear time, and the size of the set is limited.
    private func refuseSecond(
        ofMany key: JSONKey, since firstKey: Int, _ manyKeys: inout Set<Name>
    ) throws(WireError) {
        if manyKeys.isEmpty {
            for index in firstKey..<keyCount { manyKeys.insert(try name(at: keys[index].start)) }
        }
        guard manyKeys.count < JSONLimits.membersMax else {
            throw WireError("more than \(JSONLimits.membersMax) keys in one object", offset: offset)
        }
        guard manyKeys.insert(key.name).inserted else { throw duplicate(key) }
    }

    /// The string at an index of `bytes`, read again.
    private func name(at start: Int) throws(WireError) -> Name {
        var reader = self
        reader.position = start
        return try reader.readName()
    }

    private func duplicate(_ key: JSONKey) -> WireError {
        WireError("the key '\(WireError.excerpt(key.bytes))' appears twice", offset: offset)
    }

    // MARK: Scalars

    /// The kind of the next value.
    public var kind: Kind {
        get throws(WireError) {
            switch next {
            case UInt8(ascii: "{"): .object
            case UInt8(ascii: "["): .array
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
            case UInt8(ascii: "n"): .null
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
            default: throw unexpected("a value")
            }
        }
    }

    /// Consumes a `null`; false, without reading anything, if the next value is another one.
    @inline(__always)
    public mutating func readNull() throws(WireError) -> Bool {
        guard next == UInt8(ascii: "n") else { return false }
        try skipValue()
        return true
    }

    public mutating func readBool() throws(WireError) -> Bool {
        let isTrue = next == UInt8(ascii: "t")
        guard isTrue || next == UInt8(ascii: "f") else { throw unexpected("true or false") }
        try skipValue()
        return isTrue
    }

    /// Reads a string: a slice of the document if it has no escapes, otherwise newly allocated bytes.
    @inline(__always)
    public mutating func readString() throws(WireError) -> ArraySlice<UInt8> {
        guard next == UInt8(ascii: "\"") else { throw unexpected("a string") }
        let first = position + 1
        let (end, hasEscapes) = try scan(first) { scanner, start throws(WireError) in try scanner.endOfString(start) }
        position = bytes.startIndex + end + 1
        skipSpace()
        let last = bytes.startIndex + end
        return hasEscapes ? try unescaped(first..<last) : bytes[first..<last]
    }

    public mutating func readName() throws(WireError) -> Name { Name(bytes: try readString()) }

    private func unescaped(_ range: Range<Int>) throws(WireError) -> ArraySlice<UInt8> {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        try scan(range.lowerBound) { scanner, start throws(WireError) in
            try scanner.unescape(start, start + range.count, into: &text)
        }
        return text[...]
    }

    /// Reads a whole number that fits 64 bits: `3`, also `3.0` and `3e2`.
    public mutating func readInt64() throws(WireError) -> Int64 {
        let start = offset
        guard let value = JSONNumber.int64(try readNumber()) else {
            throw WireError("not a 64-bit integer", offset: start)
        }
        return value
    }

    /// Reads a time in milliseconds since 1970, without a fraction of a millisecond.
    public mutating func readMilliseconds() throws(WireError) -> Int64 {
        let start = offset
        guard let value = JSONNumber.integer(try readNumber(), of: .timestamp) else {
            throw WireError("not a number of milliseconds of 64 bits", offset: start)
        }
        return value
    }

    /// Reads a number as the nearest double.
    public mutating func readDouble() throws(WireError) -> Double {
        let start = offset
        guard let value = JSONNumber.double(try readNumber()) else {
            throw WireError("a number beyond the range of a double", offset: start)
        }
        return value
    }

    /// Reads a number as written.
    @inline(__always)
    mutating func readNumber() throws(WireError) -> ArraySlice<UInt8> {
        let start = position
        guard next == UInt8(ascii: "-") || next &- UInt8(ascii: "0") < 10 else { throw unexpected("a number") }
        let end = try scan(start) { scanner, start throws(WireError) in try scanner.endOfNumber(start) }
        position = bytes.startIndex + end
        defer { skipSpace() }
        return bytes[start..<position]
    }

    /// Skips the next value, whatever it is, and checks its syntax.
    ///
    /// - Returns: The value as written.
    @discardableResult
    @inline(__always)
    public mutating func skipValue() throws(WireError) -> ArraySlice<UInt8> {
        let start = position
        let depth = depth
        let end = try scan(start) { scanner, start throws(WireError) in try scanner.endOfValue(start, depth: depth) }
        position = bytes.startIndex + end
        defer { skipSpace() }
        return bytes[start..<position]
    }

    /// Skips the next value, and returns a reader of it, for callers that must first know what follows it.
    public mutating func readLater() throws(WireError) -> JSONReader {
        JSONReader(checked: try skipValue(), limits: limits)
    }

    /// Reads the next value with `body`. If that fails, the value is skipped, and `failed` handles the failure: for callers that
    /// can omit one element of many. Costs nothing unless `body` fails.
    ///
    /// - Parameter failed: Called with a reader of the value, and the error of `body`.
    /// - Throws: Errors of `failed`, and `WireError` for a value with invalid syntax.
    public mutating func read(
        _ body: (inout JSONReader) throws(WireError) -> Void,
        orElse failed: (JSONReader, WireError) throws(WireError) -> Void
    ) throws(WireError) {
        // Not a copy of the reader, which would have to copy its keys when the next one is added.
        let (start, depth, keyCount) = (position, depth, keyCount)
        do throws(WireError) {
            try body(&self)
        } catch {
            position = start
            self.depth = depth
            self.keyCount = keyCount
            try failed(try readLater(), error)
        }
    }

    // MARK: Bytes

    /// The next byte; 0 at the end. Whitespace was already skipped.
    @inline(__always)
    var next: UInt8 { position < bytes.endIndex ? bytes[position] : 0 }

    @inline(__always)
    private mutating func advance() {
        position += 1
        skipSpace()
    }

    @inline(__always)
    private mutating func skipSpace() {
        while position < bytes.endIndex, bytes[position] <= 0x20 {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Runs a scan from the index `start` of `bytes`; its result counts from the beginning of `bytes`.
    @inline(__always)
    private func scan<Value>(
        _ start: Int, _ body: (JSONScanner, Int) throws(WireError) -> Value
    ) throws(WireError) -> Value {
        try bytes.withUnsafeBufferPointer { buffer throws(WireError) in
            try body(JSONScanner(bytes: buffer, limits: limits), start - bytes.startIndex)
        }
    }

    /// Scans the contents of the next container, like ``scan``.
    ///
    /// - Parameter body: Receives the depth of the contents.
    @inline(__always)
    func scanInside<Value>(_ body: (JSONScanner, Int, Int) -> Value?) -> Value? {
        guard depth < limits.depth else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            body(JSONScanner(bytes: buffer, limits: limits), position - bytes.startIndex, depth + 1)
        }
    }

    /// Continues after a value, at an offset from the beginning of the document.
    @inline(__always)
    mutating func pass(offset: Int) {
        position = bytes.startIndex + offset
        skipSpace()
    }

    func unexpected(_ what: String) -> WireError {
        WireError(position < bytes.endIndex ? "expected \(what)" : WireError.endsTooEarly, offset: offset)
    }
}

/// Length and first bytes of a key: enough to distinguish most keys without reading them again.
private struct KeyPrint: Sendable {
    /// The position of the key's opening quote.
    let start: Int
    private let count: Int
    private let head: UInt64

    init(_ bytes: ArraySlice<UInt8>, start: Int) {
        self.start = start
        count = bytes.count
        head = bytes.withUnsafeBytes { raw in
            if raw.count >= 8 { return raw.loadUnaligned(as: UInt64.self) }
            var word: UInt64 = 0
            for byte in raw { word = word << 8 | UInt64(byte) }
            return word
        }
    }

    func mayEqual(_ other: KeyPrint) -> Bool { head == other.head && count == other.count }
}
