import CloudKitWire
import Testing

/// docs/protocol.md, "JSON", J1 and J6 to J9, by the bodies of requests.
@Suite struct RequestTests {
    @Test func modifyReadsEveryKey() throws {
        let request = try RecordsModifyRequest(
            json: """
                {"zoneID":{"zoneName":"Notebook","ownerRecordName":"_x","zoneType":"R"},"atomic":false,"desiredKeys":["b","a","b"],
                 "numbersAsStrings":true,"extra":[{"deep":null}],"clientChangeToken":"AP8B",
                 "operations":[
                  {"operationType":"create","record":{"recordName":"A","recordType":"Note","fields":{"t":{"value":1}},
                   "parent":{"recordName":"P","zoneID":{"zoneName":"Notebook"}},"createShortGUID":true,"created":{"timestamp":1}},
                   "desiredKeys":[],"numbersAsStrings":false},
                  {"operationType":"delete","record":{"recordName":"B","recordChangeTag":"2a","parent":null,
                   "zoneID":{"zoneName":"Other"}}}]}
                """.body)
        #expect(request.zoneID == ZoneIDDictionary(zoneName: "Notebook", ownerRecordName: "_x"))
        #expect(request.atomic == false && request.numbersAsStrings && request.desiredKeys?.names == ["a", "b"])
        #expect(request.clientChangeToken == [0, 255, 1])
        let (first, second) = (request.operations[0], request.operations[1])
        #expect(first.kind == .create && first.record.recordName == "A" && first.record.recordType == "Note")
        #expect(first.record.parent == .set("P") && first.record.parentZoneID?.zoneName == "Notebook")
        #expect(first.record.createShortGUID && first.desiredKeys?.names == [] && first.numbersAsStrings == false)
        #expect(second.kind == .delete && second.record.recordChangeTag == "2a" && second.record.parent == .clear)
        #expect(
            second.record.zoneID?.zoneName == "Other" && second.desiredKeys == nil && second.numbersAsStrings == nil)
    }

    @Test(arguments: RecordOperation.Kind.allCases) func eachOperationTypeIsRead(kind: RecordOperation.Kind) throws {
        let json = "{\"operations\":[{\"operationType\":\"\(kind.rawValue)\",\"record\":{}}]}"
        #expect(try RecordsModifyRequest(json: json.body).operations.map(\.kind) == [kind])
    }

    @Test("J7: null means absent for protocol keys") func nulls() throws {
        let modify = try RecordsModifyRequest(
            json: """
                {"operations":[{"operationType":"update","record":{"recordName":null,"recordType":null,"recordChangeTag":null,
                "zoneID":null,"fields":null,"createShortGUID":null},"desiredKeys":null,"numbersAsStrings":null}],
                "zoneID":null,"atomic":null,"desiredKeys":null,"numbersAsStrings":null,"clientChangeToken":null}
                """.body)
        #expect(modify.clientChangeToken == nil)
        let record = modify.operations[0].record
        #expect(record.recordName == nil && record.zoneID == nil && record.parent == .unchanged && modify.atomic == nil)
        #expect(modify.desiredKeys == nil && !modify.numbersAsStrings)
        let query = try RecordsQueryRequest(
            json: """
                {"query":{"recordType":"N","filterBy":null,"sortBy":null},"resultsLimit":null,"zoneID":null,"zoneWide":null,
                "continuationMarker":null}
                """.body)
        #expect(query.resultsLimit == nil && query.continuationMarker == nil && query.query.filters.isEmpty)
    }

    @Test("J1: an empty body is an empty object", arguments: ["", " \n", "{}"]) func emptyBody(body: String) throws {
        #expect(try DatabaseChangesRequest(json: body.body).syncToken == nil)
        #expect(throws: WireError.self) { try RecordsModifyRequest(json: body.body) }
    }

    @Test(
        "J8: a meaningless structure fails the whole request",
        arguments: [
            "[]", "1", "{\"operations\":{}}", "{\"operations\":null}", "{\"operations\":[null]}",
            "{\"operations\":[[]]}",
            #"{"operations":[{"record":{}}]}"#, #"{"operations":[{"operationType":"create"}]}"#,
            #"{"operations":[{"operationType":"Create","record":{}}]}"#,
            #"{"operations":[{"operationType":1,"record":{}}]}"#,
            #"{"operations":[{"operationType":"create","record":[]}]}"#, #"{"operations":[],"atomic":1}"#,
            #"{"operations":[],"atomic":"true"}"#, #"{"operations":[],"zoneID":"Z"}"#,
            #"{"operations":[],"zoneID":{}}"#, #"{"operations":[],"clientChangeToken":1}"#,
            #"{"operations":[],"clientChangeToken":"AQI"}"#, #"{"operations":[],"clientChangeToken":"****"}"#,
            #"{"operations":[],"desiredKeys":"a"}"#, #"{"operations":[],"desiredKeys":[1]}"#,
            #"{"operations":[{"operationType":"create","record":{"fields":[]}}]}"#,
            #"{"operations":[{"operationType":"create","record":{"fields":"x"}}]}"#,
            #"{"operations":[{"operationType":"create","record":{"recordName":1}}]}"#,
            #"{"operations":[{"operationType":"create","record":{"parent":"P"}}]}"#,
            #"{"operations":[{"operationType":"create","record":{"parent":{}}}]}"#,
            #"{"operations":[{"operationType":"create","record":{"fields":{"a":[1,}}}]}"#,
        ]) func brokenModify(body: String)
    { #expect(throws: WireError.self) { try RecordsModifyRequest(json: body.body) } }

    @Test("J8: an error inside fields fails only that record") func wrongFields() throws {
        let request = try RecordsModifyRequest(
            json: """
                {"operations":[{"operationType":"create","record":{"fields":{"_a":{"value":{"x":1e999}},"b":7,"b":8}}},
                {"operationType":"create","record":{"fields":{"ok":{"value":1}}}}]}
                """.body)
        #expect(throws: FieldProblem.self) {
            try request.operations[0].record.fields.patch(recordType: "N", zone: notebook, known: { _ in nil })
        }
        let patch = try request.operations[1].record.fields.patch(recordType: "N", zone: notebook, known: { _ in nil })
        #expect(text(patch.set) == #"{"ok":{"type":"INT64","value":1}}"#)
    }

    @Test(
        "J9: resultsLimit",
        arguments: [
            ("1", 1), ("200", 200), ("201", 200), ("9223372036854775807", 200), (#""50""#, 50), (#""400""#, 200),
            ("5.0", 5),
            ("null", nil),
        ]) func resultsLimit(json: String, limit: Int?) throws
    {
        #expect(try DatabaseChangesRequest(json: "{\"resultsLimit\":\(json)}".body).resultsLimit == limit)
    }

    @Test(
        "J9: rejects an invalid resultsLimit",
        arguments: [
            "0", "-1", #""0""#, #""""#, #""x""#, #""5 5""#, "1.5", "true", "[]", "1e400", "9223372036854775808",
        ]) func noResultsLimit(json: String)
    {
        #expect(throws: WireError.self) { try DatabaseChangesRequest(json: "{\"resultsLimit\":\(json)}".body) }
    }

    @Test func lookupReadsSelectionsOfItemsAndRequest() throws {
        let request = try RecordsLookupRequest(
            json: """
                {"records":[{"recordName":"A","desiredKeys":["x"],"recordType":"N","fields":{}},{"recordName":"B"}],
                "desiredKeys":[],"zoneID":{"zoneName":"Z"},"numbersAsStrings":true,"assetPrivacyMaskType":"m"}
                """.body)
        #expect(request.records.map(\.recordName) == ["A", "B"] && request.records[0].desiredKeys?.names == ["x"])
        #expect(request.records[1].desiredKeys == nil && request.desiredKeys?.names == [] && request.numbersAsStrings)
        #expect(throws: WireError.self) { try RecordsLookupRequest(json: #"{"records":[{}]}"#.body) }
    }

    @Test("A name with an escape equals the same name without; names with different bytes are different names")
    func names() throws {
        let request = try RecordsLookupRequest(
            json: #"{"r\u0065cords":[{"recordName":"\u00e9"},{"recordName":"é"},{"recordName":"e\u0301"}]}"#.body)
        let names = request.records.map(\.recordName)
        #expect(names[0] == names[1] && names[1] != names[2])
    }

    @Test func zonesAreReadBareAndWrapped() throws {
        let lookup = try ZonesLookupRequest(
            json: #"{"zones":[{"zoneName":"A"},{"zoneID":{"zoneName":"B"},"x":1}]}"#.body)
        #expect(lookup.zones.map(\.zoneName) == ["A", "B"])
        let modify = try ZonesModifyRequest(
            json: """
                {"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"A"}}},
                {"zone":{"zoneName":"B"},"operationType":"delete"}]}
                """.body)
        #expect(modify.operations.map(\.kind) == [.create, .delete] && modify.operations[1].zoneID.zoneName == "B")
        for broken in [#"{"zones":[{}]}"#, #"{"zones":[{"zoneID":{}}]}"#, "{}", #"{"zones":["A"]}"#] {
            #expect(throws: WireError.self) { try ZonesLookupRequest(json: broken.body) }
        }
    }

    @Test("zones/changes accepts its token under both names") func metaSyncToken() throws {
        #expect(try ZonesChangesRequest(json: #"{"metaSyncToken":"AA=="}"#.body).syncToken.map { text($0) } == "AA==")
        #expect(try ZonesChangesRequest(json: #"{"syncToken":"AA=="}"#.body).syncToken.map { text($0) } == "AA==")
        for both in [#"{"syncToken":"S","metaSyncToken":"M"}"#, #"{"metaSyncToken":"M","syncToken":"S"}"#] {
            #expect(try ZonesChangesRequest(json: both.body).syncToken.map { text($0) } == "M")
        }
    }

    @Test("changes/zone: top-level keys are defaults, wherever they appear") func zoneChanges() throws {
        let request = try ZoneChangesRequest(
            json: """
                {"zones":[{"zoneID":{"zoneName":"A"},"syncToken":"","resultsLimit":5,"desiredKeys":[],"reverse":false,
                 "numbersAsStrings":false,"desiredRecordTypes":["X"]},{"zoneID":{"zoneName":"B"}}],
                 "resultsLimit":7,"desiredKeys":["a"],"reverse":true,"numberAsStrings":true,"desiredRecordTypes":["Y","Z"]}
                """.body)
        let (own, inherited) = (request.zones[0], request.zones[1])
        #expect(own.syncToken?.isEmpty == true && own.resultsLimit == 5 && own.desiredKeys?.names == [] && !own.reverse)
        #expect(!own.numbersAsStrings && own.desiredRecordTypes == ["X"])
        #expect(inherited.syncToken == nil && inherited.resultsLimit == 7 && inherited.desiredKeys?.names == ["a"])
        #expect(inherited.reverse && inherited.numbersAsStrings && inherited.desiredRecordTypes == ["Y", "Z"])
        #expect(throws: WireError.self) { try ZoneChangesRequest(json: #"{"zones":[{}]}"#.body) }
    }

    @Test func recordsChangesNeedsItsZone() throws {
        let request = try RecordsChangesRequest(
            json: #"{"zoneID":{"zoneName":"A"},"syncToken":"T","reverse":true}"#.body)
        #expect(
            request.zone.zoneID.zoneName == "A" && request.zone.reverse
                && request.zone.syncToken.map { text($0) } == "T")
        #expect(throws: WireError.self) { try RecordsChangesRequest(json: "{}".body) }
    }
}
