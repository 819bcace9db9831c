import NephosTesting
import Testing

/// Invalid subscriptions (docs/protocol.md, B1 to B4 and B9 to B13).
extension BadInput {
    @Suite(.inside) struct Subscriptions {
        private static let note: JSON = [
            "subscriptionID": "bad", "subscriptionType": "query", "query": ["recordType": "Note"],
            "firesOn": ["create"],
        ]

        /// One operation; `changes` are applied to the subscription ``note``, absent ones leave it unchanged.
        private static func row(
            _ description: String, _ changes: JSON = [:], without: [String] = [], operation: String = "create",
            _ answer: Row.Answer, _ database: Database = .private
        ) -> Row {
            var subscription = note
            for member in changes.members { subscription[member.name] = member.value }
            for name in without { subscription[name] = .absent }
            return .json(
                description, "subscriptions/modify",
                ["operations": [["operationType": .string(operation), "subscription": subscription]]], answer, database)
        }

        private static func long(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }

        private static func filter(_ field: JSON, _ value: JSON = ["value": 1], comparator: JSON = "EQUALS") -> JSON {
            [
                "query": [
                    "recordType": "Note",
                    "filterBy": [["fieldName": field, "comparator": comparator, "fieldValue": value]],
                ]
            ]
        }

        static let items: [Row] = [
            row(
                "nothing but a name that is not there", without: ["subscriptionType", "query", "firesOn"],
                .item("NOT_FOUND", "bad")),
            row("no type", without: ["subscriptionType"], .item("BAD_REQUEST", "subscriptionType")),
            row("no query", without: ["query"], .item("BAD_REQUEST", "query")),
            row("no firesOn", without: ["firesOn"], .item("BAD_REQUEST", "firesOn")),
            row("an empty firesOn", ["firesOn": []], .item("BAD_REQUEST", "firesOn")),
            row(
                "a type of records that is not there", ["query": ["recordType": "Nobody"]],
                .item("BAD_REQUEST", "Nobody")),
            row("a field that is not there", filter("missing"), .item("BAD_REQUEST", "missing")),
            row("a field that cannot be queried", filter("plain", ["value": "x"]), .item("BAD_REQUEST", "plain")),
            row("an encrypted field", filter("secret", ["value": "x"]), .item("BAD_REQUEST", "secret")),
            row("a value of another type", filter("recordName", ["value": 7]), .item("BAD_REQUEST", "recordName")),
            row("an empty id", ["subscriptionID": ""], .item("BAD_REQUEST", "subscription")),
            row("an id of 256 bytes", ["subscriptionID": long(256)], .item("BAD_REQUEST", "subscription")),
            row("an id with a control character", ["subscriptionID": "a\u{1}"], .item("BAD_REQUEST", "subscription")),
            row("a zone that is not there", ["zoneID": ["zoneName": "Gone"]], .item("ZONE_NOT_FOUND", "Gone")),
            row(
                "another person's zone", ["zoneID": ["zoneName": "Notes", "ownerRecordName": "_other"]],
                .item("ZONE_NOT_FOUND", "")),
            row(
                "a zone subscription without a zone", ["subscriptionType": "zone"], without: ["query", "firesOn"],
                .item("BAD_REQUEST", "zoneID")),
            row(
                "a zone subscription to the default zone",
                ["subscriptionType": "zone", "zoneID": ["zoneName": "_defaultZone"]],
                .item("BAD_REQUEST", "default zone")),
            row("an update of one that is not there", operation: "update", .item("NOT_FOUND", "bad")),
            row(
                "an update without a name", without: ["subscriptionID"], operation: "update",
                .item("BAD_REQUEST", "subscriptionID")),
            row("a deletion of one that is not there", operation: "delete", .item("NOT_FOUND", "bad")),
            row(
                "a deletion without a name", without: ["subscriptionID"], operation: "delete",
                .item("BAD_REQUEST", "subscriptionID")),
            row(
                "a zone subscription in public", ["subscriptionType": "zone", "zoneID": ["zoneName": "Notes"]],
                .item("BAD_REQUEST", "publicdb"), .public),
            row(
                "a database subscription in public", ["subscriptionType": "database"], .item("BAD_REQUEST", "public"),
                .public),
            row(
                "a query subscription in shared", [:], .item("BAD_REQUEST", "shared database"), .shared),
            row(
                "the service's database subscription in public", ["subscriptionType": "zone", "zoneWide": true],
                .item("BAD_REQUEST", "public"), .public),
        ]

