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

/// For whom a trusted proxy forwards a request, according to `X-Forwarded-For`.
package enum ForwardedClient: Sendable, Equatable {
    case address(NetworkAddress)
    /// The proxy says something else than an address: `unknown`, `_hidden`, a name, nothing.
    case unreadable
    /// There is no such header: the request is the proxy's own.
    case nobody
}

extension RequestHeaders {
    /// The client of a trusted proxy: the last address that is not a trusted proxy itself, since what is before it was supplied by
    /// that client; or the first, if all of them are.
    package func forwardedClient(trusting proxies: [AddressBlock]) -> ForwardedClient {
        var client = ForwardedClient.nobody
        for value in self[.forwardedFor].reversed() {
            for part in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard let address = NetworkAddress(forwarded: part) else { return .unreadable }
                client = .address(address)
                if !address.isIn(proxies) { return client }
            }
        }
        return client
    }

    /// Whether a proxy passes on the request: it says so, or the request is for another host than this machine.
    package var showsProxy: Bool {
        fields.contains { name, value in
            switch name.utf8.count {
            case 3: name.isEqualIgnoringCase(to: "via")
            case 4: name.isEqualIgnoringCase(to: "host") && !value.isOfLoopback
            case 9: name.isEqualIgnoringCase(to: "forwarded") || name.isEqualIgnoringCase(to: "x-real-ip")
            case 12...: name.beginsForwarded
            default: false
            }
        }
    }

    /// Scheme and authority with which a client reached the trusted proxy; nil if its headers are not valid.
    var forwardedOrigin: String? {
        let scheme = last(.forwardedProto)?.lowercased() ?? "http"
        guard scheme == "http" || scheme == "https", let host = forwardedHost, host.isAuthority else { return nil }
        return "\(scheme)://\(host)"
    }

    /// The host with which a client reached the trusted proxy, with the port unless the proxy leaves it out.
    var forwardedHost: String? { last(.forwardedHost) ?? last(.host) }

    /// The value of the nearest proxy, which is the last one.
    private func last(_ name: Name) -> String? {
        self[name].last?.split(separator: ",", omittingEmptySubsequences: false).last.map { String($0.trimmed) }
    }
}

extension String {
    /// Whether the name of a header is one of `X-Forwarded-For`, `-Host` and so on.
    package var beginsForwarded: Bool {
        utf8.first.map { $0 | 0x20 } == UInt8(ascii: "x") && prefix(12).lowercased() == "x-forwarded-"
    }

    /// Whether an authority is certain to be this machine.
    package var isOfLoopback: Bool {
        // What nearly all requests name needs no parser.
        if isHost("127.0.0.1") || isHost("localhost") { return true }
        let host = HostAndPort.host(of: self)
        return HostAndPort(host: host, port: 0).isLoopback || host.lowercased().hasSuffix(".localhost")
    }

    /// Whether an authority is this host, with or without a port.
    private func isHost(_ host: String) -> Bool {
        guard utf8.starts(with: host.utf8) else { return false }
        let next = utf8.dropFirst(host.utf8.count).first
        return next == nil || next == UInt8(ascii: ":")
    }
}

extension NetworkAddress {
    /// An address in the notation of proxies, some of which append a port: `192.0.2.7:4711`, `[2001:db8::1]:4711`.
    fileprivate init?(forwarded text: Substring) {
        let text = text.trimmed
        if let address = NetworkAddress(String(text)) {
            self = address
        } else if text.first == "[", text.last == "]" {
            self.init(String(text.dropFirst().dropLast()))
        } else if let withPort = HostAndPort(String(text)) {
            self.init(withPort.host)
        } else {
            return nil
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
