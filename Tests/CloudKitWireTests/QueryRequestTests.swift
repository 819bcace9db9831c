import CloudKitWire
import Testing

/// The query dictionary, docs/protocol.md, "JSON", J8.
@Suite struct QueryRequestTests {
    private func query(_ parts: String) throws -> RecordQuery {
        try RecordsQueryRequest(json: "{\"query\":{\"recordType\":\"Note\"\(parts)}}".body).query
    }

    static let spellings: [(SystemField, [String])] = [
        (.recordName, ["recordName", "___recordID", "___recordId", "recordID"]),
        (.createdTimestamp, ["createdTimestamp", "___createTime", "creationDate"]),
        (.modifiedTimestamp, ["modifiedTimestamp", "___modTime", "modificationDate"]),
        (.createdUserRecordName, ["createdUserRecordName", "___createdBy", "creatorUserRecordID"]),
        (.modifiedUserRecordName, ["modifiedUserRecordName", "___modifiedBy", "lastModifiedUserRecordID"]),
        (.share, ["share", "___share"]), (.parent, ["parent", "___parent"]), (.recordChangeTag, ["___etag"]),
    ]

    @Test("Every spelling of a system field is accepted under both keys", arguments: spellings)
    func systemFields(field: SystemField, names: [String]) throws {
        for name in names {
            for key in ["fieldName", "systemFieldName"] {
                let sorts = try query(",\"sortBy\":[{\"\(key)\":\"\(name)\"}]").sorts
                #expect(sorts[0].field.system == field && sorts[0].field.isSystemName == (key == "systemFieldName"))
                let filters = try query(
                    ",\"filterBy\":{\"\(key)\":\"\(name)\",\"comparator\":\"EQUALS\",\"fieldValue\":{\"value\":1}}"
                ).filters
                #expect(filters[0].field?.system == field)
            }
        }
    }

