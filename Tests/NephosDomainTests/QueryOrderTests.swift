import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// The meaning of sorts, docs/protocol.md, "Order".
@Suite("Sorts") struct QueryOrderTests {
    private static let desk = QueryFixture()

    private func orders(_ sorts: String...) throws -> [QueryOrder] {
        try Self.desk.scan("\"sortBy\":[\(sorts.map { "{\($0)}" }.joined(separator: ","))]").orders
    }

    // docs/protocol.md Q20
    @Test("Keys keep their order and direction, ascending by default; a field counts once")
    func keys() throws {
        let found = try orders(
            #""fieldName":"string","ascending":false"#, #""systemFieldName":"modifiedTimestamp""#,
            #""fieldName":"string""#, #""fieldName":"___createTime","ascending":true"#)
        #expect(
            found == [
                QueryOrder(field(.string), isDescending: true), QueryOrder(.modifiedAt), QueryOrder(.createdAt),
            ])
        #expect(try Self.desk.scan("").orders.isEmpty)
        #expect(
            try orders(#""fieldName":"recordID","ascending":false"#) == [QueryOrder(.recordName, isDescending: true)])
    }

    // docs/protocol.md Q21
    @Test("A sort by distance needs an origin")
    func distance() throws {
        let origin = Place(latitude: 1, longitude: -2)
        for location in [
            #"{"latitude":1,"longitude":-2}"#, #"{"value":{"latitude":1,"longitude":-2},"type":"LOCATION"}"#,
        ] {
            #expect(
                try orders("\"fieldName\":\"location\",\"relativeLocation\":\(location)")
                    == [QueryOrder(field(.location), origin: origin)])
        }
    }

    // docs/protocol.md Q21
    @Test("A query has at most one sort by distance, which can be descending")
    func oneDistance() throws {
        func sort(_ latitude: Int, _ more: String = "") -> String {
            "\"fieldName\":\"location\",\"relativeLocation\":{\"latitude\":\(latitude),\"longitude\":2}\(more)"
        }
        let falling = QueryOrder(field(.location), isDescending: true, origin: Place(latitude: 1, longitude: 2))
        #expect(
            try orders(sort(1, #","ascending":false"#), #""fieldName":"string""#) == [
                falling, QueryOrder(field(.string)),
            ])
        #expect(Self.desk.refusal { _ = try orders(sort(1), sort(2)) }?.contains("at most one distance") == true)
    }

    // docs/protocol.md Q10, Q21
    @Test(
        "A sort by an unsortable field is rejected with the reason",
        arguments: [
            (#""fieldName":"reference""#, "Field has a value type of REFERENCE and cannot be sorted by"),
            (#""fieldName":"string_list""#, "Field has a value type of STRING_LIST and cannot be sorted by"),
            (#""fieldName":"assetid""#, "Field has a value type of ASSETID and cannot be sorted by"),
            (#""fieldName":"secret""#, "Field has a value type of ENCRYPTED_STRING and cannot be sorted by"),
            (#""fieldName":"createdUserRecordName""#, "Field has a value type of REFERENCE and cannot be sorted by"),
            (#""fieldName":"parent""#, "Field has a value type of REFERENCE and cannot be sorted by"),
            (#""fieldName":"location""#, "only by its distance from a relativeLocation"),
            (
                #""fieldName":"string","relativeLocation":{"latitude":1,"longitude":2}"#,
                "relativeLocation sorts by fields of type LOCATION"
            ),
            (
                #""fieldName":"location","relativeLocation":{"latitude":91,"longitude":2}"#,
                "relativeLocation: latitude 91.0 is not from -90 to 90"
            ),
            (
                #""fieldName":"location","relativeLocation":{"value":"x"}"#,
                "relativeLocation: Invalid value, expected type LOCATION."
            ),
            (
                #""fieldName":"location","relativeLocation":{"value":{"latitude":1,"longitude":2},"type":"STRING"}"#,
                "expected type LOCATION."
            ),
            (#""fieldName":"nothing""#, "Unknown field 'nothing'"), (#""fieldName":"share""#, "cannot be queried"),
            (#""fieldName":"___etag""#, "cannot be queried"),
            (
                #""fieldName":"created""#,
                "Unknown field 'created': record type Note has no such field; the time of creation is createdTimestamp"
            ),
            (#""fieldName":"updated_at""#, "the time of the last change is modifiedTimestamp"),
        ])
    func refused(sort: String, expected: String) {
        let reason = Self.desk.refusal { _ = try orders(sort) }
        #expect(
            reason?.hasPrefix("BAD_REQUEST: ") == true && reason?.contains(expected) == true, "\(reason ?? "accepted")")
    }
}
