import NephosTesting
import Testing

extension ServerTests {
    /// The order of records: docs/protocol.md, "Order".
    @Suite struct QueryOrderTests {
        struct Case: CustomTestStringConvertible, Sendable {
            var sort: String
            var names: String
            var testDescription: String { sort }

            init(_ sort: String, _ names: String) { (self.sort, self.names) = (sort, names) }
        }

        static let sorts: [Case] = [
            Case("[]", "abcdefg"), Case(#"{"fieldName":"recordName","ascending":false}"#, "gfedcba"),
            Case(#"{"systemFieldName":"___recordID"}"#, "abcdefg"), Case(#"{"fieldName":"s"}"#, "dbacfeg"),
            Case(#"{"fieldName":"s","ascending":false}"#, "efcabdg"), Case(#"{"fieldName":"n"}"#, "fbdaceg"),
            Case(#"{"fieldName":"n","ascending":false}"#, "ecadbfg"), Case(#"{"fieldName":"d"}"#, "fbdaceg"),
            Case(#"{"fieldName":"d","ascending":false}"#, "ecabdfg"), Case(#"{"fieldName":"t"}"#, "cdaebfg"),
            Case(#"{"fieldName":"t","ascending":false}"#, "fbaedcg"), Case(#"{"fieldName":"b"}"#, "dacbefg"),
            Case(#"{"fieldName":"b","ascending":false}"#, "bcadefg"),
            Case(#"[{"fieldName":"t"},{"fieldName":"n","ascending":false}]"#, "cdeabfg"),
            Case(#"[{"fieldName":"t","ascending":false},{"fieldName":"n"}]"#, "fbaedcg"),
            Case(#"[{"fieldName":"b"},{"fieldName":"s","ascending":false}]"#, "dacbefg"),
            Case(#"[{"fieldName":"d"},{"fieldName":"s"},{"fieldName":"d","ascending":false}]"#, "fdbaceg"),
            // All of one batch have the same time, so the second key decides.
            Case(#"[{"fieldName":"createdTimestamp"},{"fieldName":"n"}]"#, "fbdaceg"),
            Case(
                #"[{"systemFieldName":"___modTime","ascending":false},{"systemFieldName":"recordName","ascending":false}]"#,
                "gfedcba"),
            // Q21
            Case(#"{"fieldName":"p","relativeLocation":{"latitude":0,"longitude":0}}"#, "abcdefg"),
            Case(
                #"{"fieldName":"p","relativeLocation":{"value":{"latitude":90,"longitude":0.01},"type":"LOCATION"}}"#,
                "cdabefg"),
            Case(
                #"[{"fieldName":"p","relativeLocation":{"latitude":-10,"longitude":-179.9999}},{"fieldName":"n"}]"#,
                "fe"),
        ]

        // docs/protocol.md Q20, Q21, Q5
        @Test(arguments: sorts, Shelf.Size.allCases) func recordsComeInOrder(_ row: Case, _ size: Shelf.Size) throws {
            let shelf = try Shelf.shared(size)
            let sort = try JSON(reading: Array(row.sort.utf8))
            for page: Int64 in [1, 3, 200] {
                let found = try shelf.names([], sortBy: sort, page: page).joined()
                #expect(found.hasPrefix(row.names) && found.count == 7, "\(found) in pages of \(page)")
            }
        }

        // docs/protocol.md Q9, Q21
        @Test("Records can be sorted by their last change only if the schema allows it (S0-48)")
        func newestFirst() throws {
            let container = try freshContainer()
            let ada = try container.person("ada@example.org")
            try container.importSchema(
                TestContainer.recordType(
                    "Sorted", [#""___recordID" REFERENCE QUERYABLE"#, #""___modTime" TIMESTAMP SORTABLE"#])
                    + TestContainer.recordType("Unsorted", [#""___recordID" REFERENCE QUERYABLE"#]))
            for (kind, names) in [("create", "abc"), ("forceUpdate", "b")] {
                for (name, type) in names.flatMap({ [("\($0)", "Sorted"), ("un\($0)", "Unsorted")] }) {
                    expectRecord(
                        try ada.modify(operation(kind, name, type: type), zone: nil, in: .public), type: type)
                }
            }
            func query(_ type: String) throws -> HTTPResponse {
                let sort: JSON = [["systemFieldName": "modifiedTimestamp", "ascending": false]]
                return try container.app.post(
                    "records/query", .public, ["query": ["recordType": .string(type), "sortBy": sort]])
            }
            let found = try expectSuccess(try query("Sorted"))["records"].elements
            let times = found.compactMap { $0["modified"]["timestamp"].int64 }
            #expect(times.count == 3 && times == times.sorted(by: >), "\(found)")
            let changed = found.first { $0["recordName"] == "b" }
            #expect(changed?["modified"]["timestamp"].int64 == times.first, "it was changed last")
            let refusal = try expectRefused(try query("Unsorted"), "BAD_REQUEST")
            #expect(refusal["reason"].string?.contains("is not marked sortable") == true, "\(refusal)")
        }

        // docs/protocol.md Q5, Q20
        @Test(arguments: Shelf.Size.allCases) func aFilterKeepsTheOrder(size: Shelf.Size) throws {
            let shelf = try Shelf.shared(size)
            let sort: JSON = ["fieldName": "n", "ascending": false]
            for page: Int64 in [1, 200] {
                #expect(
                    try shelf.names([.init("s", "BEGINS_WITH", #""""#)], sortBy: sort, page: page).joined() == "ecadbf")
                #expect(try shelf.names([.init("t", "EQUALS", "1000")], sortBy: sort, page: page).joined() == "ea")
                #expect(
                    try shelf.names([.init("s", "NOT_EQUALS", #""x""#)], sortBy: sort, page: page).joined() == "ecadbfg"
                )
                #expect(
                    try shelf.names([.init("ss", "LIST_CONTAINS_ANY", #"["red","blue"]"#)], sortBy: sort, page: page)
                        .joined() == "eab")
            }
        }

        static let places: [(String, Double, String)] = [
            (#"{"latitude":0,"longitude":0}"#, 0, "a"), (#"{"latitude":0,"longitude":0}"#, 1_100, "a"),
            (#"{"latitude":0,"longitude":0}"#, 1_125, "ab"), (#"{"latitude":0,"longitude":0.005}"#, 600, "ab"),
            (#"{"latitude":89.999,"longitude":0}"#, 200, "c"), (#"{"latitude":89.999,"longitude":0}"#, 250, "cd"),
            (#"{"latitude":90,"longitude":-77}"#, 120, "cd"), (#"{"latitude":90,"longitude":-77}"#, 100, ""),
            (#"{"latitude":-10,"longitude":180}"#, 120, "ef"), (#"{"latitude":-10,"longitude":-180}"#, 120, "ef"),
            (#"{"latitude":-10,"longitude":179.999}"#, 250, "ef"), (#"{"latitude":-10,"longitude":179.999}"#, 200, "e"),
            (#"{"latitude":-90,"longitude":0}"#, 1, ""), (#"{"latitude":12,"longitude":34}"#, 20_100_000, "abcdef"),
            (#"{"latitude":12,"longitude":34}"#, 1e300, "abcdef"),
        ]

        // docs/protocol.md Q18
        @Test(arguments: places, Shelf.Size.allCases)
        func recordsNearAPlaceAreFound(row: (place: String, distance: Double, found: String), size: Shelf.Size) throws {
            let shelf = try Shelf.shared(size)
            let near = Shelf.Filter("p", "NEAR", row.place, distance: row.distance)
            #expect(try shelf.names([near]).joined() == row.found)
            #expect(try shelf.names([near], page: 1).joined() == row.found)
            let away: JSON = ["fieldName": "p", "relativeLocation": ["latitude": 0, "longitude": 0]]
            #expect(try shelf.names([near], sortBy: away).joined() == row.found, "by distance from elsewhere")
        }
    }
}
