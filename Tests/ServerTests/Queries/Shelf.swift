import NephosTesting
import Synchronization
import Testing

/// Records of type `Item` in zone `Notes`, with a field of every kind, and every permission to query.
///
/// There is a small shelf, which is scanned completely, and a large one, where other records in the database make the server use
/// indexes. The results of a query must not depend on it.
struct Shelf {
    enum Size: String, CaseIterable, Sendable { case small, large }

    let ada: CloudKitClient

    /// The shelf of that size, the same for all tests. Each test gets its own connection.
    static func shared(_ size: Size) throws -> Shelf {
        let notes = try Notes.shared("Shelf \(size.rawValue)")
        let shelf = Shelf(ada: notes.ada)
        try filled.withLock { filled in
            if filled.insert("\(size.rawValue) \(notes.container.id) \(notes.ada.port)").inserted {
                try notes.container.importSchema(schema)
                try shelf.fill(size)
            }
        }
        return shelf
    }

    private static let filled = Mutex<Set<String>>([])

    static let schema = TestContainer.recordType(
        "Item",
        [
            #""___recordID" REFERENCE QUERYABLE SORTABLE"#, #""___createTime" TIMESTAMP QUERYABLE SORTABLE"#,
            #""___modTime" TIMESTAMP QUERYABLE SORTABLE"#, #""___createdBy" REFERENCE QUERYABLE"#,
            #""___modifiedBy" REFERENCE QUERYABLE"#, "s STRING QUERYABLE SORTABLE", "n INT64 QUERYABLE SORTABLE",
            "d DOUBLE QUERYABLE SORTABLE", "t TIMESTAMP QUERYABLE SORTABLE", "b BYTES QUERYABLE SORTABLE",
            "r REFERENCE QUERYABLE", "p LOCATION QUERYABLE SORTABLE", "ss LIST<STRING> QUERYABLE SEARCHABLE",
            "ns LIST<INT64> QUERYABLE", "ds LIST<DOUBLE> QUERYABLE", "ts LIST<TIMESTAMP> QUERYABLE",
            "bs LIST<BYTES> QUERYABLE", "rs LIST<REFERENCE> QUERYABLE", "text STRING SEARCHABLE",
        ])

    /// Name, and the fields as JSON: `"field":value`. Types are declared by the schema.
    private static let items: [(name: String, fields: String)] = [
        (
            "a",
            #""s":"apple","n":1,"d":1.5,"t":1000,"b":"AAE=","r":{"recordName":"x"},"ss":["red","blue"],"ns":[1,2],"ds":[0.5,1],"ts":[5],"bs":["AAE="],"rs":[{"recordName":"x"},{"recordName":"y"}],"text":"The quick brown fox","p":{"latitude":0,"longitude":0}"#
        ),
        (
            "b",
            #""s":"Apple","n":-5,"d":-0.0,"t":2000,"b":"AQ==","r":{"recordName":"y"},"ss":["red","red","green"],"ns":[2,3],"ds":[9007199254740992],"ts":[5,6],"bs":["AAE=","AQ=="],"rs":[{"recordName":"y"}],"text":"A fox, QUICKLY","p":{"latitude":0,"longitude":0.01}"#
        ),
        (
            "c",
            #""s":"applesauce","n":9007199254740993,"d":9007199254740992,"t":-1,"b":"AAEC","r":{"recordName":"z"},"ss":["reddish"],"ns":[9007199254740993],"ds":[-0.0],"text":"Café Noir","p":{"latitude":89.999,"longitude":0}"#
        ),
        ("d", #""s":"","n":0,"d":0.0,"t":0,"b":"","ss":[],"ns":[],"text":"","p":{"latitude":89.999,"longitude":180}"#),
        (
            "e",
            #""s":"éclair","n":9223372036854775807,"d":1e300,"t":1000,"ss":["blue"],"ns":[0],"text":"cafe au lait, brown","p":{"latitude":-10,"longitude":179.999}"#
        ),
        (
            "f",
            #""s":"e\u0301clair","n":-9223372036854775808,"d":-1e300,"t":9007199254740993,"ss":["é"],"text":"ONE two","p":{"latitude":-10,"longitude":-179.999}"#
        ),
        ("g", ""),
    ]

    private func fill(_ size: Size) throws {
        let operations = try Self.items.map { item -> JSON in
            let fields = try JSON(reading: Array("{\(item.fields)}".utf8))
            return operation(
                "create", item.name, type: "Item",
                fields: .object(fields.members.map { JSON.Member($0.name, ["value": $0.value]) }),
                parent: item.name == "b" || item.name == "g" ? ["recordName": "a"] : .absent)
        }
        for result in try ada.modify(operations) { expectRecord(result, type: "Item") }
        guard size == .large else { return }
        for batch in 0..<2 {
            let others = (0..<150).map { operation("create", "other\(batch * 150 + $0)", type: "Other") }
            try ada.modify(others, zone: nil)
        }
    }

    // MARK: Queries

    /// One filter; its value as JSON.
    struct Filter: Sendable {
        var field: String?
        var comparator: String
        var value: String
        var tag: String?
        var distance: Double?

        init(_ field: String?, _ comparator: String, _ value: String, tag: String? = nil, distance: Double? = nil) {
            self.field = field
            self.comparator = comparator
            self.value = value
            self.tag = tag
            self.distance = distance
        }

        func json() throws -> JSON {
            [
                "fieldName": field.map { .string($0) } ?? .absent, "comparator": .string(comparator),
                "fieldValue": [
                    "value": try JSON(reading: Array(value.utf8)), "type": tag.map { .string($0) } ?? .absent,
                ],
                "distance": distance.map { .double($0) } ?? .absent,
            ]
        }
    }

    /// Names of all matching records, in the order of the response; requested in pages of some size.
    func names(
        _ filters: [Filter], sortBy: JSON = .absent, page: Int64 = 200, type: String = "Item",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        try ada.queryAll(
            [
                "recordType": .string(type), "filterBy": .array(try filters.map { try $0.json() }), "sortBy": sortBy,
            ], page: page, sourceLocation: sourceLocation)
    }
}

extension CloudKitClient {
    /// Follows the markers of a query to its end; returns the names of the records, in order.
    ///
    /// - Parameter more: Other keys of the request; without `zoneID` or `zoneWide` in it, zone `Notes` is queried.
    func queryAll(
        _ query: JSON, page: Int64 = 200, in database: Database = .private, more: JSON = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        var body: JSON = ["query": query, "resultsLimit": .int(page)]
        if database == .private, more["zoneWide"].isAbsent { body["zoneID"] = ["zoneName": "Notes"] }
        for member in more.members { body[member.name] = member.value }
        var names: [String] = []
        repeat {
            let answer = try answer("records/query", body, in: database, sourceLocation: sourceLocation)
            #expect(answer["records"].elements.count <= page, sourceLocation: sourceLocation)
            names += answer["records"].elements.compactMap { $0["recordName"].string }
            body["continuationMarker"] = answer["continuationMarker"]
            try #require(names.count < 100_000, "an endless query", sourceLocation: sourceLocation)
        } while !body["continuationMarker"].isAbsent
        return names
    }
}
