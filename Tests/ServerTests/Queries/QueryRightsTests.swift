import NephosTesting
import Testing

extension ServerTests {
    /// Which records a caller finds, and what the schema must permit: docs/protocol.md Q6 and Q9.
    @Suite struct QueryRightsTests {
        private let notes: Notes

        init() throws { notes = try Notes() }

        private static let all: JSON = ["recordType": "Diary"]
        private static let field = #""___recordID" REFERENCE QUERYABLE SORTABLE, n INT64 QUERYABLE SORTABLE"#

        private func diary(_ grants: String) throws {
            try notes.container.importSchema("RECORD TYPE Diary (\(Self.field), \(grants));")
        }

        private func fill(_ client: CloudKitClient, _ prefix: String) throws {
            try client.modify(
                (0..<4).map {
                    operation("create", "\(prefix)\($0)", type: "Diary", fields: ["n": ["value": .int($0)]])
                }, zone: nil, in: .public)
        }

        // docs/protocol.md Q6
        @Test(arguments: [false, true]) func whoeverMayReadTheirOwnOnlyFindsTheirOwn(isLarge: Bool) throws {
            try diary(#"GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud""#)
            let (ada, grace) = (notes.ada, try notes.grace())
            if isLarge { for batch in 0..<11 { for half in ["x", "y"] { try filler(grace, "\(half)\(batch)") } } }
            for round in 0..<2 {
                try fill(ada, "a\(round)")
                try fill(grace, "g\(round)")
            }
            let own = (0..<2).flatMap { round in (0..<4).map { "a\(round)\($0)" } }
            for page: Int64 in [1, 3, 200] {
                #expect(try ada.queryAll(Self.all, page: page, in: .public) == own)
                let sorted: JSON = [
                    "recordType": "Diary",
                    "sortBy": [["fieldName": "n", "ascending": false], ["fieldName": "recordName"]],
                ]
                #expect(
                    try ada.queryAll(sorted, page: page, in: .public)
                        == ["a03", "a13", "a02", "a12", "a01", "a11", "a00", "a10"])
                let filtered: JSON = [
                    "recordType": "Diary",
                    "filterBy": ["fieldName": "n", "comparator": "EQUALS", "fieldValue": ["value": 2]],
                ]
                #expect(try ada.queryAll(filtered, page: page, in: .public) == ["a02", "a12"])
                let named: JSON = [
                    "recordType": "Diary",
                    "filterBy": [
                        "fieldName": "recordName", "comparator": "IN",
                        "fieldValue": ["value": ["g00", "a00", "g01"], "type": "STRING_LIST"],
                    ],
                ]
                #expect(try ada.queryAll(named, page: page, in: .public) == ["a00"])
            }
            #expect(try grace.queryAll(Self.all, in: .public).filter { $0.hasPrefix("a") }.isEmpty)
            for client in [notes.container.app] {
                try expectRefused(try client.post("records/query", .public, ["query": Self.all]), "ACCESS_DENIED")
            }
            // A private database belongs to its owner.
            #expect(try ada.queryAll(Self.all) == [])
        }

        private func filler(_ client: CloudKitClient, _ prefix: String) throws {
            try client.modify(
                (0..<10).map { operation("create", "\(prefix)-\($0)", type: "Diary", fields: ["n": ["value": 2]]) },
                zone: nil,
                in: .public)
        }

        // docs/protocol.md Q6, SR2
        @Test func aTypeWithoutReadIsClosed() throws {
            try diary(#"GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud""#)
            try fill(notes.ada, "a")
            for client in [notes.ada, notes.container.app, notes.container.client(.key(try notes.container.key()))] {
                try expectRefused(try client.post("records/query", .public, ["query": Self.all]), "ACCESS_DENIED")
            }
        }

        // docs/protocol.md Q9
        @Test func whatADevelopmentSaveMakesPermitsItsOwnFieldsOnly() throws {
            try notes.ada.create("A", fields: ["t": ["value": "x y"], "n": ["value": 1]])
            func filter(_ field: String, _ comparator: String, _ value: JSON) -> JSON {
                [
                    "recordType": "Note",
                    "filterBy": [
                        "fieldName": .string(field), "comparator": .string(comparator), "fieldValue": ["value": value],
                    ],
                ]
            }
            for query in [
                filter("t", "EQUALS", "x y"), filter("n", "LESS_THAN", 2), filter("t", "CONTAINS_ALL_TOKENS", "Y"),
                ["recordType": "Note", "filterBy": filter("n", "EQUALS", 1)["filterBy"], "sortBy": ["fieldName": "t"]],
            ] as [JSON] { #expect(try notes.ada.queryAll(query) == ["A"], "\(query)") }
            let refused: [(JSON, String)] = [
                (["recordType": "Note"], "Field 'recordName' is not marked queryable"),
                (["recordType": "Note", "filterBy": []], #"write '"___recordID" REFERENCE QUERYABLE'"#),
                (filter("recordName", "EQUALS", "A"), "Field 'recordName' is not marked queryable"),
                (filter("creationDate", "GREATER_THAN", 1), "Field 'creationDate' is not marked queryable"),
                (
                    [
                        "recordType": "Note", "filterBy": filter("n", "EQUALS", 1)["filterBy"],
                        "sortBy": ["systemFieldName": "___modTime"],
                    ], "Field '___modTime' is not marked sortable"
                ),
            ]
            for (query, reason) in refused {
                let body: JSON = ["query": query, "zoneID": ["zoneName": "Notes"]]
                let refusal = try expectRefused(try notes.ada.post("records/query", .private, body), "BAD_REQUEST")
                #expect(refusal["reason"].string?.contains(reason) == true, "\(refusal)")
            }
        }

        // docs/protocol.md Q9, Q1: users are found like other records.
        @Test func usersAreFoundWhereTheSchemaPermits() throws {
            let grace = try notes.grace()
            let users: JSON = ["recordType": "Users"]
            let refusal = try expectRefused(try grace.post("records/query", .public, ["query": users]), "BAD_REQUEST")
            #expect(refusal["reason"].string?.contains("Field 'recordName' is not marked queryable") == true)
            try notes.container.importSchema(
                #"RECORD TYPE Users ("___recordID" REFERENCE QUERYABLE, roles LIST<INT64>, GRANT WRITE TO "_creator", GRANT READ TO "_world");"#
            )
            let found = try grace.queryAll(users, in: .public)
            #expect(found.count == 2 && found.allSatisfy { $0.hasPrefix("_") && $0.count == 33 })
        }
    }
}
