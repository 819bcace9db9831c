/// The address at which a server listens: `127.0.0.1:9100`, `[::1]:9100`, `localhost:9100`.
package struct HostAndPort: Sendable, Hashable, CustomStringConvertible {
    /// IPv6 without brackets.
    package let host: String
    /// 0 selects a free port.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// nil unless both are present.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        var host = text[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    /// The host of an authority, with or without a port: that of `localhost`, of `[::1]:9100`. IPv6 without brackets.
    package static func host(of authority: some StringProtocol) -> String {
        authority.first == "["
            ? String(authority.dropFirst().prefix { $0 != "]" }) : String(authority.prefix { $0 != ":" })
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether it can be reached only from this machine, as far as can be determined without a lookup.
    package var isLoopback: Bool { host.lowercased() == "localhost" || NetworkAddress(host)?.isLoopback == true }
}
