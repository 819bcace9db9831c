import CloudKitSchema
import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// The required permissions in the schema, docs/protocol.md Q9.
@Suite("Permissions of queries") struct QueryPermissionTests {
    /// One use of a field: the options that each permit it, and the word in the error.
    struct Use: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var parts: String
        var enough: [FieldRow.Options]
        var reason: String
        /// Whether it is a system field: a development save permits nothing there.
        var isSystem = false

        static func filter(
            _ field: String, _ comparator: String, _ value: String, _ enough: [FieldRow.Options], _ reason: String
        ) -> Use {
            let filter = QueryFixture.filter(field, comparator, "{\"value\":\(value)}")
            return Use(
                testDescription: "\(comparator) of \(field)", parts: "\"filterBy\":[{\(filter)}]", enough: enough,
                reason: reason, isSystem: SystemField(spelling: Name(field)) != nil)
        }

        static func sort(
            _ sort: String, _ enough: [FieldRow.Options], _ reason: String, isSystem: Bool = false
        ) -> Use {
            // A filter by parent needs no permission, so that only the sort matters.
            let filter = QueryFixture.filter("parent", "EQUALS", #"{"value":"x"}"#)
            return Use(
                testDescription: "sort by \(sort)", parts: "\"filterBy\":[{\(filter)}],\"sortBy\":{\(sort)}",
                enough: enough, reason: reason, isSystem: isSystem)
        }
    }

    private static let place = #"{"latitude":1,"longitude":2}"#

