import NephosTesting
import Synchronization
import Testing

extension ServerTests {
    /// Queries of two users while both write: docs/protocol.md Q5 and Q6.
    @Suite struct QueryConcurrencyTests {
        private static let schema = #"""
            RECORD TYPE Diary (
                "___recordID" REFERENCE QUERYABLE SORTABLE, n INT64 QUERYABLE SORTABLE, tags LIST<STRING> QUERYABLE,
                GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud"
            );
            """#

        /// A query that finds the records that the writers do not change, among others.
        private struct Question {
            var query: JSON
            /// The kept records that it finds, by their number, in its order.
            var kept: [Int]
        }

        /// The number of the kept record `i` is `i % 10`, and its tag is `even` or `odd`.
        private static let kept = 0..<60

        private static let questions: [Question] = [
            Question(query: [:], kept: kept.sorted { "\($0)" < "\($1)" }),
            Question(query: ["sortBy": ["fieldName": "n"]], kept: kept.sorted { ($0 % 10, $0) < ($1 % 10, $1) }),
            Question(
                query: ["sortBy": ["fieldName": "n", "ascending": false]],
                kept: kept.sorted { (-($0 % 10), $0) < (-($1 % 10), $1) }),
            Question(
                query: [
                    "filterBy": ["fieldName": "n", "comparator": "LESS_THAN", "fieldValue": ["value": 3]],
                    "sortBy": ["fieldName": "recordName", "ascending": false],
                ], kept: kept.filter { $0 % 10 < 3 }.sorted { "\($0)" > "\($1)" }),
            Question(
                query: [
                    "filterBy": ["fieldName": "tags", "comparator": "LIST_CONTAINS", "fieldValue": ["value": "even"]],
                    "sortBy": ["fieldName": "n"],
                ], kept: kept.filter { $0 % 2 == 0 }.sorted { ($0 % 10, $0) < ($1 % 10, $1) }),
        ]

        private static func fields(_ number: Int) -> JSON {
            [
                "n": ["value": .int(Int64(number % 10))],
                "tags": ["value": .array([.string(number % 2 == 0 ? "even" : "odd")]), "type": "STRING_LIST"],
            ]
        }

        /// Saves, changes and deletes records named by `prefix`, never those that are kept.
        private static func write(_ client: CloudKitClient, _ prefix: String, seed: UInt64) throws {
            var dice = SeededGenerator(seed: seed)
            var alive: Set<Int> = []
            for _ in 0..<40 {
                let numbers = Set((0..<8).map { _ in Int.random(in: 0..<120, using: &dice) })
                let operations = numbers.sorted().map { number -> JSON in
                    if alive.contains(number), dice.once(in: 2) {
                        alive.remove(number)
                        return operation("forceDelete", "\(prefix)-\(number)", type: "Diary")
                    }
                    alive.insert(number)
                    let fields = fields(Int.random(in: 0..<10, using: &dice))
                    return operation("forceUpdate", "\(prefix)-\(number)", type: "Diary", fields: fields)
                }
                let results = try client.modify(operations, zone: nil, in: .public)
                #expect(results.allSatisfy { $0["serverErrorCode"].isAbsent }, "\(results)")
            }
        }

        /// Runs every query once, in pages of some size, and compares the results with the expected ones.
        private static func read(_ client: CloudKitClient, _ prefix: String, _ dice: inout SeededGenerator) throws {
            for question in questions {
                var query = question.query
                query["recordType"] = "Diary"
                let page = Int64.random(in: 3...40, using: &dice)
                let found = try client.queryAll(query, page: page, in: .public)
                #expect(found.allSatisfy { $0.hasPrefix(prefix) }, "\(prefix) found \(found)")
                let kept = found.filter { $0.hasPrefix(prefix + "+") }
                #expect(kept == question.kept.map { "\(prefix)+\($0)" }, "in pages of \(page): \(query)")
            }
        }

        // docs/protocol.md Q5, Q6
        @Test("During writes the pages show each unchanged record exactly once, in order, and no others' contents")
        func untouchedOnceAndNothingOfOthers() throws {
            let notes = try Notes()
            try notes.container.importSchema(Self.schema)
            let people = [("ada", notes.ada), ("grace", try notes.grace())]
            for (prefix, client) in people {
                let operations = Self.kept.map {
                    operation("create", "\(prefix)+\($0)", type: "Diary", fields: Self.fields($0))
                }
                try client.modify(operations, zone: nil, in: .public)
            }
            let names = people.map(\.0)
            let credentials = people.map(\.1.credentials)
            let container = notes.container
            let writing = Mutex(names.count)
            // For each user, one client writes and one reads.
            try inThreads(names.count * 2) { number in
                let prefix = names[number / 2]
                let client = container.client(credentials[number / 2])
                if number.isMultiple(of: 2) {
                    defer { writing.withLock { $0 -= 1 } }
                    return try Self.write(client, prefix, seed: UInt64(number))
                }
                var dice = SeededGenerator(seed: UInt64(number))
                repeat { try Self.read(client, prefix, &dice) } while writing.withLock { $0 } > 0
            }
        }
    }
}
