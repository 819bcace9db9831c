/// A key of a JSON object with escapes resolved, for comparison with known keys: `switch key { case "zoneID": … }`. Comparing
/// allocates nothing.
public struct JSONKey: Sendable {
    public let bytes: ArraySlice<UInt8>

    public var name: Name { Name(bytes: bytes) }

    @inline(__always)
    public static func ~= (text: StaticString, key: JSONKey) -> Bool { key.bytes.equals(text) }
}

extension ArraySlice<UInt8> {
    /// Whether these bytes are the UTF-8 of `text`.
    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        withUnsafeBufferPointer { text ~= $0 }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these bytes are the UTF-8 of `text`.
    @inline(__always)
    static func ~= (text: StaticString, bytes: Self) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count == count else { return false }
        for index in 0..<count where bytes[index] != text.utf8Start[index] { return false }
        return true
    }
}
