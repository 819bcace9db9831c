import CloudKitWire
import NephosStorage
import Testing

@testable import NephosDomain

/// The queries for which a continuation marker is valid, docs/protocol.md Q4.
@Suite("Continuation markers") struct QueryMarkerTests {
    private static let position = QueryScan.Position(key: [0x10, 1, 2, 0xFF], zone: 3, record: 1 << 40)
    private static let base =
        #""filterBy":[{"fieldName":"int64","comparator":"IN","fieldValue":{"value":[1,2]}}],"sortBy":{"fieldName":"string"}"#

    /// The marker of a page that ended at ``position``.
    private func marker(_ desk: QueryFixture, _ parts: String = base, more: String = "") throws -> String {
        let operation = try desk.operation("{\"query\":{\"recordType\":\"Note\",\(parts)}\(more)}")
        var reading = reading(desk)
        reading.queries = operation.reading.queries.map { _ in QueryPage(next: Self.position) }
        guard case .answered(let answer) = try operation.outcome(reading) else { throw NoMarker() }
        return try #require(answer.continuationMarker)
    }

    private struct NoMarker: Error {}

    private func reading(_ desk: QueryFixture) -> Reading {
        var reading = Reading(catalog: desk.catalog)
        let zone = ZoneRow(database: 4, number: 3, name: "Z", createdSequence: 1, changedSequence: 1, createdAt: 0)
        (reading.zones, reading.zoneLists) = ([zone], [[zone]])
        return reading
    }

    /// Where a query continues with a marker; nil if it rejects it.
    private func position(
        _ marker: String, _ desk: QueryFixture, _ parts: String = base, more: String = ""
    ) -> QueryScan.Position? {
        try? desk.scan(parts, more: "\(more),\"continuationMarker\":\"\(marker)\"").after
    }

