package import NephosNetwork
package import NephosStorage

/// The other end of a connection: a client, or a proxy that forwards for clients. Determined once per connection.
package final class Peer: Sendable {
    /// Whether it is a trusted proxy, whose forwarding headers are used.
    package let isProxy: Bool
    package let address: NetworkAddress?
    /// The address at which this connection reached the server: scheme, address and port.
    package let origin: String
    /// Set when the connection serves nobody any more. Shared by all its requests: it ends with the first that is given up. nil
    /// if there is no connection.
    package let abandonment: Abandonment?

    /// For a request without a connection.
    package static let none = Peer(isProxy: false, address: nil, origin: "http://127.0.0.1")

    package init(isProxy: Bool, address: NetworkAddress?, origin: String, abandonment: Abandonment? = nil) {
        self.isProxy = isProxy
        self.address = address
        self.origin = origin
        self.abandonment = abandonment
    }
}

extension RequestHeaders {
    /// The client of a trusted proxy: the last address in `X-Forwarded-For` that is not a trusted proxy itself. Addresses before
    /// it were supplied by the client. nil if there is none.
    package func forwardedClient(trusting proxies: [AddressBlock]) -> NetworkAddress? {
        for value in self[.forwardedFor].reversed() {
            for part in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard let address = NetworkAddress(forwarded: part) else { return nil }
                if !address.isIn(proxies) { return address }
            }
        }
        return nil
    }

    /// Scheme and authority with which a client reached the trusted proxy; nil if its headers are not valid.
    var forwardedOrigin: String? {
        let scheme = last(.forwardedProto)?.lowercased() ?? "http"
        guard scheme == "http" || scheme == "https", let host = last(.forwardedHost) ?? last(.host),
            host.isAuthority
        else { return nil }
        return "\(scheme)://\(host)"
    }

    /// The value of the nearest proxy, which is the last one.
    private func last(_ name: Name) -> String? {
        self[name].last?.split(separator: ",", omittingEmptySubsequences: false).last.map { String($0.trimmed) }
    }
}

extension NetworkAddress {
    /// An address in the notation of proxies, some of which append a port.
    fileprivate init?(forwarded text: Substring) {
        let text = text.trimmed
        if text.first == "[" {
            self.init(String(text.dropFirst().prefix { $0 != "]" }))
        } else if text.contains("."), let colon = text.lastIndex(of: ":"), !text[..<colon].contains(":") {
            self.init(String(text[..<colon]))
        } else {
            self.init(String(text))
        }
    }
}

extension String {
    /// A name or an address, with or without a port: nothing that would mean something else in a URL.
    fileprivate var isAuthority: Bool {
        (1...255).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
