import NephosTesting
import Testing

/// Targets that do not exist, or try to escape their path (docs/protocol.md, P1 to P4).
extension BadInput {
    @Suite struct Paths {
        static let base = "/database/1/CONTAINER/development/private"
        static let notFound = Row.Answer.refused(404, "NOT_FOUND", "endpoint")

        static let unknown: [Row] = [
            "//", "/favicon.ico", "/documents", "/docs/nothing", "/database", "/database/1",
            "/database/2/CONTAINER/development/private/zones/list",
            "/database/1/CONTAINER/development", "/database/1/CONTAINER/development/private", "\(base)/records",
            "\(base)/records/zip/prepare", "\(base)/records/Modify", "\(base)/assets/upload/extra", "\(base)/x/y",
            "/Database/1/CONTAINER/development/private/zones/list", "/device/1/CONTAINER/development/tokens/forget",
            "/bench/echo", "/setup/ws/1/x", "\(base)/records/modify/extra",
        ].map { .target("an unknown path: \($0)", $0, notFound) }

        static let bad: [Row] = [
            "/database/1/CONTAINER/staging/private/zones/list", "/database/1/CONTAINER/Development/private/zones/list",
            "\(base)/../private/zones/list", "\(base)/./zones/list", "\(base)/%2e%2e/zones/list",
            "\(base)/%2E%2e/%2e/zones/list", "\(base)/zones%2flist", "\(base)/zones%2Flist", "\(base)/zones/list%00",
            "\(base)/zones/li%0ast", "\(base)/zones/list%7f", "\(base)/zones/list%", "\(base)/zones/list%4",
            "\(base)/zones/list%zz", "\(base)/zones/%ff%fe", "\(base)/zones/%c0%af",
            "/database/1/..%2f..%2fetc%2fpasswd/development/private/zones/list",
            "/database/1/%2e%2e/development/private/zones/list",
            "/database/1/CONTAINER%00/development/private/zones/list", "/docs/../docs/limits", "/docs/%2e%2e/limits",
        ].map { .target("a bad path: \($0)", $0, .refused(400, "BAD_REQUEST", "path")) }

        /// Nobody can find out which containers exist (A1).
        static let containers: [Row] = [
            "iCloud.test.nobody", "icloud.test.target", "iCloud.test.target.", "x", "nephos.sqlite",
            "iCloud.test.target%20", String(repeating: "a", count: 4_000), "%e2%80%ae", "-", "~", "con", "CONTAINER'--",
            "*", "containers", ".hidden",
        ].map {
            .target(
                "an unknown container: \($0.prefix(40))", "/database/1/\($0)/development/private/zones/list",
                .refused(401, "AUTHENTICATION_FAILED", ""))
        }

        static let methods: [Row] =
            ["GET", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"].map {
                .target(
                    "\($0) of records/modify", "\(base)/records/modify", .refused(405, "BAD_REQUEST", "POST"),
                    method: $0)
            }
            + ["PUT", "DELETE", "PATCH", "TRACE"].map {
                .target(
                    "\($0) of zones/list", "\(base)/zones/list", .refused(405, "BAD_REQUEST", "send GET or POST"),
                    method: $0)
            }
            + ["/", "/docs/limits"].flatMap { path in
                ["POST", "PUT", "DELETE", "TRACE"].map {
                    .target("\($0) of \(path)", path, .refused(405, "BAD_REQUEST", "GET and HEAD"), method: $0)
                }
            }

        @Test(arguments: unknown) func anUnknownPathIsNotFound(_ row: Row) throws { try row.prove() }
        @Test(arguments: bad) func aBadPathIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: containers) func anUnknownContainerTellsNothing(_ row: Row) throws { try row.prove() }
        @Test(arguments: methods) func aWrongMethodIsRefused(_ row: Row) throws { try row.prove() }

        @Test func aWrongMethodIsToldTheRightOnes() throws {
            let target = try Targets.current.target()
            let client = target.client(target.adaCredentials)
            #expect(try client.get("records/modify")["Allow"]?.contains("POST") == true)
            #expect(
                try client.send("DELETE", client.path("zones/list", .private), body: nil)["Allow"]?.contains("GET")
                    == true)
        }
    }
}
