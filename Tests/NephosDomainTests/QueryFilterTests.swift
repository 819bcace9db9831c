import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// The meaning of filters, docs/protocol.md, "Filters".
@Suite("Filters") struct QueryFilterTests {
    private static let desk = QueryFixture()

    /// A valid value of every kind, with the tag that clients use.
    private static let samples: [FieldType: String] = [
        .string: #""x""#, .int64: "3", .double: "1.5", .timestamp: "12", .bytes: #""AAE=""#,
        .reference: #"{"recordName":"x"}"#, .location: #"{"latitude":1,"longitude":2}"#, .asset: "{}",
    ]

    /// The kinds that a comparator supports, and whether it takes a list.
    private static let table: [(comparators: [String], kinds: Set<FieldType>, takesList: Bool)] = [
        (
            ["EQUALS", "NOT_EQUALS"], [.string, .int64, .double, .timestamp, .bytes, .reference], false
        ),
        (["IN", "NOT_IN"], [.string, .int64, .double, .timestamp, .bytes, .reference], true),
        (
            ["LESS_THAN", "LESS_THAN_OR_EQUALS", "GREATER_THAN", "GREATER_THAN_OR_EQUALS"],
            [.string, .int64, .double, .timestamp, .bytes], false
        ),
        (["BEGINS_WITH", "NOT_BEGINS_WITH"], [.string], false),
        (
            ["LIST_CONTAINS", "NOT_LIST_CONTAINS"],
            [.stringList, .int64List, .doubleList, .timestampList, .bytesList, .referenceList], false
        ),
        (
            [
                "LIST_CONTAINS_ANY", "NOT_LIST_CONTAINS_ANY", "LIST_CONTAINS_ALL", "NOT_LIST_CONTAINS_ALL",
                "CONTAINS_ANY",
            ], [.stringList, .int64List, .doubleList, .timestampList, .bytesList, .referenceList], true
        ),
        (["LIST_MEMBER_BEGINS_WITH", "NOT_LIST_MEMBER_BEGINS_WITH"], [.stringList], false),
        (["CONTAINS_ALL_TOKENS", "CONTAINS_ANY_TOKENS"], [.string, .stringList], false),
        (["NEAR"], [.location], false),
    ]

    // docs/protocol.md Q10
    @Test("Every comparator is accepted for its types, and rejected for all others", arguments: Comparator.allCases)
    func comparators(comparator: Comparator) throws {
        let row = try #require(Self.table.first { $0.comparators.contains(comparator.rawValue) })
        for kind in FieldType.allCases where kind != .unknownList {
            let element = kind.element ?? kind
            let isText = row.comparators[0].contains("TOKENS")
            let sample = isText ? #""x""# : Self.samples[element] ?? "1"
            let value = row.takesList ? "{\"value\":[\(sample)]}" : "{\"value\":\(sample)}"
            let reason = Self.desk.refusal {
                _ = try Self.desk.test(kind.tag.lowercased(), comparator.rawValue, value)
            }
            if row.kinds.contains(kind) {
                #expect(reason == nil, "\(comparator) \(kind)")
            } else {
                let expected =
                    "Field has a value type of \(kind.tag) and cannot be queried using filter type "
                    + comparator.rawValue
                #expect(reason?.contains(expected) == true, "\(kind): \(reason ?? "accepted")")
            }
        }
    }

