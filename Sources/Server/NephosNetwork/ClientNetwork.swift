/// What limits count a client by, so that another address of the same client is no way around them.
///
/// Of IPv4 that is the address. Of IPv6 it is the first 64 bits of the address, whose owner has all addresses that begin with them;
/// and in addition the first 48 bits, because a site often has so many of the former: it may use ``siteShare`` times as much.
package struct ClientNetwork: Sendable, Hashable, CustomStringConvertible {
    /// How many times as much as a network a site may use.
    package static let siteShare = 16
    /// All clients whose address is not known count as one: they escape no limit, and are not mistaken for this machine.
    package static let unknown = ClientNetwork(NetworkAddress(high: .max, low: .max))

    /// The first address of ``own``, which says all: this is part of every request.
    private let first: NetworkAddress

    package init(_ address: NetworkAddress) {
        first = address.isIPv4 ? address : NetworkAddress(high: address.high, low: 0)
    }

    /// The network of the client at an address; nil if it is not one.
    package init?(_ text: String) {
        guard let address = NetworkAddress(text) else { return nil }
        self.init(address)
    }

    package var own: AddressBlock { AddressBlock(first, bits: first.isIPv4 ? 128 : 64) }

    /// nil for IPv4, and for ``unknown``.
    package var site: AddressBlock? { first.isIPv4 || self == .unknown ? nil : AddressBlock(first, bits: 48) }

    /// A block that many clients share, for what must not say who somebody is: the first 24 bits of IPv4, 48 of IPv6. nil for
    /// ``unknown``.
    package var surroundings: AddressBlock? {
        self == .unknown ? nil : AddressBlock(first, bits: first.isIPv4 ? 128 - 8 : 48)
    }

    /// For people and for rows: `192.0.2.7`, `2001:db8:1:2::/64`.
    package var description: String {
        self == .unknown ? "unknown" : first.isIPv4 ? "\(first)" : "\(own)"
    }

    /// Each block to be counted, with how many times the limit of a network it may use.
    package var counted: [(block: AddressBlock, share: Int)] {
        [(own, 1)] + (site.map { [($0, Self.siteShare)] } ?? [])
    }
}

extension ClientNetwork? {
    /// For rows; empty for a client that is not counted.
    package var text: String { map { "\($0)" } ?? "" }
    /// The same for the site that it is in.
    package var siteText: String { self?.site.map { "\($0)" } ?? "" }
    /// The same for its surroundings.
    package var surroundingsText: String { self?.surroundings.map { "\($0)" } ?? "" }
}
