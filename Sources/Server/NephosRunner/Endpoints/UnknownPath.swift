import CloudKitWire
import NephosDomain

extension EndpointPath.Problem {
    /// A path outside the trees of endpoints.
    static let outside = Self.unknownPath("a path is /database/1/CONTAINER/ENVIRONMENT/DATABASE/ENDPOINT")

    /// A path with a segment that cannot be read, or that could be read as several.
    static let invalid = Self.badRequest("the path is not valid: send the segments of the documented URL")

    /// A path in a tree, with the segments where a database or an endpoint is expected.
    static func unknown(_ segments: ArraySlice<String>, isBelowDatabase: Bool, _ names: EndpointTable.Names) -> Self {
        if !isBelowDatabase, let first = segments.first, names.endpoint(segments.dropFirst()) != nil {
            let name = WireError.excerpt(first)
            return .unknownPath(
                names.areOfDatabases
                    ? "'\(name)' is not a database; use public, private or shared"
                    : Self.withoutDatabase(name))
        }
        // Only one segment, however many names of databases follow: they are part of what does not exist.
        if !isBelowDatabase, !names.areOfDatabases, segments.count > 1, let first = segments.first,
            DatabaseScope(rawValue: first) != nil,
            case .unknownPath(let rest) = unknown(segments.dropFirst(), isBelowDatabase: true, names)
        {
            return .unknownPath("\(Self.withoutDatabase(first)); \(rest)")
        }
        let asked = segments.joined(separator: "/")
        let siblings = segments.first.map { first in names.all.filter { $0.hasPrefix(first + "/") } } ?? []
        let problem = asked.isEmpty ? "it is missing in the path" : "'\(WireError.excerpt(asked))' does not exist"
        if !siblings.isEmpty { return .unknownPath("\(problem); there are \(siblings.joined(separator: ", "))") }
        let beginnings = Set(names.all.map { String($0.prefix { $0 != "/" }) }).sorted().joined(separator: ", ")
        return .unknownPath("\(problem); \(names.areOfDatabases ? "endpoints" : "paths here") begin with \(beginnings)")
    }

    private static func withoutDatabase(_ segment: String) -> String {
        "remove '\(segment)' from the path, because these endpoints are not below a database"
    }
}
