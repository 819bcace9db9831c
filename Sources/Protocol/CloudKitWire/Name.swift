/// A name of a record, zone, type or field: UTF-8 compared byte by byte.
///
/// Swift's `String` treats canonically equivalent texts as equal ("é" composed and decomposed), CloudKit's names do not. So names
/// are used as keys only in this form. A name may share the memory of its request; use ``owned`` to keep it longer.
public struct Name: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let bytes: ArraySlice<UInt8>

    public init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }
    public init(_ text: String) { bytes = Array(text.utf8)[...] }
    public init(stringLiteral text: String) { self.init(text) }

    public var text: String { String(decoding: bytes, as: UTF8.self) }
    public var description: String { text }
    /// The same name with its own memory.
    public var owned: Name { Name(bytes: Array(bytes)[...]) }

    /// Whether it contains a control character: C0, DEL, or C1 (C2 80 … C2 9F in UTF-8).
    public var hasControlCharacters: Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && (0x80...0x9F).contains(byte)) { return true }
            previous = byte
        }
        return false
    }

    public static func == (left: Name, right: Name) -> Bool {
        left.bytes.count == right.bytes.count && compare(left, right) == 0
    }

    public static func < (left: Name, right: Name) -> Bool { compare(left, right) < 0 }

    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Compares in byte order: negative if `left` comes first.
    private static func compare(_ left: Name, _ right: Name) -> Int {
        left.bytes.withUnsafeBufferPointer { left in right.bytes.withUnsafeBufferPointer { left.compare($0) } }
    }
}
