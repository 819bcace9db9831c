#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An IP address of either version. `127.0.0.1` and `::ffff:127.0.0.1` are equal: a dual-stack socket reports the first as the
/// second.
package struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 128 bits of the address in IPv6; an IPv4 address is mapped (RFC 4291 §2.5.5.2).
    package let high: UInt64
    package let low: UInt64

    private static let mapped: UInt64 = 0xFFFF_0000_0000

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Four numbers with dots, or IPv6 without brackets and zone; nil for anything else.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: four.s_addr)))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let bytes = withUnsafeBytes(of: &six) { Array($0) }
            func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            self.init(high: number(bytes[..<8]), low: number(bytes[8...]))
        } else {
            return nil
        }
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    package var description: String {
        if isIPv4 {
            return [24, 16, 8, 0].map { String(low >> $0 & 0xFF) }.joined(separator: ".")
        }
        return Self.text(high, low)
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        var bytes = [high.bigEndian, low.bigEndian]
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return "::" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
