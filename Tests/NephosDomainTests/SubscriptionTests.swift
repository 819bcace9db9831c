import CloudKitWire
import NephosStorage
import TestEngines
import Testing

@testable import NephosDelivery
@testable import NephosDomain

/// Valid subscriptions, and the effects of operations on them: docs/protocol.md, B9 to B13.
@Suite("A person's subscriptions") struct SubscriptionTests {
    private static let note = #""subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["create"]"#
    private static let zone = #""subscriptionType":"zone","zoneID":{"zoneName":"Z"}"#

    // B12, B13
    @Test("A saved subscription is returned, listed and found by name")
    func saved() throws {
        var desk = SubscriptionFixture()
        let all = [#""subscriptionID":"z",\#(Self.zone)"#, #""subscriptionID":"n",\#(Self.note)"#]
        let answers = try desk.modify(all.map { ("create", $0) })
        let zoneID = #""zoneID":{"zoneName":"Z","zoneType":"REGULAR_CUSTOM_ZONE"}"#
        #expect(answers[0] == #"{"subscriptionID":"z","subscriptionType":"zone",\#(zoneID)}"#)
        #expect(
            answers[1]
                == #"{"subscriptionID":"n","subscriptionType":"query","query":{"recordType":"Note"},"zoneWide":true,"#
                + #""firesOn":["create"],"firesOnce":false}"#)
        #expect(try desk.list() == [answers[1], answers[0]])
        #expect(try desk.lookup("z", "x", "n") == [answers[0], "NOT_FOUND", answers[1]])
        #expect(desk.rows.map(\.sequence).sorted() == [101, 102])
    }

    // B12
    @Test("Saving the same one again changes nothing; a different one replaces it and starts anew")
    func savedAgain() throws {
        var desk = SubscriptionFixture()
        let first = try desk.modify([("create", #""subscriptionID":"a",\#(Self.note)"#)])
        let row = desk.rows
        #expect(try desk.modify([("create", #""subscriptionID":"a",\#(Self.note)"#)]) == first)
        #expect(try desk.modify([("update", #""subscriptionID":"a", \#(Self.note)"#)]) == first)
        #expect(try desk.modify([("create", #""subscriptionID":"a""#)]) == first)
        #expect(desk.rows == row && desk.head.sequence == 101)
        desk.now = 9
        _ = try desk.modify([("create", #""subscriptionID":"a",\#(Self.zone)"#)])
        #expect(desk.rows.map(\.kind) == [.zone] && desk.rows.map(\.sequence) == [102])
        #expect(desk.rows.map(\.createdAt) == row.map(\.createdAt))
    }

    // B12
    @Test("A subscription without a name gets one; an update or a bare name requires an existing one")
    func names() throws {
        var desk = SubscriptionFixture()
        let answers = try desk.modify([
            ("create", Self.note), ("update", #""subscriptionID":"x",\#(Self.note)"#), ("update", Self.note),
            ("create", #""subscriptionID":"x""#), ("create", #""subscriptionID":"x","firesOn":["update"]"#),
            ("create", ""), ("delete", ""), ("delete", #""subscriptionID":"x""#),
            ("create", #""subscriptionID":"",\#(Self.note)"#),
            ("create", #""subscriptionID":"\#(String(repeating: "x", count: 256))",\#(Self.note)"#),
        ])
        #expect(answers[0].hasPrefix(#"{"subscriptionID":"made up 1""#))
        #expect(
            answers.dropFirst() == [
                "NOT_FOUND", "BAD_REQUEST", "NOT_FOUND", "BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST", "NOT_FOUND",
                "BAD_REQUEST", "BAD_REQUEST",
            ])
        #expect(desk.rows.count == 1)
    }

    // B13
    @Test("Operations run in order: what one saved the next deletes")
    func inOrder() throws {
        var desk = SubscriptionFixture()
        let named = #""subscriptionID":"a",\#(Self.note)"#
        #expect(
            try desk.modify([
                ("create", named), ("delete", #""subscriptionID":"a""#), ("delete", #""subscriptionID":"a""#),
            ]).dropFirst() == ["deleted a", "NOT_FOUND"])
        #expect(desk.rows == [] && desk.writes == 0)
        _ = try desk.modify([("create", named)])
        _ = try desk.modify([("delete", #""subscriptionID":"a""#), ("create", #""subscriptionID":"a",\#(Self.zone)"#)])
        #expect(desk.rows.map(\.kind) == [.zone])
    }

    // B9
    @Test("A person has at most 200 in a database; more are rejected, changes are not")
    func limit() throws {
        var desk = SubscriptionFixture()
        let names = (0..<200).map { #""subscriptionID":"\#($0)",\#(Self.note)"# }
        _ = try desk.modify(names.map { ("create", $0) })
        let answers = try desk.modify([
            ("create", #""subscriptionID":"200",\#(Self.note)"#), ("create", #""subscriptionID":"7",\#(Self.zone)"#),
            ("delete", #""subscriptionID":"8""#), ("create", #""subscriptionID":"200",\#(Self.note)"#),
        ])
        #expect(answers[0] == "BAD_REQUEST" && answers[1].hasPrefix("{") && answers[3].hasPrefix("{"))
        #expect(desk.rows.count == 200)
        let large = #""notificationInfo":{"alertBody":"\#(String(repeating: "x", count: 2_000))"}"#
        let values = (0..<250).map { _ in "\"\(String(repeating: "y", count: 300))\"" }.joined(separator: ",")
        let filter = QueryFixture.filter("string", "IN", "{\"value\":[\(values)]}")
        let query =
            #""subscriptionType":"query","firesOn":["update"],"query":{"recordType":"Note","filterBy":[{\#(filter)}]}"#
        #expect(try desk.modify([("create", #""subscriptionID":"9",\#(query),\#(large)"#)]) == ["BAD_REQUEST"])
    }

    // B10
    @Test("Each kind is limited to some databases")
    func databases() throws {
        let kinds = [
            Self.note, Self.zone, #""subscriptionType":"database""#, #""subscriptionType":"zone","zoneWide":true"#,
        ]
        let expected: [DatabaseScope: [Bool]] = [
            .public: [true, false, false, false], .private: [true, true, true, true],
            .shared: [false, false, true, true],
        ]
        for (scope, allowed) in expected {
            var desk = SubscriptionFixture()
            desk.desk = QueryFixture(grants: [RoleRow.world.number: .read])
            desk.desk.scope = scope
            let answers = try desk.modify(kinds.map { ("create", $0) })
            #expect(answers.map { $0.hasPrefix("{") } == allowed, "\(scope): \(answers)")
            #expect(answers.allSatisfy { $0.hasPrefix("{") || $0 == "BAD_REQUEST" })
        }
        var desk = SubscriptionFixture()
        _ = try desk.modify([("create", #""subscriptionID":"a",\#(Self.zone)"#)])
        desk.desk.scope = .shared
        #expect(try desk.list() == [] && desk.lookup("a") == ["NOT_FOUND"])
    }

    // B10, B11
    @Test("A zone must exist and have a feed")
    func zones() throws {
        var desk = SubscriptionFixture()
        let answers = try desk.modify(
            [
                #""subscriptionType":"zone","zoneID":{"zoneName":"gone"}"#,
                #""subscriptionType":"zone","zoneID":{"zoneName":"_defaultZone"}"#, #""subscriptionType":"zone""#,
                #"\#(Self.note),"zoneID":{"zoneName":"gone"}"#, #"\#(Self.note),"zoneID":{"zoneName":"Z"}"#,
                #"\#(Self.note),"zoneWide":false"#,
            ].map { ("create", $0) })
        #expect(Array(answers.prefix(4)) == ["ZONE_NOT_FOUND", "BAD_REQUEST", "BAD_REQUEST", "ZONE_NOT_FOUND"])
        #expect(answers[4].contains(#""zoneName":"Z""#) && answers[4].contains(#""zoneWide":false"#))
        #expect(answers[5].contains(#""zoneName":"_defaultZone""#))
    }

    // B11
    @Test("An invalid query is rejected as in a query request")
    func queries() throws {
        func query(_ type: String, _ filter: String, _ firesOn: String = #"["create"]"#) -> String {
            #""subscriptionType":"query","query":{"recordType":"\#(type)","filterBy":[\#(filter)]},"firesOn":\#(firesOn)"#
        }
        var desk = SubscriptionFixture()
        desk.desk = QueryFixture(options: [.sortable])
        let filter = "{\(QueryFixture.filter("string", "EQUALS", #"{"value":"x"}"#))}"
        #expect(
            try desk.modify([("create", query("Note", filter)), ("create", query("Note", ""))]) == [
                "BAD_REQUEST", "BAD_REQUEST",
            ])
        // A zone that does not exist comes first.
        let gone = #","zoneID":{"zoneName":"gone"}"#
        #expect(
            try desk.modify([("create", query("Note", filter) + gone), ("create", query("Nobody", "") + gone)]) == [
                "ZONE_NOT_FOUND", "ZONE_NOT_FOUND",
            ])
        desk.desk = QueryFixture()
        let answers = try desk.modify(
            [
                query("Note", filter), query("Nobody", ""), query("Note", "", "[]"), #""subscriptionType":"query""#,
                query("Note", "{\(QueryFixture.filter("string", "EQUALS", #"{"value":7}"#))}"),
            ].map { ("create", $0) })
        #expect(answers[0].hasPrefix("{"))
        #expect(answers.dropFirst() == ["BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST"])
        desk.desk.scope = .public
        #expect(try desk.modify([("create", query("Note", ""))]) == ["ACCESS_DENIED"])
    }

    // B11
    @Test("If only a role can read, only its members can subscribe")
    func roles() throws {
        var desk = SubscriptionFixture()
        desk.desk = QueryFixture(grants: [17: .read])
        desk.desk.scope = .public
        #expect(try desk.modify([("create", Self.note)]) == ["ACCESS_DENIED"])
        desk.roles = [17]
        #expect(try desk.modify([("create", Self.note)])[0].hasPrefix("{"))
    }

    // B9
    @Test("Without an account there are none; a server has its own, in public")
    func callers() throws {
        var desk = SubscriptionFixture()
        desk.desk = QueryFixture(grants: [RoleRow.world.number: .read])
        desk.desk.scope = .public
        desk.desk.caller = .anonymous
        #expect(desk.desk.refusal { _ = try desk.list() }?.contains("sign in") == true)
        #expect(desk.desk.refusal { _ = try desk.modify([("create", Self.note)]) }?.contains("sign in") == true)
        desk.desk.caller = .serverKey(UserID(high: 3, low: 3))
        #expect(try desk.modify([("create", Self.note)])[0].hasPrefix("{"))
        #expect(desk.rows.map(\.user) == [UserID(high: 3, low: 3)])
    }
}

/// One user's subscriptions in a database with the zone `Z`, in memory.
private struct SubscriptionFixture {
    var desk = QueryFixture()
    var now: Milliseconds = 5
    private(set) var head = HeadRow(database: 4, kind: .personal, owner: QueryFixture.user)
    private(set) var rows: [SubscriptionRow] = []
    private(set) var writes = 0
    /// The roles of the user.
    var roles: [Int64] = []

    init() { head.sequence = 100 }

    private var context: RequestContext {
        let context = desk.context
        return RequestContext(catalog: context.catalog, caller: context.caller, scope: context.scope, now: now)
    }

    private func reading(_ set: ReadSet) -> Reading {
        var reading = Reading(catalog: desk.catalog)
        reading.databases = set.databases.map { _ in head }
        reading.zones = set.zones.map { key in
            guard case .name(_, let name) = key, name == "Z" || name == defaultZoneName else { return nil }
            return ZoneRow(database: 4, number: 2, name: name, createdSequence: 1, changedSequence: 1, createdAt: 0)
        }
        reading.memberships = set.memberships.map { _ in roles }
        reading.answerAll(set) { _ in rows.sorted { $0.name < $1.name } }
        return reading
    }

    /// A dictionary, a code, or the deleted item, for each operation: its kind and the contents of the subscription.
    mutating func modify(_ operations: [(String, String)]) throws -> [String] {
        let list = operations.map { #"{"operationType":"\#($0.0)","subscription":{\#($0.1)}}"# }
        var made = 0
        let operation = try ModifySubscriptions(
            SubscriptionsModifyRequest(json: Bytes("{\"operations\":[\(list.joined(separator: ","))]}")),
            context: context
        ) {
            made += 1
            return Name("made up \(made)")
        }
        guard case .write(let set, let items) = try operation.decide(reading(operation.reading)) else { return [] }
        for write in set.changes(of: SubscriptionRow.self) {
            if let old = write.old { rows.removeAll { $0 == old } }
            if let new = write.new { rows.append(new) }
            writes += 1
        }
        if let moved = set.heads.first { head = moved }
        return items.map { item in
            switch item {
            case .saved(let subscription): Self.text(subscription)
            case .deleted(let name): "deleted \(name)"
            case .refused(let refusal): refusal.serverErrorCode.rawValue
            }
        }
    }

    func list() throws -> [String] {
        let operation = try ListSubscriptions(context: context)
        return try operation.answer(reading(operation.reading)).map(Self.text)
    }

    func lookup(_ names: String...) throws -> [String] {
        let list = names.map { #"{"subscriptionID":"\#($0)"}"# }.joined(separator: ",")
        let operation = try LookupSubscriptions(
            SubscriptionsLookupRequest(json: Bytes("{\"subscriptions\":[\(list)]}")), context: context)
        return operation.answer(reading(operation.reading)).map { answer in
            switch answer {
            case .success(let subscription): Self.text(subscription)
            case .failure(let refusal): refusal.serverErrorCode.rawValue
            }
        }
    }

    /// The dictionary, without the owner of its zone.
    private static func text(_ subscription: StoredSubscription) -> String {
        var writer = JSONWriter()
        let zoneID = subscription.zone.map { ZoneIDDictionary.encoded(zoneName: $0.name, ownerRecordName: nil) }
        subscription.dictionary.write(to: &writer, zoneID: zoneID)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
