import CloudKitWire
import NephosDomain
import NephosStorage
import Synchronization

/// What the path of a request names: tenant, database and endpoint (docs/protocol.md, "Paths").
struct RequestPath: Sendable {
    let tenant: Tenant
    /// nil where the path has no database segment.
    let scope: DatabaseScope?
    let endpoint: Endpoint

    /// Why a path names nothing.
    enum Problem: Error {
        /// No endpoint has such a path.
        case unknownPath
        case badRequest(String)
    }

    /// Reads a raw path, without the query. Repeated slashes count as one, since a client in the field sends them.
    init(_ path: Substring) throws(Problem) {
        var segments: [String] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true) {
            segments.append(try Self.decoded(part))
        }
        guard segments.count >= 5, segments[0] == "database" || segments[0] == "device", segments[1] == "1" else {
            throw .unknownPath
        }
        guard let environment = Environment(rawValue: segments[3]) else {
            throw .badRequest("the environment in the path must be 'development' or 'production'")
        }
        tenant = Tenant(container: segments[2], environment: environment)
        scope = DatabaseScope(rawValue: segments[4])
        let action = segments.dropFirst(scope == nil ? 4 : 5).joined(separator: "/")
        guard let endpoint = Endpoint(rawValue: action) else { throw .unknownPath }
        // Where devices register is documented below /database, and answered below /device.
        guard segments[0] == "device" ? scope == nil && endpoint.isOfDevice : endpoint != .courier else {
            throw .unknownPath
        }
        self.endpoint = endpoint
    }

    /// A segment without percent signs. Nothing that could leave its segment comes through.
    private static func decoded(_ part: Substring.UTF8View.SubSequence) throws(Problem) -> String {
        guard let bytes = PercentCoding.decode(part), let text = String(validating: bytes, as: UTF8.self),
            text != ".", text != "..", bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F })
        else { throw .badRequest("the path is not valid: send the segments of the documented URL") }
        return text
    }
}

/// The paths that were read before: a server is asked for few, again and again.
final class RequestPaths: Sendable {
    /// Past this many, all are forgotten and read again.
    private static let countMax = 4_096
    /// Longer ones are read again each time: anybody may send them.
    private static let bytesMax = 512

    private let known = Mutex<[Substring: RequestPath]>([:])

    func path(_ text: Substring) throws(RequestPath.Problem) -> RequestPath {
        if let path = known.withLock({ $0[text] }) { return path }
        let path = try RequestPath(text)
        // Other texts may be equal to Swift without being the same bytes.
        guard text.utf8.count <= Self.bytesMax, text.utf8.allSatisfy({ $0 < 0x80 }) else { return path }
        known.withLock { known in
            if known.count >= Self.countMax { known = [:] }
            known[Substring(String(text))] = path
        }
        return path
    }
}
