import NephosTesting
import Testing

/// Credentials without access (docs/protocol.md, A1 to A6 and K1 to K4).
extension BadInput {
    @Suite struct Credential {
        static let failed = Row.Answer.refused(401, "AUTHENTICATION_FAILED", "")
        static let signIn = Row.Answer.refused(421, "AUTHENTICATION_REQUIRED", "")

        static let apiTokens: [Row] = [
            .credentials("nothing", failed) { _ in .none },
            .credentials("an empty API token", failed) { _ in .app(apiToken: "") },
            .credentials("an unknown API token", failed) { _ in .app(apiToken: String(repeating: "0", count: 64)) },
            .credentials("an API token of another container", failed) { .app(apiToken: $0.otherToken) },
            .credentials("an API token of production", failed) { .app(apiToken: $0.productionToken) },
            .credentials("an API token in upper case", failed) { .app(apiToken: $0.apiToken.uppercased()) },
            .credentials("an API token cut short", failed) { .app(apiToken: String($0.apiToken.dropLast())) },
            .credentials("an API token of 4 KB", failed) { _ in .app(apiToken: String(repeating: "a", count: 4_000)) },
            .credentials("an API token that is SQL", failed) { _ in .app(apiToken: "' OR 1=1 --") },
            .credentials("an API token with a NUL", failed) { .app(apiToken: $0.apiToken + "\u{0}") },
            .credentials("a web auth token alone", failed) { .person(apiToken: "", webAuthToken: $0.ada) },
            .credentials("a web auth token as API token", failed) { .app(apiToken: $0.ada) },
        ]

        static let webTokens: [Row] =
            [
                .credentials("no web auth token", signIn) { .app(apiToken: $0.apiToken) },
                .credentials("no person, by POST", signIn, method: "POST", path: "changes/database") {
                    .app(apiToken: $0.apiToken)
                },
                .credentials("no person in the shared database", signIn, database: .shared) {
                    .app(apiToken: $0.apiToken)
                },
                .credentials("no person who could be called", signIn, path: "users/current", database: .public) {
                    .app(apiToken: $0.apiToken)
                },
            ]
            + altered.map { name, alter in
                .credentials("a web auth token \(name)", signIn) {
                    .person(apiToken: $0.apiToken, webAuthToken: alter($0))
                }
            }
            + altered.map { name, alter in
                .credentials("a ckSession \(name)", signIn) { .session(apiToken: $0.apiToken, session: alter($0)) }
            }

        private static let altered: [(String, @Sendable (Target) -> String)] = [
            ("that is empty", { _ in "" }), ("that is no base64", { _ in "%%%%" }),
            ("that is a word", { _ in "hello" }),
            ("cut short", { String($0.ada.dropLast()) }),
            ("cut to one half", { String($0.ada.prefix($0.ada.count / 2)) }),
            ("with more behind", { $0.ada + "AAAA" }), ("of another container", { $0.adaElsewhere }),
            ("with its first byte changed", { change($0.ada, at: 1) }),
            ("with its session changed", { change($0.ada, at: 6) }),
            ("with its nonce changed", { change($0.ada, at: 26) }),
            ("with its seal changed", { change($0.ada, at: $0.ada.count - 8) }),
            ("with another person's seal", { String($0.ada.prefix(36)) + String($0.grace.dropFirst(36)) }),
            ("of 4 KB", { _ in String(repeating: "A", count: 4_000) }),
        ]

        /// Changes one letter.
        private static func change(_ text: String, at place: Int) -> String {
            var letters = Array(text)
            letters[place] = letters[place] == "A" ? "B" : "A"
            return String(letters)
        }

        static let keys: [Row] = [
            signed("a date 11 minutes ago") { $0.skewSeconds = -660 },
            signed("a date in 11 minutes") { $0.skewSeconds = 660 },
            signed("a date of yesterday") { $0.skewSeconds = -86_400 },
            signed("a date that is none") { $0.date = "yesterday" },
            signed("an empty date") { $0.date = "" },
            signed("a date without its zone") { $0.date = "2026-01-01T00:00:00" },
            signed("a date far beyond all calendars") { $0.date = "999999999-01-01T00:00:00Z" },
            signed("an empty key id") { $0.keyID = "" },
            signed("an unknown key id") { $0.keyID = String(repeating: "0", count: 64) },
            signed("a key id of 4 KB") { $0.keyID = String(repeating: "a", count: 4_000) },
            .credentials("the key of a stranger", failed, path: "users/caller", database: .public) {
                .key($0.strangerKey)
            },
            .credentials("a stranger's signature under a known id", failed, path: "users/caller", database: .public) {
                var key = $0.strangerKey
                key.keyID = $0.key.keyID
                return .key(key)
            },
            .credentials("a key of another container", failed, path: "users/caller", database: .public) {
                .key($0.otherKey)
            },
            .credentials("a key in the private database", failed) { .key($0.key) },
            .credentials("a key in the shared database", failed, database: .shared) { .key($0.key) },
            .credentials("a key that asks for users/current", failed, path: "users/current", database: .public) {
                .key($0.key)
            },
        ]

        private static func signed(
            _ description: String, _ change: @escaping @Sendable (inout RequestSigner) -> Void
        ) -> Row {
            .credentials(description, failed, path: "users/caller", database: .public) { target in
                var key = target.key
                change(&key)
                return .key(key)
            }
        }

        /// Invalid values of the three headers themselves.
        static let signatures: [Row] = [
            headers("no signature") { $0.removeLast() },
            headers("no date") { $0.remove(at: 1) },
            headers("no key id") { $0.removeFirst() },
            headers("an empty signature") { $0[2].value = "" },
            headers("a signature that is no base64") { $0[2].value = "*** not base64 ***" },
            headers("a signature of one byte") { $0[2].value = "AA==" },
            headers("a signature of 64 zeros") { $0[2].value = String(repeating: "A", count: 86) + "==" },
            headers("a signature with its end cut off") { $0[2].value = String($0[2].value.dropLast(8)) },
            headers("a signature of 8 KB") { $0[2].value = String(repeating: "A", count: 8_000) },
            headers("a signature of another date") { $0[1].value = "2026-01-01T00:00:00Z" },
            Row("a signature of another body", failed) { target in
                try send(target, try target.key.headers(target: path(target), body: Array(#"{"records":[]}"#.utf8)))
            },
            Row("a signature of another path", failed) { target in
                try send(target, try target.key.headers(target: path(target) + "x", body: Array("{}".utf8)))
            },
        ]

        private static func headers(
            _ description: String, _ change: @escaping @Sendable (inout [HTTPHeader]) -> Void
        ) -> Row {
            Row(description, failed) { target in
                var headers = try target.key.headers(target: path(target), body: Array("{}".utf8))
                change(&headers)
                return try send(target, headers)
            }
        }

        private static func path(_ target: Target) -> String {
            "/database/1/\(target.container)/development/public/users/caller"
        }

        private static func send(_ target: Target, _ headers: [HTTPHeader]) throws -> HTTPResponse {
            try HTTPConnection(port: target.server.port)
                .exchange(HTTPRequest("POST", path(target), headers: headers, body: Array("{}".utf8)))
        }

        @Test(arguments: apiTokens) func aBadAPITokenFails(_ row: Row) throws { try row.prove() }
        @Test(arguments: webTokens) func aBadWebTokenAsksForSigningIn(_ row: Row) throws { try row.prove() }
        @Test(arguments: keys) func aBadKeyFails(_ row: Row) throws { try row.prove() }
        @Test(arguments: signatures) func aForgedSignatureFails(_ row: Row) throws { try row.prove() }
    }
}
