import NephosNetwork
import Testing

/// docs/decisions/0017.
@Suite("Network addresses") struct NetworkAddressTests {
    @Test("An address has its usual spelling, and an IPv4 address is the same in every form a socket reports")
    func texts() throws {
        for text in ["127.0.0.1", "0.0.0.0", "255.255.255.255", "::1", "2001:db8::ff", "fe80::1"] {
            #expect(NetworkAddress(text)?.description == text)
        }
        #expect(NetworkAddress("::ffff:10.1.2.3") == NetworkAddress("10.1.2.3"))
        #expect(NetworkAddress("::ffff:a01:203")?.description == "10.1.2.3")
    }

    @Test(
        "Rejects invalid addresses",
        arguments: [
            "", "localhost", "127.1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "[::1]", "::1%lo", "1.2.3.4:80", "0x7f.0.0.1",
        ])
    func noAddresses(_ text: String) { #expect(NetworkAddress(text) == nil) }

    @Test("A block contains the addresses that begin with its bits")
    func blocks() throws {
        func holds(_ block: String, _ address: String) throws -> Bool {
            try #require(AddressBlock(block)).contains(try #require(NetworkAddress(address)))
        }
        #expect(try holds("10.0.0.0/8", "10.255.0.1") && !holds("10.0.0.0/8", "11.0.0.1"))
        #expect(try holds("10.9.8.7/8", "10.0.0.1"), "bits behind the block's do not count")
        #expect(try holds("192.168.1.4", "192.168.1.4") && !holds("192.168.1.4", "192.168.1.5"))
        #expect(try holds("10.0.0.0/8", "::ffff:10.1.1.1"))
        #expect(try holds("fd00::/8", "fdff::1") && !holds("fd00::/8", "fe00::1"))
        #expect(try holds("2001:db8:0:7::/64", "2001:db8:0:7:1::") && !holds("2001:db8:0:7::/64", "2001:db8:0:8::"))
        #expect(try holds("0.0.0.0/0", "8.8.8.8") && !holds("0.0.0.0/0", "2001:db8::1"))
        #expect(try holds("::/0", "8.8.8.8") && holds("::/0", "2001:db8::1"))
        #expect(AddressBlock("10.1.2.3/8")?.description == "10.0.0.0/8")
        for text in ["10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "/8", "10.0.0.0/+8", "x/8"] {
            #expect(AddressBlock(text) == nil, "\(text)")
        }
    }

    @Test(
        "Addresses of this machine and of private networks are not public, in any spelling",
        arguments: [
            "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
            "::7f00:1",
            "fe80::1", "fd12::1", "ff02::1", "fec0::1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "2002:a00:1::1",
        ])
    func notPublic(_ text: String) throws { #expect(try !#require(NetworkAddress(text)).isPublic) }

    @Test(
        "Other addresses are public",
        arguments: [
            "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.128.0.1", "126.255.255.255", "128.0.0.1",
            "2606:4700::1111", "2a00:1450::1", "64:ff9b::8.8.8.8", "2002:808:808::1", "::ffff:8.8.8.8",
        ])
    func isPublic(_ text: String) throws { #expect(try #require(NetworkAddress(text)).isPublic) }
}

/// docs/limits.md, "Networks".
@Suite("What limits count a client by") struct ClientNetworkTests {
    @Test("IPv4 by address; IPv6 by 64 bits, and by 48 bits with sixteen times as much")
    func counted() throws {
        func network(_ text: String) throws -> ClientNetwork { ClientNetwork(try #require(NetworkAddress(text))) }
        let (four, six) = (try network("192.0.2.7"), try network("2001:db8:1:2:3::4"))
        #expect(four.description == "192.0.2.7" && four.counted.map(\.share) == [1])
        #expect(try network("::ffff:192.0.2.7") == four && network("192.0.2.8") != four)
        #expect(six.description == "2001:db8:1:2::/64" && six.counted.map(\.share) == [1, 16])
        #expect(six.counted.map(\.block.description) == ["2001:db8:1:2::/64", "2001:db8:1::/48"])
        #expect(try network("2001:db8:1:2:ffff::1") == six)
        let near = try network("2001:db8:1:3::1")
        #expect(near.own != six.own && near.site == six.site)
        #expect(try network("2001:db8:2:2::1").site != six.site)
        #expect(ClientNetwork.unknown.description == "unknown" && ClientNetwork.unknown != four)
    }

    @Test("What is kept of an address does not tell it from its neighbors: 24 bits of IPv4, 48 of IPv6")
    func surroundings() {
        for (address, block) in [
            ("192.0.2.7", "192.0.2.0/24"), ("::ffff:192.0.2.255", "192.0.2.0/24"),
            ("2001:db8:1:2:3::4", "2001:db8:1::/48"), ("2001:db8:1:ffff::", "2001:db8:1::/48"),
        ] {
            #expect(ClientNetwork(address)?.surroundings?.description == block)
            #expect(ClientNetwork(address).surroundingsText == block)
        }
        #expect(ClientNetwork.unknown.surroundings == nil)
        #expect((nil as ClientNetwork?).surroundingsText == "")
    }
}
