import Foundation
import NephosTesting
import Testing

/// Devices that cannot register, and polls with invalid tokens (docs/protocol.md, "Devices").
extension BadInput {
    @Suite struct Devices {
        private static let digits = String(repeating: "0a", count: 32)

        private static func create(_ description: String, _ body: JSON, _ reason: String) -> Row {
            .json("create: \(description)", "tokens/create", body, .refused(400, "BAD_REQUEST", reason))
        }

        private static func register(_ description: String, token: JSON, _ reason: String = "apnsToken") -> Row {
            .json(
                "register: \(description)", "tokens/register",
                ["apnsEnvironment": "development", "apnsToken": token], .refused(400, "BAD_REQUEST", reason))
        }

        static let bodies: [Row] = [
            create("nothing", [:], "apnsEnvironment"),
            create("an environment that is none", ["apnsEnvironment": "sandbox"], "apnsEnvironment"),
            create(
                "a long clientId",
                ["apnsEnvironment": "development", "clientId": .string(String(repeating: "x", count: 256))], "clientId"),
            create("a clientId with a line end", ["apnsEnvironment": "development", "clientId": "a\nb"], "clientId"),
            .json("register: nothing", "tokens/register", [:], .refused(400, "BAD_REQUEST", "apnsEnvironment")),
            .json(
                "register: no token", "tokens/register", ["apnsEnvironment": "development"],
                .refused(400, "BAD_REQUEST", "apnsToken")),
            register("an empty token", token: ""), register("a word", token: "hello"),
            register("62 digits", token: .string(String(digits.dropLast(2)))),
            register("an odd number of digits", token: .string(digits + "0")),
            register("202 digits", token: .string(String(repeating: "0a", count: 101))),
            register("digits of another alphabet", token: .string(String(repeating: "٠", count: 64))),
            register("other letters", token: .string(String(repeating: "0g", count: 32))),
            register("64 KB", token: .string(String(repeating: "a", count: 65_537))),
            Row("register: another person's token", .refused(400, "BAD_REQUEST", "tokens/create")) { target in
                let token = try target.courierToken("grace").removingPercentEncoding ?? ""
                return try target.client(target.adaCredentials).post(
                    "tokens/register", nil, ["apnsEnvironment": "development", "apnsToken": .string(token)])
            },
        ]

        static let callers: [Row] = ["tokens/create", "tokens/register"].flatMap { path -> [Row] in
            [
                .credentials(
                    "\(path) without credentials", .refused(401, "AUTHENTICATION_FAILED", ""), method: "POST",
                    path: path
                ) { _ in .none },
                .credentials(
                    "\(path) of nobody", .refused(421, "AUTHENTICATION_REQUIRED", ""), method: "POST",
                    path: path
                ) { .app(apiToken: $0.apiToken) },
                .target(
                    "\(path) by GET", "/device/1/CONTAINER/development/\(path)",
                    .refused(405, "BAD_REQUEST", "POST"), method: "GET"),
                .target(
                    "\(path) of a container that is not there", "/device/1/iCloud.test.gone/development/\(path)",
                    .refused(401, "AUTHENTICATION_FAILED", "")),
            ]
        }

        @Test(arguments: bodies) func aDeviceThatCannotBeIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: callers) func onlySomebodyRegisters(_ row: Row) throws { try row.prove() }

        // MARK: Polls

        /// A poll, whose only credential is `tok`.
        private static func poll(
            _ description: String, _ answer: Row.Answer = .refused(401, "AUTHENTICATION_FAILED", ""),
            method: String = "GET", accept: String? = nil, path: String = "/device/1/CONTAINER/development/aps",
            query: @escaping @Sendable (Target) throws -> String
        ) -> Row {
            Row(description, answer) { target in
                let headers = accept.map { [HTTPHeader("Accept", $0)] } ?? []
                let path = path.replacing("CONTAINER", with: target.container) + (try query(target))
                return try HTTPConnection(port: target.server.port)
                    .exchange(HTTPRequest(method, path, headers: headers))
            }
        }

        static let tokens: [(String, @Sendable (Target) throws -> String)] = [
            ("no token", { _ in "" }), ("an empty token", { _ in "?tok=" }), ("a word", { _ in "?tok=hello" }),
            ("48 zeros", { _ in "?tok=" + String(repeating: "A", count: 64) }),
            ("6 KB", { _ in "?tok=" + String(repeating: "A", count: 6_000) }),
            ("a token of another container", { "?tok=" + (try $0.courierToken("elsewhere")) }),
            ("a token of another environment", { "?tok=" + (try $0.courierToken("production")) }),
            ("a token twice", { target in "?tok=" + (try target.courierToken("ada") + target.courierToken("ada")) }),
            ("a web auth token", { "?tok=" + percentEncoded($0.ada) }),
            ("a change token", { "?tok=" + percentEncoded($0.tokens["ada Notes"] ?? "") }),
            ("Ada's credentials without a token", { "?" + $0.adaQuery }),
            ("a broken escape", { "?tok=" + (try $0.courierToken("ada")) + "%zz" }),
        ]

        static let polls: [Row] = tokens.flatMap { name, query in
            [
                poll("a poll with \(name)", query: query), poll("a POST with \(name)", method: "POST", query: query),
                poll("a stream with \(name)", accept: "text/event-stream", query: query),
            ]
        }

        static let places: [Row] =
            ["PUT", "DELETE", "PATCH"].map { method in
                poll("a \(method)", .refused(405, "BAD_REQUEST", "GET"), method: method) {
                    "?tok=" + (try $0.courierToken("ada"))
                }
            } + [
                poll(
                    "below /database", .refused(404, "NOT_FOUND", ""),
                    path: "/database/1/CONTAINER/development/private/aps"
                ) { "?tok=" + (try $0.courierToken("ada")) },
                poll("in a container that is not there", path: "/device/1/iCloud.test.gone/development/aps") {
                    "?tok=" + (try $0.courierToken("ada"))
                },
                poll(
                    "in an environment that is not there", .refused(400, "BAD_REQUEST", "environment"),
                    path: "/device/1/CONTAINER/staging/aps"
                ) { "?tok=" + (try $0.courierToken("ada")) },
            ]

        @Test(arguments: polls) func aPollNeedsATokenThatWasMadeHere(_ row: Row) throws { try row.prove() }
        @Test(arguments: places) func aPollHasItsPlaceAndItsMethods(_ row: Row) throws { try row.prove() }

        /// Each byte of a token matters, and so does its length.
        @Test func aCourierTokenChangedAnywhereIsRefused() throws {
            let token = try Targets.current.target().courierToken("ada")
            for place in stride(from: 0, to: token.count, by: 5) {
                var changed = Array(token)
                changed[place] = changed[place] == "A" ? "B" : "A"
                let (altered, cut) = (String(changed), String(token.prefix(place)))
                try Self.poll("changed at \(place)") { _ in "?tok=\(altered)" }.prove()
                try Self.poll("cut at \(place)") { _ in "?tok=\(cut)" }.prove()
            }
        }
    }
}
