import NephosDomain
import NephosStorage

/// What the target of a request names: tenant, database, endpoint and query (docs/protocol.md, "Paths").
struct RequestTarget {
    var tenant: Tenant
    /// nil where the path has no database segment.
    var scope: DatabaseScope?
    /// Entity and action, joined by `/`: `records/modify`.
    var endpoint: String
    var query: RequestQuery
    /// `database` or `device`.
    var module: String

    /// Why a target names nothing.
    enum Problem: Error {
        /// No endpoint has such a path.
        case unknownPath
        case badRequest(String)
    }

    /// Reads a raw target. Repeated slashes count as one, since a client in the field sends them.
    init(_ target: String) throws(Problem) {
        let bytes = target.utf8
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var segments: [String] = []
        for part in bytes[..<mark].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true) {
            segments.append(try Self.decoded(part))
        }
        guard segments.count >= 5, segments[0] == "database" || segments[0] == "device", segments[1] == "1" else {
            throw .unknownPath
        }
        module = segments[0]
        guard let environment = Environment(rawValue: segments[3]) else {
            throw .badRequest("the environment in the path must be 'development' or 'production'")
        }
        tenant = Tenant(container: segments[2], environment: environment)
        var rest = segments[4...]
        if let scope = DatabaseScope(rawValue: segments[4]) {
            self.scope = scope
            rest = rest.dropFirst()
        }
        guard !rest.isEmpty else { throw .unknownPath }
        endpoint = rest.joined(separator: "/")
        query = RequestQuery(mark == bytes.endIndex ? "" : target[bytes.index(after: mark)...])
    }

    /// A segment without percent signs. Nothing that could leave its segment comes through.
    private static func decoded(_ part: Substring.UTF8View.SubSequence) throws(Problem) -> String {
        guard let bytes = PercentCoding.decode(part), let text = String(validating: bytes, as: UTF8.self),
            text != ".", text != "..", bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F })
        else { throw .badRequest("the path is not valid: send the segments of the documented URL") }
        return text
    }
}

/// The parameters that mean something to us; all others are ignored.
struct RequestQuery {
    var apiToken: String?
    /// `ckWebAuthToken`, or `ckSession` as CloudKit JS 1 sends it.
    var webAuthToken: String?
    var clientID = ""
    var wantsSyncToken = false

    init(_ query: some StringProtocol) {
        var session: String?
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
            switch String(decoding: pair[..<equals], as: UTF8.self) {
            case "ckAPIToken": apiToken = Self.text(value)
            case "ckWebAuthToken": webAuthToken = Self.text(value)
            case "ckSession": session = Self.text(value)
            case "clientId": clientID = String((Self.text(value) ?? "").prefix(255))
            case "getCurrentSyncToken": wantsSyncToken = Self.text(value) == "true"
            default: break
            }
        }
        webAuthToken = webAuthToken ?? session
    }

    /// An empty value is no value.
    private static func text(_ value: some Collection<UInt8>) -> String? {
        guard !value.isEmpty, let bytes = PercentCoding.decode(value) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

enum PercentCoding {
    /// nil where a percent sign is not followed by two hexadecimal digits.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
