import CloudKitWire
import CoreLocation
import Foundation
import Testing

@testable import NephosKit

/// The body of a query, parsed by the server's own decoder, and every line of framework-api §13.6.
@Suite struct TranslationTests {
    /// The query as parsed by a server.
    private func sent(_ predicate: NSPredicate, _ sorts: [NSSortDescriptor]? = nil) throws -> RecordQuery? {
        let query = CKQuery(recordType: "T", predicate: predicate)
        query.sortDescriptors = sorts
        guard case .query(let json) = try query.request(now: Date(timeIntervalSince1970: 7)) else { return nil }
        return try RecordsQueryRequest(json: Array("{\"query\":".utf8 + json + "}".utf8)[...]).query
    }

    enum Expected: Sendable {
        case one(FilterValue)
        case many([FilterValue])
    }

    struct Line: Sendable {
        var format: String
        var type: FieldType
        var filters: [(CloudKitWire.Comparator, Expected)]
        var field = "f"
    }

    static let x = FilterValue.string(Array("x".utf8)[...])
    static let y = FilterValue.string(Array("y".utf8)[...])
    static let name = Expected.one(.recordName("x"))

    static let supported: [Line] = [
        Line(format: "f = 1", type: .int64, filters: [(.equals, .one(.integer(1)))]),
        Line(format: "f == 1.5", type: .double, filters: [(.equals, .one(.double(1.5)))]),
        Line(format: "f != 'x'", type: .string, filters: [(.notEquals, .one(x))]),
        Line(format: "f <> 'x'", type: .string, filters: [(.notEquals, .one(x))]),
        Line(format: "f < 1", type: .int64, filters: [(.lessThan, .one(.integer(1)))]),
        Line(format: "f <= 1", type: .int64, filters: [(.lessThanOrEquals, .one(.integer(1)))]),
        Line(format: "f =< 1", type: .int64, filters: [(.lessThanOrEquals, .one(.integer(1)))]),
        Line(format: "f > 1", type: .int64, filters: [(.greaterThan, .one(.integer(1)))]),
        Line(format: "f >= 1", type: .int64, filters: [(.greaterThanOrEquals, .one(.integer(1)))]),
        Line(format: "f => 1", type: .int64, filters: [(.greaterThanOrEquals, .one(.integer(1)))]),
        Line(
            format: "f BETWEEN {1, 2}", type: .int64,
            filters: [(.greaterThanOrEquals, .one(.integer(1))), (.lessThanOrEquals, .one(.integer(2)))]),
        Line(format: "TRUEPREDICATE", type: .string, filters: []),
        Line(format: "NOT FALSEPREDICATE", type: .string, filters: []),
        Line(format: "TRUEPREDICATE AND f = 'x'", type: .string, filters: [(.equals, .one(x))]),
        Line(
            format: "f = 'x' AND (f = 'y' && f = 'x')", type: .string,
            filters: [(.equals, .one(x)), (.equals, .one(y)), (.equals, .one(x))]),
        Line(format: "NOT f = 'x'", type: .string, filters: [(.notEquals, .one(x))]),
        Line(format: "NOT f != 'x'", type: .string, filters: [(.equals, .one(x))]),
        Line(format: "!(f < 1)", type: .int64, filters: [(.greaterThanOrEquals, .one(.integer(1)))]),
        Line(format: "!(f <= 1)", type: .int64, filters: [(.greaterThan, .one(.integer(1)))]),
        Line(format: "!(f > 1)", type: .int64, filters: [(.lessThanOrEquals, .one(.integer(1)))]),
        Line(format: "!(f >= 1)", type: .int64, filters: [(.lessThan, .one(.integer(1)))]),
        Line(format: "NOT NOT f = 'x'", type: .string, filters: [(.equals, .one(x))]),
        Line(format: "f BEGINSWITH 'x'", type: .string, filters: [(.beginsWith, .one(x))]),
        Line(format: "NOT f BEGINSWITH 'x'", type: .string, filters: [(.notBeginsWith, .one(x))]),
        Line(format: "f IN {'x', 'y'}", type: .string, filters: [(.in, .many([x, y]))]),
        Line(format: "NOT (f IN {'x', 'y'})", type: .string, filters: [(.notIn, .many([x, y]))]),
        Line(format: "f IN {}", type: .string, filters: [(.in, .many([]))]),
        Line(format: "f IN {1, 2.5}", type: .double, filters: [(.in, .many([.integer(1), .double(2.5)]))]),
        Line(format: "'x' IN f", type: .stringList, filters: [(.listContains, .one(x))]),
        Line(format: "NOT ('x' IN f)", type: .stringList, filters: [(.notListContains, .one(x))]),
        Line(format: "f CONTAINS 'x'", type: .stringList, filters: [(.listContains, .one(x))]),
        Line(format: "NOT f CONTAINS 'x'", type: .stringList, filters: [(.notListContains, .one(x))]),
        Line(format: "ANY f = 'x'", type: .stringList, filters: [(.listContains, .one(x))]),
        Line(format: "SOME f = 'x'", type: .stringList, filters: [(.listContains, .one(x))]),
        Line(format: "NOT ANY f = 'x'", type: .stringList, filters: [(.notListContains, .one(x))]),
        Line(format: "ANY {'x','y'} = f", type: .string, filters: [(.in, .many([x, y]))]),
        Line(format: "NOT ANY {'x','y'} = f", type: .string, filters: [(.notIn, .many([x, y]))]),
        Line(format: "ANY f IN {'x','y'}", type: .stringList, filters: [(.listContainsAny, .many([x, y]))]),
        Line(format: "NOT ANY f IN {'x','y'}", type: .stringList, filters: [(.notListContainsAny, .many([x, y]))]),
        Line(format: "ALL {'x','y'} IN f", type: .stringList, filters: [(.listContainsAll, .many([x, y]))]),
        Line(format: "NOT ALL {'x','y'} IN f", type: .stringList, filters: [(.notListContainsAll, .many([x, y]))]),
        Line(format: "ANY f BEGINSWITH 'x'", type: .stringList, filters: [(.listMemberBeginsWith, .one(x))]),
        Line(format: "NOT ANY f BEGINSWITH 'x'", type: .stringList, filters: [(.notListMemberBeginsWith, .one(x))]),
        Line(format: "self CONTAINS 'x'", type: .string, filters: [(.containsAnyTokens, .one(x))], field: ""),
        Line(
            format: "allTokens TOKENMATCHES[cdl] 'x'", type: .string, filters: [(.containsAnyTokens, .one(x))],
            field: ""),
        Line(
            format: "self CONTAINS tokenize:using:('x', 'Cdl')", type: .string,
            filters: [(.containsAnyTokens, .one(x))], field: ""),
        Line(
            format: "ALL tokenize('x', 'Cdl') IN allTokens", type: .string, filters: [(.containsAllTokens, .one(x))],
            field: ""),
        Line(format: "f TOKENMATCHES[cdl] 'x'", type: .string, filters: [(.containsAnyTokens, .one(x))]),
        Line(format: "f < now()", type: .timestamp, filters: [(.lessThan, .one(.integer(7_000)))]),
        Line(format: "f = CAST('AQI=', 'BYTES')", type: .bytes, filters: [(.equals, .one(.bytes([1, 2])))]),
        Line(format: "f = CAST({'x', 'z', 'o'}, 'REFERENCE')", type: .reference, filters: [(.equals, name)]),
        Line(format: "recordID = 'x'", type: .reference, filters: [(.equals, name)], field: "recordName"),
        Line(format: "___recordID = 'x'", type: .reference, filters: [(.equals, name)], field: "recordName"),
        Line(format: "recordName = 'x'", type: .reference, filters: [(.equals, name)], field: "recordName"),
        Line(
            format: "recordID IN {'x'}", type: .reference, filters: [(.in, .many([.recordName("x")]))],
            field: "recordName"),
        Line(format: "recordID IN {}", type: .reference, filters: [(.in, .many([]))], field: "recordName"),
        Line(
            format: "creatorUserRecordID = 'x'", type: .reference, filters: [(.equals, name)],
            field: "createdUserRecordName"),
        Line(
            format: "lastModifiedUserRecordID = 'x'", type: .reference, filters: [(.equals, name)],
            field: "modifiedUserRecordName"),
        Line(format: "parent = 'x'", type: .reference, filters: [(.equals, name)], field: "parent"),
        Line(
            format: "creationDate < now()", type: .timestamp, filters: [(.lessThan, .one(.integer(7_000)))],
            field: "createdTimestamp"),
        Line(
            format: "___modTime < now()", type: .timestamp, filters: [(.lessThan, .one(.integer(7_000)))],
            field: "modifiedTimestamp"),
    ]