    @Test func allSystemFieldsHaveASpelling() { #expect(Set(Self.spellings.map(\.0)) == Set(SystemField.allCases)) }

    @Test(arguments: Comparator.allCases) func eachComparatorIsRead(comparator: Comparator) throws {
        let filters = try query(
            ",\"filterBy\":[{\"fieldName\":\"f\",\"comparator\":\"\(comparator.rawValue)\",\"fieldValue\":{\"value\":1}}]"
        ).filters
        #expect(filters.map(\.comparator) == [comparator] && filters[0].field?.isSystem == false)
    }

    @Test func loneObjectsStandForLists() throws {
        let one = try query(
            #","filterBy":{"fieldName":"a","comparator":"NEAR","fieldValue":{"value":{"latitude":1,"longitude":2}},"distance":1.5},"sortBy":{"fieldName":"b","ascending":false}"#
        )
        #expect(one.filters.count == 1 && one.filters[0].distance == 1.5 && one.sorts.map(\.ascending) == [false])
    }

    @Test func sortsAscendByDefaultAndTakeLocationsBareAndWrapped() throws {
        let sorts = try query(
            #","sortBy":[{"fieldName":"a"},{"fieldName":"p","relativeLocation":{"latitude":1,"longitude":2}},{"fieldName":"p","relativeLocation":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"}}]"#
        ).sorts
        #expect(sorts[0].ascending && sorts[0].relativeLocation == nil)
        for sort in sorts[1...] {
            let place = try sort.relativeLocation?.place()
            #expect(place?.latitude == 1 && place?.longitude == 2)
        }
    }

    private func values(_ value: String, of subject: FilterSubject) throws -> [FilterValue] {
        let filters = try query(
            ",\"filterBy\":[{\"systemFieldName\":\"___recordID\",\"comparator\":\"IN\",\"fieldValue\":\(value),\"distance\":null}]"
        ).filters
        return try filters[0].value.filterValues(of: subject)
    }

    private let recordID = FilterSubject(
        field: "___recordID", recordType: "Note", type: .reference, isSystem: true, takesNames: true, zone: notebook)

    // docs/protocol.md Q11
    @Test(
        "Every form of the name in a filter on a system field is accepted",
        arguments: [
            #"{"value":["X"]}"#, #"{"value":["X"],"type":"STRING_LIST"}"#, #"{"value":[{"recordName":"X"}]}"#,
            #"{"value":[{"recordName":"X","action":"NONE"}],"type":"REFERENCE_LIST"}"#,
            #"{"value":[{"recordName":"X","zoneID":{"zoneName":"Notebook"}}],"type":"LIST"}"#,
            #"{"value":{"___recordID":["X"]}}"#,
        ]) func recordNames(value: String) throws
    { #expect(try values(value, of: recordID) == [.recordName("X")]) }

    @Test("A system field's value is unwrapped from the object that some clients put around it")
    func wrappedValues() throws {
        let filters = try query(
            #","filterBy":[{"systemFieldName":"createdTimestamp","comparator":"EQUALS","fieldValue":{"value":{"createdTimestamp":12},"type":"TIMESTAMP"}}]"#
        ).filters
        var subject = FilterSubject(field: "createdTimestamp", recordType: "Note", type: .timestamp, isSystem: true)
        #expect(try filters[0].value.filterValue(of: subject) == .integer(12))
        subject.isSystem = false
        #expect(throws: WireError.self) { try filters[0].value.filterValue(of: subject) }
    }

    @Test("A list has at most 250 values, and further ones are not read")
    func limitedLists() throws {
        let numbers = FilterSubject(field: "n", recordType: "Note", type: .int64)
        let most = Array(repeating: "7", count: 250).joined(separator: ",")
        #expect(try values("{\"value\":[\(most)]}", of: numbers).count == 250)
        let error = #expect(throws: WireError.self) { try values("{\"value\":[\(most),\"x\"]}", of: numbers) }
        #expect(error?.message == "'value' can have at most 250 elements")
    }

    @Test(
        "Bytes are decoded",
        arguments: [
            (#""""#, []), (#""AA==""#, [0]), (#""AAE=""#, [0, 1]), (#""AAEC""#, [0, 1, 2]),
            (#""+/+/""#, [251, 255, 191]),
            (#""AAF=""#, [0, 1]),
        ] as [(String, [UInt8])]) func bytes(json: String, bytes: [UInt8]) throws
    {
        let subject = FilterSubject(field: "b", recordType: "Note", type: .bytes)
        #expect(try values("{\"value\":[\(json)]}", of: subject) == [.bytes(bytes[...])])
    }

    @Test func theOtherKeysAreRead() throws {
        let request = try RecordsQueryRequest(
            json: """
                {"query":{"recordType":"N"},"zoneID":{"zoneName":"Z"},"zoneWide":true,"resultsLimit":"9","continuationMarker":"TQ==",
                "desiredKeys":["t"],"numbersAsStrings":true}
                """.body)
        #expect(
            request.zoneID?.zoneName == "Z" && request.zoneWide && request.resultsLimit == 9 && request.numbersAsStrings
        )
        #expect(request.continuationMarker.map { text($0) } == "TQ==" && request.desiredKeys?.names == ["t"])
    }

    @Test(
        "J8: rejects a meaningless query",
        arguments: [
            "{}", #"{"query":[]}"#, #"{"query":{}}"#, #"{"query":{"recordType":1}}"#,
            #"{"query":{"recordType":"N","filterBy":[{"fieldName":"a","fieldValue":{"value":1}}]}}"#,
            #"{"query":{"recordType":"N","filterBy":[{"fieldName":"a","comparator":"LIKE","fieldValue":{"value":1}}]}}"#,
            #"{"query":{"recordType":"N","filterBy":[{"fieldName":"a","comparator":"EQUALS"}]}}"#,
            #"{"query":{"recordType":"N","filterBy":[{"comparator":"EQUALS","fieldValue":{"value":1}}]}}"#,
            #"{"query":{"recordType":"N","filterBy":[{"fieldName":"a","systemFieldName":"share","comparator":"EQUALS","fieldValue":{"value":1}}]}}"#,
            #"{"query":{"recordType":"N","filterBy":[{"fieldName":"a","comparator":"EQUALS","fieldValue":1}]}}"#,
            #"{"query":{"recordType":"N","filterBy":[{"fieldName":"a","comparator":"EQUALS","fieldValue":{"value":1,"type":"INT"}}]}}"#,
            #"{"query":{"recordType":"N","sortBy":[{"systemFieldName":"pages"}]}}"#,
            #"{"query":{"recordType":"N","sortBy":[{}]}}"#,
            #"{"query":{"recordType":"N","sortBy":[{"fieldName":"a","ascending":"yes"}]}}"#,
        ]) func refused(body: String)
    { #expect(throws: WireError.self) { try RecordsQueryRequest(json: body.body) } }

    @Test func twentyFiltersAndEightSortsAreRead() throws {
        func count(filters: Int, sorts: Int) throws -> Int {
            let filter = #"{"fieldName":"a","comparator":"EQUALS","fieldValue":{"value":1}}"#
            let list = Array(repeating: filter, count: filters).joined(separator: ",")
            let order = Array(repeating: #"{"fieldName":"a"}"#, count: sorts).joined(separator: ",")
            return try query(",\"filterBy\":[\(list)],\"sortBy\":[\(order)]").filters.count
        }
        #expect(try count(filters: 20, sorts: 8) == 20)
        #expect(throws: WireError.self) { try count(filters: 21, sorts: 0) }
        #expect(throws: WireError.self) { try count(filters: 0, sorts: 9) }
    }
}
