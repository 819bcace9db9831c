/// Who somebody is inside one tenant: 16 random bytes, written `_` and 32 hexadecimal digits on the wire.
///
/// It is stable for the life of the tenant and differs between environments, as CloudKit's does.
public struct UserID: Sendable, Hashable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads `_` and 32 lower-case hexadecimal digits; nil for anything else.
    public init?(recordName: some StringProtocol) {
        let text = Array(recordName.utf8)
        guard text.count == 33, text[0] == UInt8(ascii: "_") else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in text.dropFirst().enumerated() {
            let digit: UInt64
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
            if index < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
        }
        self.init(high: words.0, low: words.1)
    }

    /// `_` and 32 hexadecimal digits: the name of the user's record, and of the owner of their zones.
    public var recordName: String { name.text }

    /// ``recordName`` as a name.
    public var name: Name {
        var text: [UInt8] = []
        text.reserveCapacity(33)
        text.append(UInt8(ascii: "_"))
        appendHexadecimal(to: &text)
        return Name(bytes: text[...])
    }

    /// Appends the 32 hexadecimal digits, without the underscore.
    public func appendHexadecimal(to text: inout [UInt8]) {
        Self.appendHexadecimal(high, to: &text)
        Self.appendHexadecimal(low, to: &text)
    }

    private static func appendHexadecimal(_ word: UInt64, to text: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 15
                digits.initializeElement(
                    at: index, to: digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
            }
            text.append(contentsOf: UnsafeBufferPointer(digits))
        }
    }
}
