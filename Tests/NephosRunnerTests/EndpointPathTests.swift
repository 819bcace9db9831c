import CloudKitWire
import NephosStorage
import Testing

@testable import NephosRunner

/// docs/protocol.md, "Paths", and docs/decisions/0026.
@Suite("Paths of endpoints") struct EndpointPathTests {
    private let endpoints = EndpointTable([
        Endpoint("records/query") { _ in .failed(CancellationError()) },
        Endpoint("tokens/create", at: .device(isBelowDatabase: true)) { _ in .failed(CancellationError()) },
        Endpoint("aps", at: .device(isBelowDatabase: false)) { _ in .failed(CancellationError()) },
        Endpoint("entries", at: .container) { _ in .failed(CancellationError()) },
        Endpoint("entries/{id}/replies/{number}", at: .container) { _ in .failed(CancellationError()) },
        Endpoint("entries/newest/replies/{number}", at: .container) { _ in .failed(CancellationError()) },
    ])

    private func found(_ path: String) -> String? {
        guard let path = try? endpoints.path(path[...]) else { return nil }
        let scope = path.scope.map { " of \($0)" } ?? ""
        return ([path.endpoint.name + scope] + path.values.map(String.init)).joined(separator: ", ")
    }

    @Test(
        "A path matches an endpoint only below the endpoint's own first segment",
        arguments: [
            ("/database/1/c/development/public/records/query", "records/query of public"),
            ("/database/1/c/development/records/query", "records/query"),
            ("//database//1/c/development/private/records//query", "records/query of private"),
            ("/database/1/c/development/tokens/create", "tokens/create"),
            ("/device/1/c/production/tokens/create", "tokens/create"), ("/device/1/c/development/aps", "aps"),
            ("/nephos/1/c/development/entries", "entries"),
            ("/database/1/c/development/aps", nil), ("/database/1/c/development/entries", nil),
            ("/device/1/c/development/records/query", nil), ("/device/1/c/development/public/aps", nil),
            ("/nephos/1/c/development/records/query", nil), ("/nephos/1/c/development/public/entries", nil),
            ("/nephos/2/c/development/entries", nil), ("/nephos/1/c/staging/entries", nil), ("/nephos/1/c", nil),
            ("/other/1/c/development/entries", nil), ("/", nil),
        ])
    func names(path: String, expected: String?) { #expect(found(path) == expected) }

    @Test("A database in a path that has none is named once, and the hint does not grow with the path")
    func databaseOfNone() {
        func problem(_ path: String) -> String? {
            do throws(EndpointPath.Problem) { _ = try endpoints.path(path[...]) } catch {
                if case .unknownPath(let hint) = error { return hint }
            }
            return nil
        }
        let remove = "remove 'public' from the path, because these endpoints are not below a database"
        #expect(problem("/nephos/1/c/development/public/entries") == remove)
        #expect(
            problem("/nephos/1/c/development/public/other/x")
                == "\(remove); 'other/x' does not exist; paths here begin with entries")
        let long = problem("/nephos/1/c/development/" + String(repeating: "public/", count: 1_000) + "x")
        #expect(long?.hasPrefix("\(remove); 'public/public/") == true && (long?.utf8.count ?? 0) < 300, "\(long ?? "")")
    }

    @Test(
        "A segment in braces matches any single segment, without percent signs, also one with an encoded slash; the first matching endpoint responds"
    )
    func values() {
        let root = "/nephos/1/c/development/entries"
        #expect(found(root + "/a/replies/7") == "entries/{id}/replies/{number}, a, 7")
        #expect(found(root + "/a%20b/replies/%C3%A9") == "entries/{id}/replies/{number}, a b, é")
        #expect(found(root + "/newest/replies/7") == "entries/{id}/replies/{number}, newest, 7")
        #expect(found(root + "/a%2Fb/replies/7") == "entries/{id}/replies/{number}, a/b, 7")
        for path in [
            "/a", "/a/replies", "/a/replies/7/8", "/a/others/7", "/a%2Fb", "/a/replies%2F7", "%2Fa/replies/7",
            "/../replies/7",
        ] {
            #expect(found(root + path) == nil, "\(path)")
        }
    }
}
