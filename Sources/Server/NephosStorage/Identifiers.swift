/// Bytes that may share their memory with others: a name or the fields of a record inside a page.
public typealias Bytes = ArraySlice<UInt8>

/// Number of a database inside its tenant; the first column of every hot table (`db`).
public typealias DatabaseNumber = Int64
/// Number of one incarnation of a zone inside its database. Never reused: a zone that is deleted and created
/// again under the same name gets a new one.
public typealias ZoneNumber = Int64
/// Number of a record inside its database, handed out from the head row.
public typealias RecordNumber = Int64
/// Position in the order of all changes of one database. Commit order is sequence order.
public typealias Sequence = Int64
/// Number of a record type inside its tenant.
public typealias TypeNumber = Int32
/// Milliseconds since 1970-01-01 UTC.
public typealias Milliseconds = Int64

extension ArraySlice where Element == UInt8 {
    public init(_ text: String) { self = Array(text.utf8)[...] }
    /// The bytes read as UTF-8. Names and fields are checked when they enter the server.
    public var text: String { String(decoding: self, as: UTF8.self) }
}

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
    public var recordName: String {
        var text: [UInt8] = [UInt8(ascii: "_")]
        text.reserveCapacity(33)
        appendHexadecimal(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the 32 hexadecimal digits, without the underscore.
    public func appendHexadecimal(to text: inout [UInt8]) {
        for word in [high, low] {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
                text.append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
            }
        }
    }
}
