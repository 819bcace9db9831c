import Foundation
import NephosNetwork
import NephosRunner

/// The address of a PostgreSQL database, `postgres://user:password@host:port/database`, and the part of it that may be shown.
struct PostgresAddress: Equatable {
    /// The complete address. Never shown: it may contain a password.
    let url: String
    /// `PostgreSQL database NAME at HOST`, without user and password.
    let shown: String
    private let hosts: [String]
    private let sslMode: String?

    /// Parses only what must be shown, and rejects addresses that libpq would parse differently than they look: if a password
    /// contains an `@` or a `/`, a part of it would be taken for a host and appear in messages.
    init?(_ url: String) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: url.hasPrefix) else { return nil }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let behind = rest.dropFirst(authority.count)
        let path = behind.prefix { $0 != "?" }.dropFirst()
        let options = PostgresAddress.options(behind.drop { $0 != "?" }.dropFirst())
        guard !behind.contains("@"), !path.contains("/"), !rest.contains(where: \.isWhitespace) else { return nil }
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let names = PostgresAddress.hosts(parts.last ?? "") else { return nil }
        let database = options["dbname"] ?? path.removingPercentEncoding ?? ""
        let host = options["host"] ?? options["hostaddr"] ?? names
        self.url = url
        self.hosts = (options["hostaddr"] ?? host).split(separator: ",").map { String($0.trimmingPrefix(" ")) }
        sslMode = options["sslmode"]
        shown =
            "PostgreSQL database \(database.isEmpty ? "named like the user" : database)"
            + (host.isEmpty ? "" : " at \(host)")
    }

    /// The failure for a text that is not a valid address.
    ///
    /// - Parameter place: The place of the text, as the beginning of a sentence.
    static func failure(_ place: String) -> Failure {
        Failure(
            """
            \(place) is not a valid PostgreSQL address. Use postgres://USER:PASSWORD@HOST:PORT/DATABASE, with @, /, ? and spaces in \
            any part as %40, %2F, %3F and %20.
            """, kind: .wrongUsage)
    }

    /// A warning if the connection leaves this machine and the server does not have to prove its identity by a certificate.
    ///
    /// - Parameter environment: Environment variables from which libpq takes settings missing in the address.
    func warning(environment: [String: String]) -> String? {
        guard isUnverified(environment: environment) else { return nil }
        return """
            the connection to the \(shown) leaves this machine, and nothing proves that it is the right server. Add \
            sslmode=verify-full to its address.
            """
    }

    private func isUnverified(environment: [String: String]) -> Bool {
        guard sslMode ?? environment["PGSSLMODE"] != "verify-full" else { return false }
        let given = environment["PGHOSTADDR"] ?? environment["PGHOST"] ?? ""
        let hosts = hosts.isEmpty ? given.split(separator: ",").map(String.init) : hosts
        // A path is that of a socket, which is also the default.
        return !hosts.allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@") || HostAndPort(host: host.withoutBrackets, port: 0).isLoopback
        }
    }

    /// Names without their ports; nil if one is not valid.
    private static func hosts(_ text: Substring) -> String? {
        var names: [Substring] = []
        for host in text.split(separator: ",", omittingEmptySubsequences: false) {
            // An IPv6 address contains colons, and is in brackets.
            let end = host.first == "[" ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
            let name = host[..<(end ?? host.endIndex)]
            let port = host.dropFirst(name.count)
            guard port.isEmpty || (port.first == ":" && port.dropFirst().allSatisfy(\.isWholeNumber)) else {
                return nil
            }
            names.append(Substring(name.removingPercentEncoding ?? ""))
        }
        return names.joined(separator: ", ")
    }

    private static func options(_ query: Substring) -> [String: String] {
        var options: [String: String] = [:]
        for option in query.split(separator: "&") {
            let name = option.prefix { $0 != "=" }
            options[String(name)] = option.dropFirst(name.count + 1).removingPercentEncoding
        }
        return options
    }
}

extension String {
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}
