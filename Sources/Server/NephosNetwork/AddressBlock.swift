/// All addresses with the same leading bits: `10.0.0.0/8`, `fd00::/8`; or a single address.
package struct AddressBlock: Sendable, Hashable, CustomStringConvertible {
    package let first: NetworkAddress
    /// The prefix length, out of 128 bits, also for IPv4.
    private let bits: Int

    /// An address, or an address, a slash and a prefix length; nil for anything else. Bits after the prefix are ignored.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NetworkAddress(String($0)) }) else { return nil }
        let bitsMax = address.isIPv4 && !text.contains(":") ? 32 : 128
        var bits = bitsMax
        if parts.count == 2 {
            guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(parts[1]), number <= bitsMax
            else { return nil }
            bits = number
        }
        self.init(address, bits: bits + 128 - bitsMax)
    }

    /// - Parameter bits: The prefix length, out of 128.
    package init(_ address: NetworkAddress, bits: Int) {
        let (high, low) = Self.masks(bits)
        first = NetworkAddress(high: address.high & high, low: address.low & low)
        self.bits = bits
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        let (high, low) = Self.masks(bits)
        return address.high & high == first.high && address.low & low == first.low
    }

    package var description: String { first.isIPv4 ? "\(first)/\(bits - 96)" : "\(first)/\(bits)" }

    private static func masks(_ bits: Int) -> (high: UInt64, low: UInt64) {
        (
            bits >= 64 ? .max : ~(.max >> UInt64(bits)),
            bits <= 64 ? 0 : bits >= 128 ? .max : ~(.max >> UInt64(bits - 64))
        )
    }

    // MARK: Known blocks

    /// Addresses that never leave this machine.
    package static let loopback = blocks("127.0.0.0/8", "::1")

    /// Addresses that are not public internet hosts: those of this machine and of private networks, multicast and broadcast, and
    /// reserved ones (RFC 6890 and its registries).
    package static let notPublic =
        loopback
        + blocks(
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
            "::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7",
            "fe80::/9", "ff00::/8")

    /// Addresses that are not those of one machine: unspecified, multicast, reserved and broadcast.
    package static let nobody = blocks("0.0.0.0/8", "224.0.0.0/3", "::/128", "ff00::/8")

    private static func blocks(_ texts: String...) -> [AddressBlock] { texts.compactMap { AddressBlock($0) } }
}

extension NetworkAddress {
    package var isLoopback: Bool { isIn(AddressBlock.loopback) }

    /// Whether this may be a public internet host. An IPv6 address that embeds an IPv4 address, for a translator or a tunnel, is
    /// classified by that address.
    package var isPublic: Bool {
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return NetworkAddress(ipv4: low).isPublic }
        if high == 0, low >> 32 == 0xFFFF_0000 { return NetworkAddress(ipv4: low).isPublic }
        if high >> 48 == 0x2002 { return NetworkAddress(ipv4: high >> 16).isPublic }
        return !isIn(AddressBlock.notPublic)
    }

    package func isIn(_ blocks: [AddressBlock]) -> Bool { blocks.contains { $0.contains(self) } }

    private init(ipv4 bits: UInt64) { self.init(high: 0, low: 0xFFFF_0000_0000 | bits & 0xFFFF_FFFF) }
}
