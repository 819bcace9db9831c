import CloudKitWire
import NephosDomain
package import NephosStorage

/// The tenant, database and endpoint that a request path names (docs/protocol.md, "Paths"). A class, because it is passed around
/// and cached.
package final class EndpointPath: Sendable {
    package let tenant: Tenant
    /// nil where the path has no database segment.
    let scope: DatabaseScope?
    package let endpoint: Endpoint
    /// The matches of the segments in braces of ``Endpoint/name``, in order; for a file, its name as sent.
    package let values: [Substring]

    /// Why a path is not valid.
    enum Problem: Error {
        /// No endpoint has such a path; what would be correct.
        case unknownPath(String)
        /// No file has such a path.
        case noFile
        case badRequest(String)
    }

    /// Reads a raw path, without the query. Repeated slashes count as one, since a client in the field sends them.
    init(_ path: Substring, _ endpoints: EndpointTable) throws(Problem) {
        if path.hasPrefix(FilePath.prefix), let endpoint = endpoints.files {
            guard let file = FilePath(path) else { throw .noFile }
            (tenant, scope, self.endpoint, values) = (file.tenant, nil, endpoint, [file.name])
            return
        }
        var segments: [String] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true) {
            segments.append(try Self.decoded(part))
        }
        let slash = segments.firstIndex { $0.utf8.contains(UInt8(ascii: "/")) }
        // Only what an endpoint's name leaves open, such as the key of a flag, may contain one.
        if let slash, slash < 5 { throw .invalid }
        guard segments.count >= 5, let names = endpoints.names(below: segments[0]), segments[1] == "1" else {
            throw .outside
        }
        guard let environment = Environment(rawValue: segments[3]) else {
            throw .badRequest("the environment in the path must be 'development' or 'production'")
        }
        tenant = Tenant(container: segments[2], environment: environment)
        scope = names.areOfDatabases ? DatabaseScope(rawValue: segments[4]) : nil
        let rest = segments.dropFirst(scope == nil ? 4 : 5)
        guard let (endpoint, values) = names.endpoint(rest, hasSlashes: slash != nil) else {
            if slash != nil { throw .invalid }
            throw .unknown(rest, isBelowDatabase: scope != nil, names)
        }
        (self.endpoint, self.values) = (endpoint, values)
    }

    /// A segment, percent-decoded once. Rejects text that no segment stands for.
    private static func decoded(_ part: Substring.UTF8View.SubSequence) throws(Problem) -> String {
        guard let bytes = PercentCoding.decode(part), let text = String(validating: bytes, as: UTF8.self),
            text != ".", text != "..", bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .invalid }
        return text
    }
}
