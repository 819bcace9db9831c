import NephosTesting
import Testing

/// Change tokens and markers used for something else than they were issued for (docs/protocol.md, Z7, Z9 and Q4).
extension BadInput {
    @Suite struct Tokens {
        private typealias Make = @Sendable (Target) -> String

        /// Texts that never were a token of this zone.
        private static let makes: [(String, Make)] = [
            ("that is a word", { _ in "hello" }), ("that is no base64", { _ in "****" }),
            ("that is padding", { _ in "====" }),
            ("of one byte", { _ in "AA==" }), ("of 48 zeros", { _ in String(repeating: "A", count: 64) }),
            ("of 64 KB", { _ in String(repeating: "A", count: 65_536) }),
            ("with a NUL", { $0.token("ada Notes") + "\u{0}" }),
            ("with a space", { " " + $0.token("ada Notes") }), ("in another alphabet", { _ in "é😀" }),
            ("of another person", { $0.token("grace Notes") }),
            ("of another container", { $0.token("elsewhere Notes") }),
            ("of another zone", { $0.token("ada More") }), ("of the database", { $0.token("ada database") }),
            ("twice", { $0.token("ada Notes") + $0.token("ada Notes") }),
            ("that is a web auth token", { $0.ada }),
        ]

        static let zone: [Row] = makes.map { zoneRow("a token \($0)", $1) }

        private static func zoneRow(_ description: String, _ make: @escaping Make) -> Row {
            Row(description, .item("BAD_REQUEST", "")) { target in
                try target.client(target.adaCredentials).post(
                    "changes/zone", .private,
                    ["zones": [["zoneID": ["zoneName": "Notes"], "syncToken": .string(make(target))]]])
            }
        }

        static let database: [Row] = makes.filter { !$0.0.contains("of the database") }.flatMap { name, make in
            [
                Row("a database token \(name)", .refused(400, "BAD_REQUEST", "")) { target in
                    try target.client(target.adaCredentials)
                        .post("changes/database", .private, ["syncToken": .string(make(target))])
                },
                Row("a meta token \(name)", .refused(400, "BAD_REQUEST", "")) { target in
                    try target.client(target.adaCredentials)
                        .post("zones/changes", .private, ["metaSyncToken": .string(make(target))])
                },
            ]
        }

        static let markers: [Row] = makes.map { name, make in
            Row("a marker \(name)", .refused(400, "BAD_REQUEST", "")) { target in
                try target.client(target.adaCredentials).post(
                    "records/query", .private,
                    ["query": ["recordType": "Note"], "continuationMarker": .string(make(target))])
            }
        }

        @Test(arguments: zone) func aZoneKnowsItsOwnTokens(_ row: Row) throws { try row.prove() }
        @Test(arguments: database) func aDatabaseKnowsItsOwnTokens(_ row: Row) throws { try row.prove() }
        @Test(arguments: markers) func aQueryKnowsItsOwnMarkers(_ row: Row) throws { try row.prove() }

        /// Each byte of a token matters, and so does its length.
        @Test func aTokenChangedAnywhereIsRefused() throws {
            let token = Array(try Targets.current.target().token("ada Notes"))
            for place in token.indices where token[place] != "=" {
                var changed = token
                changed[place] = changed[place] == "A" ? "Q" : "A"
                let altered = String(changed), cut = String(token[..<place])
                try Tokens.zoneRow("changed at \(place)") { _ in altered }.prove()
                // An empty token means that the client is up to date (Z6).
                if place > 0 { try Tokens.zoneRow("cut at \(place)") { _ in cut }.prove() }
            }
        }
    }
}

extension Target {
    /// The token of a place, by its name in ``tokens``.
    fileprivate func token(_ place: String) -> String { tokens[place] ?? "no token was made for \(place)" }
}