    @Test("A marker survives a round trip, for the same query in other words")
    func roundTrip() throws {
        let desk = QueryFixture()
        let marker = try marker(desk)
        #expect(marker.utf8.count % 4 == 0)
        #expect(position(marker, desk) == Self.position)
        #expect(
            position(marker, desk, more: #","resultsLimit":7,"desiredKeys":[],"numbersAsStrings":true"#)
                == Self.position)
        let otherWords =
            #""sortBy":[{"fieldName":"string","ascending":true}],"filterBy":{"comparator":"IN","fieldValue":{"type":"DOUBLE_LIST","value":[1.0,2.0,1]},"fieldName":"int64"}"#
        #expect(position(marker, desk, otherWords) == Self.position)
        #expect(
            position(marker, desk, more: #","zoneID":{"zoneName":"_defaultZone"},"zoneWide":true"#) == Self.position)
    }

    @Test("A marker is valid for no other query, zone, person, database or container")
    func others() throws {
        let desk = QueryFixture()
        let marker = try marker(desk)
        let others = [
            #""filterBy":[{"fieldName":"int64","comparator":"IN","fieldValue":{"value":[1,3]}}],"sortBy":{"fieldName":"string"}"#,
            #""filterBy":[{"fieldName":"int64","comparator":"NOT_IN","fieldValue":{"value":[1,2]}}],"sortBy":{"fieldName":"string"}"#,
            #""filterBy":[{"fieldName":"double","comparator":"IN","fieldValue":{"value":[1,2]}}],"sortBy":{"fieldName":"string"}"#,
            #""filterBy":[{"fieldName":"int64","comparator":"IN","fieldValue":{"value":[1,2]}}]"#,
            #""filterBy":[{"fieldName":"int64","comparator":"IN","fieldValue":{"value":[1,2]}}],"sortBy":{"fieldName":"string","ascending":false}"#,
            #""filterBy":[{"fieldName":"int64","comparator":"IN","fieldValue":{"value":[1,2]}}],"sortBy":[{"fieldName":"string"},{"fieldName":"int64"}]"#,
            #""sortBy":{"fieldName":"string"}"#,
        ]
        for parts in others { #expect(position(marker, desk, parts) == nil, "\(parts)") }
        #expect(position(marker, desk, more: #","zoneWide":true"#) == nil)
        #expect(position(marker, desk, more: #","zoneID":{"zoneName":"Other"}"#) == nil)
        var stranger = desk
        stranger.caller = .person(QueryFixture.session(UserID(high: 1, low: 1)))
        #expect(position(marker, stranger) == nil)
        var key = desk
        let tenant = Tenant(container: "iCloud.other", environment: .development)
        let head = CatalogHead(tenant: tenant, signingKey: .init(repeating: 9, count: 32), createdAt: 0)
        key.catalog = Catalog(
            head: head,
            rows: [.type(RecordTypeRow(number: 5, name: "Note"))]
                + QueryFixture.rows(.queryable.union(.sortable)).map { .field($0) })
        #expect(position(marker, key) == nil)
        var open = QueryFixture(grants: [RoleRow.world.number: .read])
        let personal = try self.marker(open)
        open.scope = .public
        #expect(position(personal, open) == nil)
    }

    @Test("Every filter and sort changes the fingerprint")
    func fingerprints() throws {
        let desk = QueryFixture()
        let values: [(String, [String])] = [
            (
                "string",
                [
                    "EQUALS", "NOT_EQUALS", "LESS_THAN", "LESS_THAN_OR_EQUALS", "GREATER_THAN",
                    "GREATER_THAN_OR_EQUALS", "BEGINS_WITH", "NOT_BEGINS_WITH",
                ]
            ),
            (
                "string_list",
                ["LIST_CONTAINS", "NOT_LIST_CONTAINS", "LIST_MEMBER_BEGINS_WITH", "NOT_LIST_MEMBER_BEGINS_WITH"]
            ),
        ]
        var prints: Set<[UInt8]> = []
        var count = 0
        for (field, comparators) in values {
            for comparator in comparators {
                for text in ["a", "b", "ab"] {
                    let filter = QueryFixture.filter(field, comparator, "{\"value\":\"\(text)\"}")
                    prints.insert(QueryFingerprint.of(try desk.scan("\"filterBy\":{\(filter)}"), by: nil))
                    count += 1
                }
            }
        }
        for latitude in [1, 2] {
            for distance in [5, 6] {
                let near =
                    "\"fieldName\":\"location\",\"comparator\":\"NEAR\",\"fieldValue\":{\"value\":{\"latitude\":\(latitude),\"longitude\":3}},\"distance\":\(distance)"
                prints.insert(QueryFingerprint.of(try desk.scan("\"filterBy\":{\(near)}"), by: nil))
            }
            let sort = "\"fieldName\":\"location\",\"relativeLocation\":{\"latitude\":\(latitude),\"longitude\":3}"
            prints.insert(QueryFingerprint.of(try desk.scan("\"sortBy\":{\(sort)}"), by: nil))
            count += 3
        }
        #expect(prints.count == count)
    }

    @Test("A marker with the longest key has at most 4 KB")
    func length() throws {
        let position = QueryScan.Position(key: .init(repeating: 0xFF, count: 2_700), zone: .max, record: .max)
        let marker = QueryMarker(database: .max, query: .init(repeating: 1, count: 16), position: position)
        #expect(try marker.encrypted(key: [1]).utf8.count <= 4_096)
    }

    // docs/security.md, "What answers depend on"
    @Test("A marker shows nothing of the record at which a page ended, which may be hidden from the caller")
    func position() throws {
        func marker(_ text: String) throws -> [UInt8] {
            let position = QueryScan.Position(key: Bytes(text.utf8), zone: 1, record: 0x4142_4344)
            let marker = QueryMarker(database: 1, query: .init(repeating: 1, count: 16), position: position)
            let sealed = try marker.encrypted(key: [1])
            #expect(try QueryMarker(sealed, database: 1, query: marker.query, key: [1]) == marker)
            #expect(try marker.encrypted(key: [1]) == sealed)
            return try #require(Base64.bytes(exactly: sealed))
        }
        let draft = try marker("the winner is Ada")
        for word in ["winner", "Ada", "ABCD"] { #expect(draft.firstRange(of: Array(word.utf8)) == nil, "\(word)") }
        // Nor how long its values are.
        #expect(try marker("no winner yet").count == draft.count)
        #expect(try marker("").count == draft.count)
    }

    @Test("A truncated or changed marker is rejected")
    func altered() throws {
        let desk = QueryFixture()
        let marker = try marker(desk)
        for index in marker.indices where marker[index] != "=" {
            var changed = Array(marker.utf8)
            let place = marker.utf8.distance(from: marker.startIndex, to: index)
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(position(String(decoding: changed, as: UTF8.self), desk) == nil)
        }
        for length in stride(from: 0, to: marker.count, by: 4) {
            #expect(position(String(marker.prefix(length)), desk) == nil)
        }
    }
}