        static let requests: [Row] = [
            row("an operation that is none", operation: "save", .refused(400, "BAD_REQUEST", "operationType")),
            row(
                "a type that is none", ["subscriptionType": "record"], .refused(400, "BAD_REQUEST", "subscriptionType")),
            row("a change that is none", ["firesOn": ["create", "save"]], .refused(400, "BAD_REQUEST", "firesOn")),
            row("a comparator that is none", filter("n", comparator: "IS"), .refused(400, "BAD_REQUEST", "comparator")),
            row(
                "a text of 2,049 bytes", ["notificationInfo": ["alertBody": long(2_049)]],
                .refused(400, "BAD_REQUEST", "2048")),
            row(
                "17 fields", ["notificationInfo": ["additionalFields": .array((0..<17).map { .string("f\($0)") })]],
                .refused(400, "BAD_REQUEST", "16")),
            .json("no operations", "subscriptions/modify", [:], .refused(400, "BAD_REQUEST", "operations")),
            .json(
                "no subscription", "subscriptions/modify", ["operations": [["operationType": "create"]]],
                .refused(400, "BAD_REQUEST", "subscription")),
            .json(
                "no operationType", "subscriptions/modify", ["operations": [["subscription": note]]],
                .refused(400, "BAD_REQUEST", "operationType")),
            .json(
                "201 operations", "subscriptions/modify",
                [
                    "operations": .array(
                        Array(repeating: ["operationType": "create", "subscription": note], count: 201))
                ],
                .refused(400, "BAD_REQUEST", "200")),
            .json("nothing to look up", "subscriptions/lookup", [:], .refused(400, "BAD_REQUEST", "subscriptions")),
            .json(
                "nameless ones to look up", "subscriptions/lookup", ["subscriptions": [[:]]],
                .refused(400, "BAD_REQUEST", "subscriptionID")),
            .json(
                "one to look up that is not there", "subscriptions/lookup",
                ["subscriptions": [["subscriptionID": "x"]]],
                .item("NOT_FOUND", "x")),
            .body(
                "half a body", "subscriptions/modify", Array(#"{"operations":[{"operationType":"create""#.utf8),
                .refused(400, "BAD_REQUEST", "ends too early")),
        ]

        static let callers: [Row] = ["subscriptions/modify", "subscriptions/lookup"].flatMap { path -> [Row] in
            [
                .credentials(
                    "\(path) without credentials", .refused(401, "AUTHENTICATION_FAILED", ""), method: "POST",
                    path: path
                ) { _ in .none },
                .credentials(
                    "\(path) of nobody", .refused(421, "AUTHENTICATION_REQUIRED", ""), method: "POST",
                    path: path, database: .public
                ) { .app(apiToken: $0.apiToken) },
                .credentials(
                    "\(path) of a server in private", .refused(401, "AUTHENTICATION_FAILED", "public"),
                    method: "POST", path: path
                ) { .key($0.key) },
                .target(
                    "\(path) by GET", "/database/1/CONTAINER/development/private/\(path)",
                    .refused(405, "BAD_REQUEST", "POST"), method: "GET"),
            ]
        }

        @Test(arguments: items) func aSubscriptionThatCannotBeIsRefusedAlone(_ row: Row) throws { try row.prove() }
        @Test(arguments: requests) func aRequestThatCannotBeReadIsRefusedWhole(_ row: Row) throws { try row.prove() }
        @Test(arguments: callers) func onlySomebodySubscribes(_ row: Row) throws { try row.prove() }
    }
}