    // docs/protocol.md Q10, Q16
    @Test("Each comparator becomes the test with its meaning")
    func meanings() throws {
        let desk = Self.desk
        let (a, b) = (QueryValue.bytes(Bytes("a")), QueryValue.bytes(Bytes("b")))
        let one = #"{"value":"a","type":"STRING"}"#
        let two = #"{"value":["a","b","a"],"type":"STRING_LIST"}"#
        let rows: [(String, String, String, QueryCondition.Test)] = [
            ("string", "EQUALS", one, .isAny([a])), ("string", "NOT_EQUALS", one, .isNone([a])),
            ("string", "IN", two, .isAny([a, b])), ("string", "NOT_IN", two, .isNone([a, b])),
            ("string", "LESS_THAN", one, .isBetween(nil, .init(a, isIncluded: false))),
            ("string", "LESS_THAN_OR_EQUALS", one, .isBetween(nil, .init(a, isIncluded: true))),
            ("string", "GREATER_THAN", one, .isBetween(.init(a, isIncluded: false), nil)),
            ("string", "GREATER_THAN_OR_EQUALS", one, .isBetween(.init(a, isIncluded: true), nil)),
            ("string", "BEGINS_WITH", one, .beginsWith(Bytes("a"))),
            ("string", "NOT_BEGINS_WITH", one, .beginsNotWith(Bytes("a"))),
            ("string", "BEGINS_WITH", #"{"value":""}"#, .beginsWith([])),
            ("string_list", "LIST_CONTAINS", one, .holdsAny([a])),
            ("string_list", "NOT_LIST_CONTAINS", one, .holdsNone([a])),
            ("string_list", "LIST_CONTAINS_ANY", two, .holdsAny([a, b])),
            ("string_list", "CONTAINS_ANY", two, .holdsAny([a, b])),
            ("string_list", "NOT_LIST_CONTAINS_ANY", two, .holdsNone([a, b])),
            ("string_list", "LIST_CONTAINS_ALL", two, .holdsAll([a, b])),
            ("string_list", "NOT_LIST_CONTAINS_ALL", two, .holdsNotAll([a, b])),
            ("string_list", "LIST_MEMBER_BEGINS_WITH", one, .memberBeginsWith(Bytes("a"))),
            ("string_list", "NOT_LIST_MEMBER_BEGINS_WITH", one, .noMemberBeginsWith(Bytes("a"))),
            (
                "location", "NEAR", #"{"value":{"latitude":89.5,"longitude":-180}}"#,
                .isNear(Place(latitude: 89.5, longitude: -180), metres: 5)
            ),
            ("bytes", "EQUALS", #"{"value":"AAH=","type":"BYTES"}"#, .isAny([.bytes([0, 1])])),
            ("timestamp", "EQUALS", #"{"value":"12","type":"TIMESTAMP"}"#, .isAny([.integer(12)])),
            ("timestamp", "EQUALS", #"{"value":12.9}"#, .isAny([.integer(12)])),
            (
                "timestamp", "GREATER_THAN", #"{"value":12.9}"#,
                .isBetween(.init(.integer(12), isIncluded: false), nil)
            ),
            ("reference", "EQUALS", #"{"value":{"recordName":"a"}}"#, .isAny([a])),
            ("reference", "IN", two, .isAny([a, b])),
            ("reference", "NOT_IN", #"{"value":["a","b"],"type":"STRING_LIST"}"#, .isNone([a, b])),
            ("reference", "IN", #"{"value":["a","b"],"type":"REFERENCE_LIST"}"#, .isAny([a, b])),
            ("reference", "IN", #"{"value":["a",{"recordName":"b"}]}"#, .isAny([a, b])),
        ]
        for (field, comparator, value, test) in rows {
            #expect(try desk.test(field, comparator, value) == test, "\(comparator) \(value)")
        }
    }

    // docs/protocol.md Q15
    @Test("An empty list matches nothing as any, and everything as all")
    func emptyLists() throws {
        for value in [#"{"value":[]}"#, #"{"value":[],"type":"STRING_LIST"}"#, #"{"value":[],"type":"UNKNOWN_LIST"}"#] {
            #expect(try Self.desk.test("string", "IN", value) == .isAny([]))
            #expect(try Self.desk.test("string_list", "LIST_CONTAINS_ANY", value) == .isAny([]))
            #expect(try Self.desk.test("string_list", "LIST_CONTAINS_ALL", value) == .holdsAll([]))
            #expect(try Self.desk.test("string_list", "NOT_LIST_CONTAINS_ALL", value) == .holdsNotAll([]))
            for always in [("string", "NOT_IN"), ("string_list", "NOT_LIST_CONTAINS_ANY")] {
                #expect(try Self.desk.conditions(QueryFixture.filter(always.0, always.1, value)).isEmpty)
            }
        }
    }

    // docs/protocol.md Q17
    @Test("Filters keep their order, and each becomes a condition")
    func severalFilters() throws {
        let conditions = try Self.desk.conditions(
            QueryFixture.filter("int64", "GREATER_THAN", #"{"value":1}"#),
            QueryFixture.filter("double", "EQUALS", #"{"value":2}"#),
            QueryFixture.filter("int64", "LESS_THAN_OR_EQUALS", #"{"value":9}"#))
        #expect(
            conditions == [
                QueryCondition(field(.int64), .isBetween(.init(.integer(1), isIncluded: false), nil)),
                QueryCondition(field(.double), .isAny([.double(2)])),
                QueryCondition(field(.int64), .isBetween(nil, .init(.integer(9), isIncluded: true))),
            ])
    }

    // docs/protocol.md Q7
    @Test(
        "Every spelling of a system field names it, under both keys",
        arguments: [
            (["recordName", "___recordID", "___recordId", "recordID"], RecordField.recordName, #""a""#),
            (["createdTimestamp", "___createTime", "creationDate"], .createdAt, "5"),
            (["modifiedTimestamp", "___modTime", "modificationDate"], .modifiedAt, "5"),
            (["createdUserRecordName", "___createdBy", "creatorUserRecordID"], .createdBy, #""_defaultOwner""#),
            (
                ["modifiedUserRecordName", "___modifiedBy", "lastModifiedUserRecordID"], .modifiedBy,
                #"{"recordName":"_00000000000000070000000000000009"}"#
            ),
            (["parent", "___parent"], .parent, #"{"recordName":"a"}"#),
        ])
    func systemFields(spellings: [String], field: RecordField, value: String) throws {
        let expected: QueryValue =
            switch field {
            case .createdAt, .modifiedAt: .integer(5)
            case .createdBy, .modifiedBy: .user(QueryFixture.user)
            default: .bytes(Bytes("a"))
            }
        for key in ["fieldName", "systemFieldName"] {
            for spelling in spellings {
                let conditions = try Self.desk.conditions(
                    "\"\(key)\":\"\(spelling)\",\"comparator\":\"EQUALS\",\"fieldValue\":{\"value\":\(value)}",
                    "\"\(key)\":\"\(spelling)\",\"comparator\":\"IN\",\"fieldValue\":{\"value\":[\(value)]}")
                #expect(conditions == Array(repeating: QueryCondition(field, .isAny([expected])), count: 2))
                let wrapped = "{\"value\":{\"\(spelling)\":\(value)}}"
                #expect(
                    try Self.desk.conditions(
                        "\"\(key)\":\"\(spelling)\",\"comparator\":\"EQUALS\",\"fieldValue\":\(wrapped)")
                        == [QueryCondition(field, .isAny([expected]))])
            }
        }
    }

    // docs/protocol.md Q7
    @Test("Under fieldName a field of the type has precedence over a system field of that name")
    func ownFieldsGoFirst() throws {
        let own = FieldRow(type: 5, name: "recordName", kind: .int64, options: .queryable)
        let desk = QueryFixture(rows: QueryFixture.rows(.queryable) + [own])
        let value = #""comparator":"EQUALS","fieldValue":{"value":7}"#
        #expect(
            try desk.conditions("\"fieldName\":\"recordName\",\(value)")
                == [QueryCondition(.field("recordName", .int64, epoch: 0), .isAny([.integer(7)]))])
        let name = #""comparator":"EQUALS","fieldValue":{"value":"x"}"#
        for system in [#""systemFieldName":"recordName""#, #""fieldName":"___recordID""#] {
            #expect(try desk.conditions("\(system),\(name)").map(\.fields) == [[.recordName]])
        }
    }

    // docs/protocol.md Q16
    @Test("A name of no user: EQUALS matches nobody, and NOT_EQUALS everybody")
    func strangers() throws {
        #expect(try Self.desk.test("createdUserRecordName", "EQUALS", #"{"value":"x"}"#) == .isAny([]))
        let filter = QueryFixture.filter("createdUserRecordName", "NOT_EQUALS", #"{"value":"x"}"#)
        #expect(try Self.desk.conditions(filter).isEmpty)
    }

    // docs/protocol.md Q11, Q12
    @Test(
        "A value that does not fit is rejected with the reason",
        arguments: [
            (
                "int64", "EQUALS", #"{"value":"3"}"#,
                "invalid attempt to compare value type STRING with field int64 of type Note, defined to be: INT64"
            ),
            ("int64", "EQUALS", #"{"value":3,"type":"TIMESTAMP"}"#, "compare value type TIMESTAMP"),
            ("int64", "EQUALS", #"{"value":[3],"type":"INT64_LIST"}"#, "compare value type INT64_LIST"),
            ("int64", "EQUALS", #"{"value":[3]}"#, "compare value type INT64_LIST"),
            ("int64", "EQUALS", #"{"value":1.5,"type":"INT64"}"#, "Invalid value, expected type INT64."),
            ("int64", "EQUALS", #"{"value":9223372036854775808}"#, "Invalid value, expected type INT64."),
            ("int64", "EQUALS", #"{"value":1e400}"#, "Invalid value, expected type DOUBLE."),
            ("int64", "EQUALS", "{}", "the key 'value' is missing"),
            ("int64", "EQUALS", #"{"value":3,"isEncrypted":true}"#, "compare value type ENCRYPTED_INT64"),
            ("timestamp", "EQUALS", #"{"value":1e19}"#, "Invalid value, expected type TIMESTAMP."),
            (
                "timestamp", "EQUALS", #"{"value":"2027-03-09"}"#,
                "defined to be: TIMESTAMP. Send milliseconds since 1970, such as 1804579200000."
            ),
            ("timestamp", "EQUALS", #"{"value":1,"type":"INT64"}"#, "compare value type INT64"),
            ("string", "EQUALS", #"{"value":3}"#, "compare value type INT64"),
            ("string", "EQUALS", #"{"value":3,"type":"STRING"}"#, "Invalid value, expected type STRING."),
            ("string", "BEGINS_WITH", #"{"value":null}"#, "the key 'value' is missing"),
            (
                "string", "IN", #"{"value":"x"}"#,
                "Unexpected input: this comparator takes a list, with the type STRING_LIST"
            ),
            ("string", "IN", #"{"value":["x"],"type":"STRING"}"#, "Unexpected input: this comparator takes a list"),
            ("string", "IN", #"{"value":[1]}"#, "compare value type INT64"),
            ("string", "IN", #"{"value":[["x"]]}"#, "compare value type STRING_LIST"),
            ("string", "IN", #"{"value":[null]}"#, "null"),
            ("string", "IN", #"{"value":["x"],"type":"INT64_LIST"}"#, "compare value type INT64_LIST"),
            ("bytes", "EQUALS", #"{"value":"AAE"}"#, "Invalid value, expected type BYTES."),
            ("reference", "EQUALS", #"{"value":"x","type":"STRING"}"#, "compare value type STRING"),
            ("reference", "IN", #"{"value":[7]}"#, "compare value type INT64"),
            ("reference_list", "LIST_CONTAINS_ANY", #"{"value":["x"]}"#, "compare value type STRING"),
            ("string", "EQUALS", #"{"value":"x","type":"ENCRYPTED_STRING"}"#, "compare value type ENCRYPTED_STRING"),
            (
                "reference", "EQUALS", #"{"value":{"recordName":"x","zoneID":{"zoneName":"Elsewhere"}}}"#,
                "never leave the zone"
            ),
            ("location", "NEAR", #"{"value":{"latitude":91,"longitude":0}}"#, "latitude"),
            ("recordName", "BEGINS_WITH", #"{"value":"x"}"#, "cannot be queried using filter type BEGINS_WITH"),
            ("createdUserRecordName", "LESS_THAN", #"{"value":"x"}"#, "cannot be queried using filter type LESS_THAN"),
            ("parent", "NOT_EQUALS", #"{"value":"x"}"#, "cannot be queried using filter type NOT_EQUALS"),
            ("share", "EQUALS", #"{"value":"x"}"#, "Field 'share' cannot be queried"),
            ("___etag", "EQUALS", #"{"value":"x"}"#, "Field '___etag' cannot be queried"),
            ("nothing", "EQUALS", #"{"value":"x"}"#, "Unknown field 'nothing'"),
            (
                "secret", "EQUALS", #"{"value":"x"}"#,
                "Field has a value type of ENCRYPTED_STRING and cannot be queried using filter type EQUALS"
            ),
        ])
    func refusedValues(field: String, comparator: String, value: String, expected: String) {
        let reason = Self.desk.refusal { _ = try Self.desk.test(field, comparator, value) }
        #expect(
            reason?.hasPrefix("BAD_REQUEST: ") == true && reason?.contains(expected) == true, "\(reason ?? "accepted")")
    }

    // docs/protocol.md Q18
    @Test("NEAR needs a distance of 0 metres or more")
    func distances() throws {
        let place = #""comparator":"NEAR","fieldName":"location","fieldValue":{"value":{"latitude":0,"longitude":0}}"#
        for distance in ["", #","distance":null"#, #","distance":-1"#, #","distance":-0.001"#] {
            #expect(Self.desk.refusal { _ = try Self.desk.conditions(place + distance) } != nil, "\(distance)")
        }
        #expect(Self.desk.refusal { _ = try Self.desk.conditions(place + #","distance":1e400"#) } != nil)
        for distance in ["0", "0.5", "1e300"] {
            #expect(try Self.desk.conditions(place + ",\"distance\":\(distance)").count == 1)
        }
    }

    // docs/protocol.md Q12
    @Test("A list has at most 250 values", arguments: ["IN", "NOT_IN"])
    func longLists(comparator: String) throws {
        func list(_ count: Int) -> String { "{\"value\":[\((0..<count).map(String.init).joined(separator: ","))]}" }
        #expect(try Self.desk.conditions(QueryFixture.filter("int64", comparator, list(250))).count == 1)
        let reason = Self.desk.refusal { _ = try Self.desk.test("int64", comparator, list(251)) }
        #expect(reason?.contains("at most 250 elements") == true)
    }

    // docs/protocol.md Q11
    @Test("In a query of all zones, a reference can name any zone")
    func referencesOfAllZones() throws {
        let filter = QueryFixture.filter(
            "reference", "EQUALS", #"{"value":{"recordName":"x","zoneID":{"zoneName":"Elsewhere"}}}"#)
        let scan = try Self.desk.scan("\"filterBy\":{\(filter)}", more: #","zoneWide":true"#)
        #expect(scan.extent == .database(4) && scan.conditions.count == 1)
    }
}
