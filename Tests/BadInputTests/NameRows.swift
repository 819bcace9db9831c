import NephosTesting
import Testing

/// Names of records and zones (docs/protocol.md, N1).
extension BadInput {
    @Suite(.inside) struct Names {
        /// As written in JSON.
        static let names = [
            "", String(repeating: "a", count: 256), String(repeating: "é", count: 128),
            String(repeating: "😀", count: 64),
            #"\u0000"#, #"a\u0000b"#, #"\n"#, #"a\tb"#, #"\u001f"#, #"\u007f"#, #"\u0085"#, "_", "_x", "_defaultOwner",
        ]

        static let records: [Row] = names.flatMap { name -> [Row] in
            ["create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"].map { operation in
                .body(
                    "\(operation) of '\(name.prefix(12))', \(name.utf8.count) bytes", "records/modify",
                    Array(
                        """
                        {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"\(operation)","record":\
                        {"recordName":"\(name)","recordType":"Note","recordChangeTag":"1"}}]}
                        """.utf8), .item("BAD_REQUEST", ""))
            }
        }

        /// Such names are not valid, so no record has one.
        static let lookups: [Row] = names.map {
            .body(
                "lookup of '\($0.prefix(12))', \($0.utf8.count) bytes", "records/lookup",
                Array(#"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"\#($0)"}]}"#.utf8),
                .item("NOT_FOUND", ""))
        }

        static let zones: [Row] = names.map {
            .body(
                "a zone named '\($0.prefix(12))', \($0.utf8.count) bytes", "zones/modify",
                Array(#"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#($0)"}}}]}"#.utf8),
                .item("BAD_REQUEST", ""))
        }

        static let zoneRules: [Row] = [
            .json(
                "deleting the default zone", "zones/modify",
                ["operations": [["operationType": "delete", "zone": ["zoneID": ["zoneName": "_defaultZone"]]]]],
                .item("BAD_REQUEST", "")),
            .json(
                "deleting a zone that is not there", "zones/modify",
                ["operations": [["operationType": "delete", "zone": ["zoneID": ["zoneName": "Nowhere"]]]]],
                .item("ZONE_NOT_FOUND", "")),
            .json(
                "a custom zone in public", "zones/modify",
                ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": "Mine"]]]]],
                .refused(400, "BAD_REQUEST", ""), .public),
            .json(
                "another person's zone", "records/lookup",
                [
                    "zoneID": ["zoneName": "Notes", "ownerRecordName": "_0123456789abcdef0123456789abcdef"],
                    "records": [["recordName": "note1"]],
                ], .refused(404, "ZONE_NOT_FOUND", "")),
            .json(
                "a zone that is not there", "records/lookup",
                ["zoneID": ["zoneName": "Nowhere"], "records": [["recordName": "x"]]],
                .refused(404, "ZONE_NOT_FOUND", "")),
        ]

        @Test(arguments: records) func aBadRecordNameIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: lookups) func aBadNameIsNotFound(_ row: Row) throws { try row.prove() }
        @Test(arguments: zones) func aBadZoneNameIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: zoneRules) func aZoneThatCannotBeIsRefused(_ row: Row) throws { try row.prove() }

        /// Names just within the rule are stored unchanged.
        @Test(arguments: [
            "a", String(repeating: "a", count: 255), String(repeating: "é", count: 127), "😀", "e\u{301}", "a b", "a/b",
            "..", "%2e", "a_", "\u{a0}", "\u{202e}abc", "\u{feff}", "'; DROP TABLE records; --", "\\", "\"",
        ])
        func aGoodNameComesBackAsItIs(_ name: String) throws {
            let target = try Targets.current.target()
            let client = target.client(target.adaCredentials)
            let zone: JSON = ["zoneName": "Notes"]
            let record: JSON = ["recordName": .string(name), "recordType": "Note"]
            for operation in ["create", "delete"] {
                let answer = try client.post(
                    "records/modify", .private,
                    ["zoneID": zone, "operations": [["operationType": .string(operation), "record": record]]]
                ).json
                #expect(answer["records"][0]["recordName"] == .string(name), "\(answer)")
                #expect(answer["records"][0]["serverErrorCode"].isAbsent, "\(answer)")
            }
        }
    }
}
