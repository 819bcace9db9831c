import NephosTesting
import Testing

/// Numbers at the limits of their types, and texts that are almost numbers, wherever the server parses external input
/// (docs/protocol.md, J4 and J14).
extension BadInput {
    @Suite(.inside) struct Numbers {
        private static let nines = String(repeating: "9", count: 19)
        /// Neither a valid INT64 nor a valid number in a header.
        private static let beyond = ["9223372036854775808", "-9223372036854775809", nines, "1e400", "-1e400"]
        private static let none = ["", "-", "+", "+1", "0x1f", "1_0", "٣", "１", "NaN", "Infinity", "9" + nines + "x"]

        // MARK: Headers

        /// A date is parsed before window and signature are checked, so anybody who knows a key ID can send one.
        static let dates: [Row] = fractions.map { fraction in
            Row("a date with the fraction \(fraction.prefix(30))", Credential.failed) { target in
                var key = target.key
                key.date = "2026-01-01T00:00:00.\(fraction)Z"
                return try target.client(.key(key)).post("users/caller", .public, [:])
            }
        }

        private static let fractions =
            beyond + none + [
                nines, "9223372036854775807", "0" + nines, String(repeating: "9", count: 400),
                String(repeating: "9", count: 12_000),
            ]

        @Test(arguments: dates) func aDateIsRefusedWhateverItsNumbersAre(_ row: Row) throws { try row.prove() }

        @Test(arguments: ["-", "0-", "5-", "0-0"], beyond + none + ["9223372036854775807"])
        func aRangeOfAFileIsAnsweredWhateverItsNumbersAre(_ start: String, _ number: String) throws {
            let target = try Targets.current.target()
            let path = "/asset/1/\(target.container)/development/x.png?t=\(target.files.download)"
            let range = [HTTPHeader("Range", "bytes=\(start)\(number)")]
            let answer = try HTTPConnection(port: target.server.port)
                .exchange(HTTPRequest("GET", path, headers: range))
            #expect([200, 206, 416].contains(answer.status))
        }

        // MARK: Bodies

        static let limits: [Row] =
            beyond.map {
                .body("resultsLimit \($0)", "changes/database", Array("{\"resultsLimit\":\($0)}".utf8), refused)
            }
            + (beyond + none).map {
                .body("resultsLimit '\($0)'", "changes/database", Array("{\"resultsLimit\":\"\($0)\"}".utf8), refused)
            }

        private static let refused = Row.Answer.refused(400, "BAD_REQUEST", "resultsLimit")

        static let fields: [Row] =
            ["INT64", "TIMESTAMP"].flatMap { type in
                beyond.map { value("\($0)", type) } + (beyond + none).map { value("\"\($0)\"", type) }
            } + (["1e400", "-1e400"] + none.map { "\"\($0)\"" }).map { value($0, "DOUBLE") }
            + ["1e400", "-1e400", "90.0000000001", nines].map {
                value("{\"latitude\":\($0),\"longitude\":0}", "LOCATION")
            }
            + [value(#"{"latitude":1,"longitude":0,"timestamp":1e400}"#, "LOCATION")]
            + (beyond + none).map {
                value(
                    #"{"fileChecksum":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB","size":"\#($0)","receipt":"r"}"#,
                    "ASSETID")
            }

        private static func value(_ value: String, _ type: String) -> Row {
            .field("no \(type)", "fresh", "{\"value\":\(value),\"type\":\"\(type)\"}", .item("BAD_REQUEST", ""))
        }

        @Test(arguments: limits) func aPageHasACountThatIsANumber(_ row: Row) throws { try row.prove() }
        @Test(arguments: fields) func aFieldHoldsANumberOfItsType(_ row: Row) throws { try row.prove() }

        /// The largest valid numbers: computations with them must not overflow.
        @Test(arguments: [
            filter("count", "LESS_THAN_OR_EQUALS", "9223372036854775807"),
            filter("count", "GREATER_THAN", "9223372036854775807"),
            filter("count", "LESS_THAN", "-9223372036854775808"),
            filter("count", "EQUALS", "1.7e308"), filter("count", "LESS_THAN", "-1.7e308"),
            filter("count", "GREATER_THAN", "9223372036854775808.0"),
            filter("ratio", "LESS_THAN", "9223372036854775807"),
            filter("ratio", "GREATER_THAN", "1.7976931348623157e308"), filter("ratio", "EQUALS", "5e-324"),
            filter("day", "LESS_THAN", "9223372036854775807"), filter("day", "GREATER_THAN", "-9223372036854775808"),
            near("1.7976931348623157e308"), near("5e-324"), near("0"), near("20015115"),
            near("1e9", latitude: "90", longitude: "-180"), near("1e9", latitude: "-90", longitude: "180"),
        ]) func aQueryTakesTheLargestNumbers(_ condition: String) throws {
            let target = try Targets.current.target()
            let client = target.client(target.adaCredentials)
            let body = """
                {"zoneID":{"zoneName":"Notes"},"resultsLimit":9223372036854775807,"query":{"recordType":"Note",\
                "filterBy":[\(condition)]}}
                """
            let answer = try client.send("POST", client.path("records/query", .private), body: Array(body.utf8))
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        }

        private static func filter(_ field: String, _ comparator: String, _ value: String) -> String {
            #"{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":\#(value)}}"#
        }

        private static func near(_ metres: String, latitude: String = "1", longitude: String = "2") -> String {
            """
            {"fieldName":"place","comparator":"NEAR","distance":\(metres),"fieldValue":{"value":\
            {"latitude":\(latitude),"longitude":\(longitude)}}}
            """
        }

        @Test(arguments: ["zzzzzzzzzzzzz", "1y2p0ij32e8e7", "1y2p0ij32e8e8", "", "-1", "٣", "0", nines + nines])
        func aChangeTagThatNoRecordHadIsStale(_ tag: String) throws {
            let body = """
                {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"update","record":{"recordName":"note1",\
                "recordType":"Note","recordChangeTag":"\(tag)","fields":{}}}]}
                """
            try Row.body("a tag \(tag)", "records/modify", Array(body.utf8), .item("CONFLICT", "")).prove()
        }
    }
}
