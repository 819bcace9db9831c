import NephosTesting
import Testing

extension ServerTests {
    /// Indexes are created automatically: docs/protocol.md Q22.
    @Suite struct QueryIndexTests {
        private let notes: Notes

        init() throws {
            notes = try Notes()
            try notes.container.importSchema(
                TestContainer.recordType(
                    "Note",
                    [
                        #""___recordID" REFERENCE QUERYABLE SORTABLE"#, "n INT64 QUERYABLE SORTABLE",
                        "s STRING QUERYABLE SORTABLE",
                    ]))
            for batch in 0..<5 {
                try notes.ada.modify(
                    (0..<100).map { number in
                        let all = batch * 100 + number
                        return operation(
                            "create", "R\(all)",
                            fields: ["n": ["value": .int(Int64(all % 7))], "s": ["value": "\(all % 11)"]])
                    })
            }
        }

        private func metric(_ name: String) throws -> Double {
            let connection = try HTTPConnection(port: notes.ada.port)
            let text = String(decoding: try connection.exchange(HTTPRequest("GET", "/metrics")).body, as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            return line.flatMap { Double($0.dropFirst(name.count + 1)) } ?? 0
        }

        @Test func theFirstQueryWaitsForItsIndexAndEveryOneIsRight() throws {
            let waits = try metric("nephos_queries_index_waits_total")
            let query: JSON = [
                "recordType": "Note",
                "filterBy": ["fieldName": "n", "comparator": "EQUALS", "fieldValue": ["value": 3]],
                "sortBy": ["fieldName": "s", "ascending": false],
            ]
            let expected = (0..<500).filter { $0 % 7 == 3 }.count
            for _ in 0..<3 { #expect(try notes.ada.queryAll(query, page: 20).count == expected) }
            #expect(try metric("nephos_queries_index_waits_total") > waits)
            #expect(try metric(#"nephos_queries_index_builds_total{result="done"}"#) > 0)
            #expect(try metric("nephos_queries_rows_examined_count") > 0)
            // Later saves are found at once, and changed records move.
            try notes.ada.modify(operation("create", "new", fields: ["n": ["value": 3], "s": ["value": "99"]]))
            #expect(try notes.ada.queryAll(query).first == "new")
            try notes.ada.modify(operation("forceUpdate", "new", fields: ["n": ["value": 4]]))
            #expect(try notes.ada.queryAll(query).count == expected)
            try notes.ada.modify(operation("forceDelete", "R3"))
            #expect(try notes.ada.queryAll(query).count == expected - 1)
        }

        // docs/decisions/0012
        @Test func aQueryThatLooksAtManyRowsIsAnsweredLikeOthers() throws {
            let query: JSON = [
                "recordType": "Note",
                "filterBy": [
                    "fieldName": "n", "comparator": "NOT_IN",
                    "fieldValue": ["value": .array((0..<6).map { .int($0) })],
                ],
                "sortBy": ["fieldName": "s", "ascending": true],
            ]
            let expected = (0..<500).filter { $0 % 7 == 6 }
            for page: Int64 in [200, 30] {
                let found = try notes.ada.queryAll(query, page: page)
                #expect(Set(found) == Set(expected.map { "R\($0)" }) && found.count == expected.count)
            }
        }

        @Test func manyQueriesAtOnceAreAllAnswered() async throws {
            let credentials = notes.ada.credentials
            let container = notes.container
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let field = number % 2 == 0 ? "n" : "s"
                        let query: JSON = [
                            "recordType": "Note",
                            "sortBy": ["fieldName": .string(field), "ascending": .bool(number % 4 < 2)],
                        ]
                        return try container.client(credentials).queryAll(query).count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 500, count: 8))
        }
    }
}
