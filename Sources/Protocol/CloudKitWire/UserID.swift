/// A user's ID within one tenant: 16 random bytes, written as `_` and 32 hexadecimal digits on the wire.
///
/// It is stable for the life of the tenant and differs between environments, as in CloudKit.
public struct UserID: Sendable, Hashable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses `_` and 32 lower-case hexadecimal digits; nil for anything else.
    public init?(recordName: some StringProtocol) { self.init(bytes: Array(recordName.utf8)[...]) }

    /// The same for a name of a request.
    public init?(_ name: Name) { self.init(bytes: name.bytes) }

    private init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 33, bytes.first == UInt8(ascii: "_") else { return nil }
        guard let high = Hexadecimal.number(bytes.dropFirst().prefix(16)),
            let low = Hexadecimal.number(bytes.suffix(16))
        else { return nil }
        self.init(high: high, low: low)
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
        Hexadecimal.append(high, low, to: &text)
    }
}
