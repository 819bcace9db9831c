import NephosTesting
import Testing

/// One more than the limit (docs/protocol.md, Limits).
extension BadInput {
    @Suite struct Limits {
        private static let refused = Row.Answer.refused(400, "BAD_REQUEST", "")
        private static let tooMany = Row.Answer.refused(400, "BAD_REQUEST", "200")
        private static let notes: JSON = ["zoneName": "Notes"]

        private static func times(_ count: Int, _ element: (Int) -> JSON) -> JSON { .array((0..<count).map(element)) }

        private static func save(_ name: String) -> JSON {
            ["operationType": "forceUpdate", "record": ["recordName": .string(name), "recordType": "Note"]]
        }

        private static func query(_ changes: JSON) -> JSON {
            var query: JSON = ["recordType": "Note"]
            for member in changes.members { query[member.name] = member.value }
            return ["query": query]
        }

        private static let filter: JSON = [
            "comparator": "EQUALS", "fieldName": "recordName", "fieldValue": ["value": "x", "type": "STRING"],
        ]

        static let rows: [Row] = [
            .json(
                "201 operations", "records/modify", ["zoneID": notes, "operations": times(201) { save("m\($0)") }],
                tooMany),
            .json(
                "201 lookups", "records/lookup", ["records": times(201) { ["recordName": .string("l\($0)")] }], tooMany),
            .json(
                "201 zones looked up", "zones/lookup", ["zones": times(201) { ["zoneName": .string("z\($0)")] }],
                tooMany),
            .json(
                "201 zones made", "zones/modify",
                [
                    "operations": times(201) {
                        ["operationType": "create", "zone": ["zoneID": ["zoneName": .string("z\($0)")]]]
                    }
                ], tooMany),
            .json("201 feeds", "changes/zone", ["zones": times(201) { _ in ["zoneID": notes] }], tooMany),
            .json(
                "a million operations", "records/modify",
                ["operations": times(1_000_000) { _ in 1 }], .refused(400, "BAD_REQUEST", "operations")),
            .body(
                "a million keys", "records/query",
                Array(
                    (#"{"query":{"recordType":"Note"},"desiredKeys":[""#
                        + String(repeating: #"","#, count: 1_000_000) + #""]}"#).utf8),
                .refused(400, "BAD_REQUEST", "'desiredKeys' can have at most 1000 elements")),
            .field(
                "a list of references that takes 20 times its bytes", "fresh",
                #"{"type":"REFERENCE_LIST","value":["#
                    + String(repeating: #"{"recordName":"note1"},"#, count: 100_000) + "5]}",
                .item("BAD_REQUEST", "a record can have at most 1048576 bytes")),
            .json(
                "201 files to refer to again", "assets/rereference",
                ["assets": times(201) { ["recordName": .string("r\($0)"), "fieldName": "file"] }], tooMany),
            .json(
                "a record twice", "records/modify", ["zoneID": notes, "operations": [save("a"), save("a")]], refused),
            .json("21 filters", "records/query", query(["filterBy": times(21) { _ in filter }]), refused),
            .json(
                "9 sorts", "records/query",
                query(["sortBy": times(9) { .object([.init("fieldName", .string("f\($0)"))]) }]), refused),
            .json(
                "251 names in a list", "records/query",
                query([
                    "filterBy": [
                        [
                            "comparator": "IN", "fieldName": "recordName",
                            "fieldValue": ["type": "STRING_LIST", "value": times(251) { .string("n\($0)") }],
                        ]
                    ]
                ]), refused),
            .json(
                "an unknown comparator", "records/query",
                query(["filterBy": [["comparator": "LIKE", "fieldName": "text", "fieldValue": ["value": "x"]]]]),
                refused),
            .json("an unknown record type", "records/query", ["query": ["recordType": "Nothing"]], refused),
            .json(
                "an unknown operation", "records/modify", ["operations": [["operationType": "upsert", "record": [:]]]],
                refused),
            .json(
                "an operation without record", "records/modify", ["operations": [["operationType": "create"]]], refused),
            .json(
                "an update without tag", "records/modify",
                [
                    "zoneID": notes,
                    "operations": [
                        ["operationType": "update", "record": ["recordName": "note1", "recordType": "Note"]]
                    ],
                ], .item("BAD_REQUEST", "")),
            .json("no operations key", "records/modify", ["zoneID": notes], refused),
            .json(
                "the feed of the default zone", "changes/zone", ["zones": [["zoneID": ["zoneName": "_defaultZone"]]]],
                .item("BAD_REQUEST", "")),
            .json(
                "the older feed of the default zone", "records/changes", ["zoneID": ["zoneName": "_defaultZone"]],
                refused),
            .json("changes in public", "changes/zone", ["zones": [["zoneID": notes]]], refused, .public),
            .json("database changes in public", "changes/database", [:], refused, .public),
            .json(
                "a share that is not there", "changes/zone",
                ["zones": [["zoneID": ["zoneName": "Notes", "ownerRecordName": "_0123456789abcdef0123456789abcdef"]]]],
                .item("ZONE_NOT_FOUND", ""), .shared),
        ]

        @Test(arguments: rows) func oneMoreThanIsAllowedIsRefused(_ row: Row) throws { try row.prove() }

        /// docs/protocol.md, J13
        @Test(arguments: Types.keys.filter { $0.kind == .array || $0.kind == .oneOrMore })
        func noListOfARequestIsWithoutALimit(_ key: Types.Key) throws {
            let body = try Types.body(key.endpoint)
            let first = key.path.reduce(body) { json, step in Int(step).map { json[$0] } ?? json[step] }[0]
            let element: JSON = first.isAbsent ? ["fieldName": "recordName"] : first
            try Row.json(
                "1,001 of \(key.testDescription)", key.endpoint,
                body.replacing(key.path[...], with: .array(Array(repeating: element, count: 1_001))),
                .refused(400, "BAD_REQUEST", "'\(key.path.last ?? "")' can have at most")
            ).prove()
        }

        /// A record may be looked up 200 times in one request, and a feed be requested 200 times: the page limits the response, not
        /// the number of items.
        @Test func anAnswerStaysWithinItsPage() throws {
            let target = try Targets.current.target()
            let client = target.client(.person(apiToken: target.apiToken, webAuthToken: target.grace))
            let text: JSON = ["text": ["value": .string(String(repeating: "x", count: 900_000)), "type": "STRING"]]
            for number in 0..<9 {
                let answer = try client.post(
                    "records/modify", .private,
                    [
                        "zoneID": Limits.notes,
                        "operations": [
                            [
                                "operationType": "forceUpdate",
                                "record": [
                                    "recordName": .string("big\(number)"), "recordType": "Note", "fields": text,
                                ],
                            ]
                        ],
                    ])
                #expect(answer.status == 200)
            }
            let process = try #require(target.server as? ServerProcess)
            let before = try process.usage.residentBytes
            let lookup = try client.post(
                "records/lookup", .private,
                ["zoneID": Limits.notes, "records": Limits.times(200) { _ in ["recordName": "big0"] }])
            #expect(lookup.status == 200 && lookup.body.count < 9 << 20, "\(lookup.status), \(lookup.body.count) bytes")
            #expect(try lookup.json["records"][199]["serverErrorCode"] == "TRY_AGAIN_LATER")
            let feeds = try client.post(
                "changes/zone", .private, ["zones": Limits.times(200) { _ in ["zoneID": Limits.notes] }])
            #expect(feeds.body.count < 17 << 20, "\(feeds.body.count) bytes for one request")
            let after = try process.usage.residentBytesMax
            #expect(after < before + 128 << 20, "resident memory grew from \(before) to \(after)")
        }
    }
}