    static let uses: [Use] = [
        .filter(
            "string", "EQUALS", #""x""#, [.queryable],
            "Field 'string' is not marked queryable (in record type Note of the schema write 'string STRING QUERYABLE', then import the schema; or run nephos schema allow CONTAINER Note string queryable)"
        ),
        .filter("int64", "NOT_EQUALS", "1", [.queryable], "Field 'int64' is not marked queryable"),
        .filter("double", "IN", "[1]", [.queryable], "Field 'double' is not marked queryable"),
        .filter("bytes", "NOT_IN", #"["AAE="]"#, [.queryable], "write 'bytes BYTES QUERYABLE'"),
        .filter("int64", "LESS_THAN", "1", [.queryable, .sortable], "Field 'int64' is not marked queryable"),
        .filter(
            "timestamp", "GREATER_THAN_OR_EQUALS", "1", [.queryable, .sortable], "write 'timestamp TIMESTAMP QUERYABLE'"
        ),
        .filter("string", "BEGINS_WITH", #""x""#, [.queryable], "Field 'string' is not marked queryable"),
        .filter("string_list", "LIST_CONTAINS", #""x""#, [.queryable], "write 'string_list LIST<STRING> QUERYABLE'"),
        .filter(
            "reference_list", "NOT_LIST_CONTAINS_ALL", #"[{"recordName":"x"}]"#, [.queryable], "not marked queryable"),
        .filter("string_list", "LIST_MEMBER_BEGINS_WITH", #""x""#, [.queryable], "not marked queryable"),
        .filter(
            "string", "CONTAINS_ALL_TOKENS", #""x""#, [.searchable],
            "Field 'string' is not marked searchable (in record type Note of the schema write 'string STRING SEARCHABLE'"
        ),
        .filter(
            "string_list", "CONTAINS_ANY_TOKENS", #""x""#, [.searchable], "Field 'string_list' is not marked searchable"
        ),
        .filter("location", "NEAR", place, [.queryable], "Field 'location' is not marked queryable"),
        .filter(
            "recordName", "EQUALS", #""x""#, [.queryable],
            #"Field 'recordName' is not marked queryable (in record type Note of the schema write '"___recordID" REFERENCE QUERYABLE'"#
        ),
        .filter("___recordID", "IN", #"["x"]"#, [.queryable], "Field '___recordID' is not marked queryable"),
        .filter(
            "creationDate", "LESS_THAN", "1", [.queryable, .sortable],
            #"Field 'creationDate' is not marked queryable (in record type Note of the schema write '"___createTime" TIMESTAMP QUERYABLE'"#
        ),
        .filter("modifiedTimestamp", "EQUALS", "1", [.queryable], "Field 'modifiedTimestamp' is not marked queryable"),
        .filter("___createdBy", "EQUALS", #""x""#, [.queryable], "Field '___createdBy' is not marked queryable"),
        .filter("modifiedUserRecordName", "NOT_EQUALS", #""x""#, [.queryable], "not marked queryable"),
        Use(
            testDescription: "all records", parts: "", enough: [.queryable],
            reason: "Field 'recordName' is not marked queryable", isSystem: true),
        Use(
            testDescription: "all records, no filter in a list", parts: #""filterBy":[]"#, enough: [.queryable],
            reason: "Field 'recordName' is not marked queryable", isSystem: true),
        Use(
            testDescription: "a search in everything",
            parts: #""filterBy":{"comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"x"}}"#,
            enough: [.searchable],
            reason: "no field of record type Note is marked searchable"),
        .sort(
            #""fieldName":"string""#, [.sortable],
            "Field 'string' is not marked sortable (in record type Note of the schema write 'string STRING SORTABLE'"),
        .sort(#""fieldName":"bytes","ascending":false"#, [.sortable], "Field 'bytes' is not marked sortable"),
        .sort(
            #""systemFieldName":"modifiedTimestamp""#, [.sortable], "Field 'modifiedTimestamp' is not marked sortable",
            isSystem: true),
        .sort(
            #""fieldName":"___createTime""#, [.sortable], "Field '___createTime' is not marked sortable", isSystem: true
        ),
        .sort(#""fieldName":"recordName""#, [.sortable], "Field 'recordName' is not marked sortable", isSystem: true),
        .sort(
            "\"fieldName\":\"location\",\"relativeLocation\":\(place)", [.queryable, .sortable],
            "Field 'location' is not marked sortable"),
    ]

    @Test("A use without its index option is rejected, and no other option is needed", arguments: uses)
    func permissions(use: Use) throws {
        for option in [FieldRow.Options.queryable, .sortable, .searchable] {
            let reason = QueryFixture(options: option).refusalOfScan(use.parts)
            if use.enough.contains(option) {
                #expect(reason == nil)
            } else {
                #expect(reason?.hasPrefix("BAD_REQUEST: ") == true, "\(reason ?? "accepted")")
                #expect(reason?.contains(" marked ") == true, "\(reason ?? "accepted")")
            }
        }
        let reason = try #require(QueryFixture(options: []).refusalOfScan(use.parts))
        #expect(reason.contains(use.reason), "\(reason)")
    }

    @Test("The suggested schema line keeps the field's existing options")
    func hint() {
        let reason = QueryFixture(options: [.searchable, .sortable]).refusalOfScan(
            "\"filterBy\":{\(QueryFixture.filter("string", "EQUALS", #"{"value":"x"}"#))}")
        #expect(reason?.contains("write 'string STRING QUERYABLE SEARCHABLE SORTABLE'") == true, "\(reason ?? "")")
    }

    @Test("A type that a development save just created allows queries on its own fields, and on no system field")
    func justInTime() throws {
        let rows = FieldType.allCases.filter { $0 != .unknownList }.map { kind in
            FieldRow(
                type: 5, name: Name(kind.tag.lowercased()), kind: kind,
                options: FieldRow.Options(rawValue: Schema.Options.justInTime(kind).rawValue))
        }
        let desk = QueryFixture(rows: rows)
        for use in Self.uses {
            #expect((desk.refusalOfScan(use.parts) == nil) == !use.isSystem, "\(use)")
        }
    }

    @Test(
        "A query for all records of a new type is answered with the line to add, the command that adds it, and the option"
    )
    func listing() throws {
        let reason = try #require(QueryFixture(options: []).refusalOfScan(""))
        for part in [
            "Field 'recordName' is not marked queryable", #"write '"___recordID" REFERENCE QUERYABLE'"#,
            "nephos schema allow CONTAINER Note recordName queryable", "nephos container create --listable",
        ] { #expect(reason.contains(part), "\(reason)") }
        let filter = QueryFixture.filter("recordName", "EQUALS", #"{"value":"x"}"#)
        #expect(QueryFixture(options: []).refusalOfScan("\"filterBy\":{\(filter)}")?.contains("--listable") == false)
    }

    @Test("A query by parent needs no permission")
    func parents() throws {
        let desk = QueryFixture(options: [])
        let filter = QueryFixture.filter("parent", "EQUALS", #"{"value":{"recordName":"a"}}"#)
        #expect(try desk.conditions(filter) == [QueryCondition(.parent, .isAny([.bytes(Bytes("a"))]))])
    }

    // docs/protocol.md Q1
    @Test("An unknown type is reported before anything else")
    func unknownType() {
        let reason = QueryFixture().refusal {
            _ = try QueryFixture().operation(#"{"query":{"recordType":"Nothing","sortBy":{"fieldName":"x"}}}"#)
        }
        #expect(
            reason
                == "BAD_REQUEST: did not find record type: Nothing; check the spelling, or save a record of it in development or import a schema; "
                + "production needs a deploy as well")
    }

    // docs/protocol.md J10
    @Test("Reasons quote at most 40 characters of a name")
    func longNames() throws {
        let name = String(repeating: "n", count: 255)
        let rows = [FieldRow(type: 5, name: Name(name), kind: .string)]
        for parts in [
            "\"filterBy\":{\(QueryFixture.filter(name, "EQUALS", #"{"value":"x"}"#))}",
            "\"sortBy\":{\"fieldName\":\"\(name)\"}",
            "\"filterBy\":{\(QueryFixture.filter(name + "x", "EQUALS", #"{"value":"x"}"#))}",
            "\"filterBy\":{\(QueryFixture.filter(name, "NEAR", #"{"value":"x"}"#))}",
        ] {
            let reason = try #require(QueryFixture(rows: rows + QueryFixture.rows(.queryable)).refusalOfScan(parts))
            #expect(reason.utf8.count < 400 && !reason.contains(String(repeating: "n", count: 41)), "\(reason)")
        }
    }
}

extension QueryFixture {
    func refusalOfScan(_ parts: String) -> String? { refusal { _ = try scan(parts) } }
}