    @Test("Predicates that §13.6 supports are sent and accepted", arguments: supported)
    func supportedLines(line: Line) throws {
        let query = try #require(try sent(NSPredicate(format: line.format)))
        #expect(query.filters.map(\.comparator) == line.filters.map(\.0))
        let isSystem = SystemKey(rawValue: line.field) != nil
        let subject = FilterSubject(field: Name(line.field), recordType: "T", type: line.type, isSystem: isSystem)
        for (filter, (_, expected)) in zip(query.filters, line.filters) {
            #expect((filter.field?.name.text ?? "") == line.field)
            #expect((filter.field?.system != nil) == isSystem && filter.field?.isSystemName != true)
            switch expected {
            case .one(let value): #expect(try filter.value.filterValue(of: subject) == value)
            case .many(let values): #expect(try filter.value.filterValues(of: subject) == values)
            }
            #expect(filter.distance == nil)
        }
    }

    @Test(arguments: ["distanceToLocation:fromLocation:(f, %@) < %f", "distanceToLocation:fromLocation:(%@, f) <= %f"])
    func distancesAreNear(format: String) throws {
        let place = CLLocation(latitude: 1.5, longitude: -2.25)
        let filter = try #require(try sent(NSPredicate(format: format, place, 10.5))?.filters.first)
        let subject = FilterSubject(field: "f", recordType: "T", type: .location)
        #expect(filter.comparator == .near && filter.distance == 10.5 && filter.field?.name == "f")
        #expect(try filter.value.filterValue(of: subject) == .location(latitude: 1.5, longitude: -2.25))
    }

