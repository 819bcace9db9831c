import CloudKitWire
import Synchronization

/// The endpoints of a server by path, and a cache of parsed paths: a server is sent few paths, again and again.
final class EndpointTable: Sendable {
    /// Endpoints below one first segment.
    struct Names: Sendable {
        /// Paths may contain a database before the endpoint.
        let areOfDatabases: Bool
        fileprivate var exact: [String: Endpoint] = [:]
        /// With segments in braces.
        fileprivate var patterns: [(segments: [String], endpoint: Endpoint)] = []
        /// By the first segments of endpoints.
        fileprivate var errorMembers: [String: ErrorMembers] = [:]

        fileprivate init(areOfDatabases: Bool = false) { self.areOfDatabases = areOfDatabases }

        fileprivate mutating func add(_ endpoint: Endpoint) {
            if let members = endpoint.errorMembers {
                errorMembers[String(endpoint.name.prefix { $0 != "/" })] = members
            }
            guard endpoint.name.utf8.contains(UInt8(ascii: "{")) else {
                let before = exact.updateValue(endpoint, forKey: endpoint.name)
                precondition(before == nil, "two endpoints have one path: \(endpoint.name)")
                return
            }
            patterns.append((endpoint.name.split(separator: "/").map(String.init), endpoint))
        }

        /// All names, in order.
        var all: [String] { (exact.keys + patterns.map { $0.segments.joined(separator: "/") }).sorted() }

        /// - Parameter hasSlashes: Whether some segment contains a slash.
        /// - Returns: The endpoint and the matches of segments in braces.
        func endpoint(
            _ segments: ArraySlice<String>, hasSlashes: Bool = false
        ) -> (Endpoint, values: [Substring])? {
            if !hasSlashes, let endpoint = exact[segments.joined(separator: "/")] { return (endpoint, []) }
            for (pattern, endpoint) in patterns where pattern.count == segments.count {
                var values: [Substring] = []
                let fits = zip(pattern, segments).allSatisfy { name, segment in
                    guard name.hasPrefix("{") else { return name == segment }
                    values.append(segment[...])
                    return true
                }
                if fits { return (endpoint, values) }
            }
            return nil
        }
    }

    /// Above this count, all are forgotten and parsed again.
    private static let countMax = 4_096
    /// Longer paths are parsed each time, because anybody can send them.
    private static let bytesMax = 512

    private let ofDatabases, ofDevices, ofContainers: Names
    let files: Endpoint?
    private let known = Mutex<[Substring: EndpointPath]>([:])

    /// - Parameter endpoints: Each with a distinct path.
    init(_ endpoints: [Endpoint]) {
        var (ofDatabases, ofDevices, ofContainers) = (Names(areOfDatabases: true), Names(), Names())
        for endpoint in endpoints {
            switch endpoint.home {
            case .database: ofDatabases.add(endpoint)
            case .device(let isBelowDatabase):
                ofDevices.add(endpoint)
                if isBelowDatabase { ofDatabases.add(endpoint) }
            case .container: ofContainers.add(endpoint)
            case .files: break
            }
        }
        (self.ofDatabases, self.ofDevices, self.ofContainers) = (ofDatabases, ofDevices, ofContainers)
        files = endpoints.first { $0.home == .files }
    }

    /// Whether a request is for an endpoint, judged by two bytes: hot paths begin with `/database`, which these distinguish from `/docs` and
    /// `/device`. Other paths, which may contain percent signs or repeated slashes, need a full lookup.
    static func isHot(_ target: String) -> Bool {
        let bytes = target.utf8.dropFirst()
        return bytes.first == UInt8(ascii: "d") && bytes.dropFirst().first == UInt8(ascii: "a")
    }

    func names(below root: String) -> Names? {
        switch root {
        case "database": ofDatabases
        case "device": ofDevices
        case "nephos": ofContainers
        default: nil
        }
    }

    /// The additional members of errors at a path that is not that of an endpoint.
    func errorMembers(near path: Substring) -> ErrorMembers? {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 5, omittingEmptySubsequences: true)
            .map { PercentCoding.decode($0).flatMap { String(validating: $0, as: UTF8.self) } ?? "" }
        guard segments.count >= 5 else { return nil }
        return names(below: segments[0])?.errorMembers[segments[4]]
    }

    func path(_ text: Substring) throws(EndpointPath.Problem) -> EndpointPath {
        if let path = known.withLock({ $0[text] }) { return path }
        let path = try EndpointPath(text, self)
        // Other texts may be equal in Swift without having the same bytes; and each file has a path of its own.
        guard text.utf8.count <= Self.bytesMax, path.endpoint.home != .files, text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return path
        }
        known.withLock { known in
            if known.count >= Self.countMax { known = [:] }
            known[Substring(String(text))] = path
        }
        return path
    }
}