    @Test func systemFieldsTakeIDsReferencesAndRecords() throws {
        let id = CKRecord.ID(recordName: "r", zoneID: CKRecordZoneID(zoneName: "z"))
        let values: [Any] = [id, CKReference(recordID: id, action: .none), CKRecord(recordType: "T", recordID: id)]
        for value in values {
            for field in ["recordID", "owner"] {
                let query = try sent(NSPredicate(format: "%K == %@", argumentArray: [field, value]))
                let filter = try #require(query?.filters.first)
                let subject = FilterSubject(field: Name(field), recordType: "T", type: .reference)
                #expect(filter.value.type == .reference)
                #expect(try filter.value.filterValue(of: subject) == .recordName("r"))
            }
        }
    }

    static let unsupported: [(String, String)] = [
        ("f = 1 OR g = 2", "OR is not"), ("f = 1 || g = 2", "OR is not"), ("NOT (f = 1 OR g = 2)", "OR is not"),
        ("NOT (f = 1 AND g = 2)", "joined by AND"), ("NOT f BETWEEN {1, 2}", "BETWEEN"),
        ("NOT self CONTAINS 'x'", "search"), ("NOT allTokens TOKENMATCHES[cdl] 'x'", "search"),
        ("NOT distanceToLocation:fromLocation:(f, CAST({1.0,2.0},'LOCATION')) < 5", "distance"),
        ("distanceToLocation:fromLocation:(f, CAST({1.0,2.0},'LOCATION')) > 5", "< and <="),
        ("distanceToLocation:fromLocation:(f, CAST({1.0,2.0},'LOCATION')) < -5", "0 meters"),
        ("distanceToLocation:fromLocation:(f, 'x') < 5", "a field and a location"),
        ("distanceToLocation:fromLocation:(f, CAST({1.0,2.0},'LOCATION')) = 'x'", "number of meters"),
        ("ALL f = 1", "ALL =="), ("ALL f IN {1}", "ALL IN"), ("NONE f = 1", "NONE =="), ("f LIKE 'x'", "LIKE"),
        ("f MATCHES 'x'", "MATCHES"), ("f ENDSWITH 'x'", "ENDSWITH"), ("f =[c] 'x'", "options"),
        ("f BEGINSWITH[cd] 'x'", "options"), ("f CONTAINS[c] 'x'", "options"), ("owner.name = 'x'", "key path"),
        ("items.@count > 1", "key path"), ("SUBQUERY(f, $x, $x.a = 1).@count > 0", "SUBQUERY"),
        ("f + 1 = 2", "arithmetic"), ("f = 2 * 3", "arithmetic"), ("f % 2 = 0", "arithmetic"), ("f = -g", "arithmetic"),
        ("f = nil", "nil"), ("f != NULL", "nil"), ("f IN {nil}", "nil"), ("f = $x", "variable"),
        ("sum(f) = 1", "'sum'"), ("f[0] = 1", "by index"), ("f = g", "constant on the right"),
        ("1 = 1", "constant on the right"), ("1 < f", "field on its right"), ("'x' CONTAINS f", "field on its right"),
        ("self = 'x'", "self can only"), ("f IN {g}", "only constants"), ("f IN {1, 'x'}", "have one type"),
        ("f IN {{1}}", "inside a list"), ("f = {1}", "== is not"), ("f IN 'x'", "IN is not"),
        ("f BEGINSWITH 1", "a string"),
        ("f BETWEEN {1}", "two values"), ("ANY f != 1", "ANY != is"), ("ANY f < 1", "ANY < is"),
        ("allTokens = 'x'", "'allTokens' is not a field"), ("CAST(1, 'X') = f", "cast to 'X'"), ("f = 1e999", "finite"),
        ("self TOKENMATCHES 1", "TOKENMATCHES"), ("FALSEPREDICATE AND f LIKE 'x'", "LIKE"),
        ("f ==", "not a valid predicate format"),
    ]

    @Test("Predicates that §13.6 does not support fail when sent, with the reason", arguments: unsupported)
    func unsupportedLines(format: String, reason: String) throws {
        let error = #expect(throws: UnsupportedPredicate.self) { _ = try sent(NSPredicate(format: format)) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func valuesOfNoTypeOfCloudKitFailWhenTheyAreSent() throws {
        let values: [Any] = [
            Double.nan, Double.infinity, Date(timeIntervalSince1970: 1e300), CLLocation(latitude: 91, longitude: 0),
            UUID(),
            CKRecordZoneID(), [UUID()],
        ]
        for value in values {
            #expect(throws: UnsupportedPredicate.self) {
                _ = try sent(NSPredicate(format: "f = %@", argumentArray: [value]))
            }
        }
        #expect(throws: UnsupportedPredicate.self) { _ = try sent(NSPredicate(format: "f = %f", Double.nan)) }
    }

    @Test(arguments: ["FALSEPREDICATE", "f = 1 AND FALSEPREDICATE", "NOT TRUEPREDICATE"])
    func whatNothingPassesNeedsNoRequest(format: String) throws {
        #expect(try CKQuery(recordType: "T", predicate: NSPredicate(format: format)).request() == .nothing)
    }

    @Test func sortsAreSentWithTheNamesOfTheWire() throws {
        let query = try sent(
            NSPredicate(value: true),
            [
                NSSortDescriptor(key: "creationDate", ascending: false), NSSortDescriptor(key: "f", ascending: true),
                CKLocationSortDescriptor(key: "p", relativeLocation: CLLocation(latitude: 1, longitude: 2)),
            ])
        let sorts = try #require(query?.sorts)
        #expect(sorts.map(\.field.name.text) == ["createdTimestamp", "f", "p"])
        #expect(sorts.map(\.ascending) == [false, true, true])
        let place = try #require(try sorts[2].relativeLocation?.place())
        #expect(place.latitude == 1 && place.longitude == 2 && sorts[1].relativeLocation == nil)
    }

    @Test func sortsByWhatIsNoFieldOrPlaceFail() {
        for descriptor in [
            NSSortDescriptor(keyPath: \NSString.length, ascending: true), NSSortDescriptor(key: nil, ascending: true),
            NSSortDescriptor(key: "owner.name", ascending: true),
            CKLocationSortDescriptor(key: "p", relativeLocation: CLLocation(latitude: 91, longitude: 0)),
        ] {
            #expect(throws: UnsupportedPredicate.self) { _ = try sent(NSPredicate(value: true), [descriptor]) }
        }
    }

    @Test("A sent filter converts to a predicate that sends the same", arguments: supported)
    func filtersReadBack(line: Line) throws {
        let filters = try QueryFilters(tree(line.format))
        var writer = JSONWriter()
        filters.write(to: &writer)
        var reader = try JSONReader(writer.bytes[...])
        #expect(try QueryFilters(PredicateTree(filterBy: &reader)).list.count == line.filters.count)
        reader = try JSONReader(writer.bytes[...])
        // Two calls of now() give two times.
        if !line.format.contains("now()") { #expect(try QueryFilters(PredicateTree(filterBy: &reader)) == filters) }
    }

    static let foreign: [(String, PredicateTree)] = [
        (
            #"{"systemFieldName":"recordName","comparator":"EQUALS","fieldValue":{"value":{"recordName":"X"},"type":"STRING"},"distance":null}"#,
            .compare("recordName", .equal, .reference(PredicateReference(recordName: "X")))
        ),
        (#"[{"fieldName":"f","comparator":"EQUALS","fieldValue":{"value":5}}]"#, .compare("f", .equal, .int64(5))),
        (#"[{"fieldName":"f","comparator":"EQUALS","fieldValue":{"value":5.5}}]"#, .compare("f", .equal, .double(5.5))),
        (
            #"[{"fieldName":"f","comparator":"EQUALS","fieldValue":{"value":"5","type":"TIMESTAMP"}}]"#,
            .compare("f", .equal, .timestamp(5))
        ),
        (
            #"[{"fieldName":"f","comparator":"EQUALS","fieldValue":{"value":5,"type":"DOUBLE"}}]"#,
            .compare("f", .equal, .double(5))
        ),
        (
            #"[{"fieldName":"f","comparator":"IN","fieldValue":{"value":["AQI="],"type":"BYTES_LIST"}}]"#,
            .compare("f", .isIn, .list([.bytes([1, 2])]))
        ),
        (
            #"[{"fieldName":"p","comparator":"NEAR","fieldValue":{"value":{"latitude":1,"longitude":2}},"distance":9}]"#,
            tree("distanceToLocation:fromLocation:(p, CAST({1.0, 2.0}, 'LOCATION')) <= 9")
        ),
        (
            #"[{"comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"a b"}}]"#,
            .search(PredicateSearch(text: "a b", wantsAll: true))
        ),
        ("[]", .always),
        (
            #"[{"fieldName":"f","comparator":"ODD","fieldValue":{"value":5}}]"#,
            .unsupported("unknown comparator ODD")
        ),
        (
            #"[{"fieldName":"f","comparator":"EQUALS","fieldValue":{}}]"#,
            .unsupported("a filter compares with a value of an unknown type")
        ),
        (#"[{"comparator":"EQUALS","fieldValue":{"value":5}}]"#, .unsupported("a filter has no field")),
        (
            #"[{"fieldName":"p","comparator":"NEAR","fieldValue":{"value":5}}]"#,
            .unsupported("NEAR takes a location and a distance")
        ),
    ]

    @Test("Filters of other clients are converted", arguments: foreign) func foreignFilters(
        json: String, expected: PredicateTree
    ) throws {
        var reader = try JSONReader(Array(json.utf8)[...])
        #expect(try PredicateTree(filterBy: &reader) == expected)
    }
}
