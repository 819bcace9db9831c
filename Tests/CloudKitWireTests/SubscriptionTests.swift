import CloudKitWire
import Testing

/// The subscription dictionary, docs/protocol.md, B1 to B4.
@Suite("Subscriptions on the wire") struct SubscriptionTests {
    private func subscription(_ json: String) throws -> SubscriptionDictionary {
        try SubscriptionsModifyRequest(
            json: #"{"operations":[{"operationType":"create","subscription":\#(json)}]}"#.body
        ).operations[0].subscription
    }

    private static let whole = #"""
        {"subscriptionID":"new","subscriptionType":"query","query":{"recordType":"Note","filterBy":[{"fieldName":"n",\#
        "comparator":"EQUALS","fieldValue":{"value":5}}]},"zoneWide":true,"firesOn":["create","delete"],"firesOnce":true,\#
        "notificationInfo":{"alertBody":"New \"note\"","alertLocalizationKey":"K","alertLocalizationArgs":["a","b"],\#
        "title":"T","titleLocalizationKey":"TK","titleLocalizationArgs":["a"],"subtitle":"S","subtitleLocalizationKey":\#
        "SK","subtitleLocalizationArgs":["b"],"alertActionLocalizationKey":"AK","alertLaunchImage":"I","soundName":\#
        "default","category":"C","collapseIDKey":"CK","additionalFields":["a","n"],"shouldBadge":true,\#
        "shouldSendContentAvailable":true,"shouldSendMutableContent":true}}
        """#

    @Test("Everything that a client sends is returned, and the stored form reads the same")
    func roundTrip() throws {
        let read = try subscription(Self.whole)
        #expect(written { read.write(to: &$0, zoneID: nil) } == Self.whole)
        let stored = try SubscriptionDictionary(stored: Self.whole.body)
        #expect(written { stored.write(to: &$0, zoneID: nil) } == Self.whole)
        #expect(read.query?.recordType == "Note" && read.query?.filters.count == 1)
    }

    @Test("A query is stored without white space and sorts, and a single filter counts as a list")
    func query() throws {
        let read = try subscription(
            #"""
            {"subscriptionType": "query", "firesOn": ["update"], "query": { "recordType": "Note", "sortBy": [{"fieldName":"x"}],
              "filterBy": {"comparator": "EQUALS", "fieldName": "n", "fieldValue": {"value": [ 1.50, "a b" ]}}}}
            """#)
        let filter = #"{"comparator":"EQUALS","fieldName":"n","fieldValue":{"value":[1.50,"a b"]}}"#
        #expect(String(decoding: read.queryJSON, as: UTF8.self) == #"{"recordType":"Note","filterBy":[\#(filter)]}"#)
    }

    @Test("A zone-wide zone subscription is a database subscription")
    func zoneWide() throws {
        let json = #"{"subscriptionType":"zone","zoneWide":true}"#
        let read = try subscription(json)
        #expect(read.kind == .database)
        #expect(written { read.write(to: &$0, zoneID: nil) } == json)
        #expect(try subscription(#"{"subscriptionType":"zone","zoneID":{"zoneName":"Z"}}"#).kind == .zone)
        let database = try subscription(#"{"subscriptionType":"database","zoneWide":true}"#)
        #expect(written { database.write(to: &$0, zoneID: nil) } == #"{"subscriptionType":"database"}"#)
        #expect(try subscription(#"{"subscriptionID":"a"}"#).kind == nil)
    }

    static let mistakes = [
        (
            #"{"subscriptionType":"record"}"#,
            "operations[0].subscription.subscriptionType: unknown subscriptionType 'record'"
        ),
        (#"{"firesOn":["creates"]}"#, "firesOn can contain create, update and delete, not 'creates'"),
        (#"{"firesOn":"create"}"#, "expected an array"),
        (#"{"query":{"filterBy":[]}}"#, "the key 'recordType' is missing"),
        (
            #"{"query":{"recordType":"A","filterBy":[{"comparator":"IS","fieldName":"f","fieldValue":{"value":1}}]}}"#,
            "unknown comparator 'IS': use one of EQUALS, NOT_EQUALS, LESS_THAN, "
        ),
        (#"{"notificationInfo":{"alertBody":5}}"#, "notificationInfo.alertBody: expected a string"),
        (
            #"{"notificationInfo":{"title":"\#(String(repeating: "x", count: 2_049))"}}"#,
            "a text can have at most 2048 bytes"
        ),
        (
            #"{"notificationInfo":{"additionalFields":[\#((0...16).map { "\"f\($0)\"" }.joined(separator: ","))]}}"#,
            "at most 16 elements"
        ),
        (#"{"notificationInfo":{"shouldBadge":1}}"#, "expected true or false"), (#"[]"#, "expected an object"),
    ]

    @Test("A mistake is rejected with its position", arguments: mistakes)
    func mistake(json: String, reason: String) {
        let error = #expect(throws: WireError.self) { try subscription(json) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("Requests without required keys, or with too many items, are rejected")
    func requests() {
        for (json, reason) in [
            ("{}", "'operations' is missing"), (#"{"operations":[{}]}"#, "'operationType' is missing"),
            (#"{"operations":[{"operationType":"delete"}]}"#, "'subscription' is missing"),
            (
                #"{"operations":[{"operationType":"replace","subscription":{}}]}"#,
                "unknown operationType 'replace': use one of create, update, delete (byte"
            ),
        ] {
            let error = #expect(throws: WireError.self) { try SubscriptionsModifyRequest(json: json.body) }
            #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        }
        let many = (0...200).map { #"{"subscriptionID":"s\#($0)"}"# }.joined(separator: ",")
        for (json, reason) in [
            ("{}", "'subscriptions' is missing"), (#"{"subscriptions":[{}]}"#, "'subscriptionID' is missing"),
            (#"{"subscriptions":[\#(many)]}"#, "'subscriptions' can have at most 200 elements"),
        ] {
            let error = #expect(throws: WireError.self) { try SubscriptionsLookupRequest(json: json.body) }
            #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        }
    }
}

/// The payloads for devices, docs/protocol.md, B5 to B8.
@Suite("Payloads of notifications") struct PushPayloadTests {
    private func payload(_ event: PushPayload.Event, _ change: (inout NotificationInfo) -> Void = { _ in })
        -> PushPayload
    {
        var info = NotificationInfo()
        change(&info)
        return PushPayload(
            container: "iCloud.org.example", user: UserID(high: 0, low: 0xAB), notificationID: "N1",
            subscriptionID: "s",
            event: event, scope: .private, zone: ZoneIDDictionary(zoneName: "Shelf", ownerRecordName: "_me"),
            info: info,
            values: ["title": #""Groceries""#.body, "count": "5".body])
    }

    private static let ck =
        #""ck":{"ce":2,"cid":"iCloud.org.example","ckuserid":"_000000000000000000000000000000ab","nid":"N1","aux":{},"#

    @Test("A query's payload contains the record, the reason, the database and at most three fields")
    func query() {
        let push = payload(.query(reason: .updated, recordName: "r1")) {
            $0.alert = NotificationText(
                body: "Changed", localizationKey: "K", localizationArgs: ["title", "count", "none"])
            $0.soundName = "default"
            $0.shouldBadge = true
            $0.additionalFields = ["title", "none", "count", "title"]
        }
        let alert = #"{"body":"Changed","loc-key":"K","loc-args":["Groceries","5",""]}"#
        let fields = #""af":{"title":"Groceries","count":5}"#
        #expect(
            text(push.json()) == #"{"aps":{"alert":\#(alert),"badge":1,"sound":"default"},\#(Self.ck)"#
                + #""qry":{"sid":"s","rid":"r1","fo":2,"zid":"Shelf","zoid":"_me","dbs":1,\#(fields)}}}"#)
    }

    @Test("A payload wakes the app only if the subscription requests it")
    func silent() {
        let silent = #"{"aps":{"content-available":1,"mutable-content":1},\#(Self.ck)"#
        let waking = payload(.zone) {
            $0.shouldSendContentAvailable = true
            $0.shouldSendMutableContent = true
        }
        #expect(text(waking.json()) == silent + #""fet":{"sid":"s","zid":"Shelf","zoid":"_me","dbs":1}}}"#)
        var database = payload(.database)
        database.zone = nil
        #expect(text(database.json()) == #"{"aps":{},\#(Self.ck)"# + #""met":{"sid":"s","dbs":1}}}"#)
    }

    @Test("A payload that is too long loses fields, then texts, then names, and is marked as pruned")
    func pruned() {
        let long = String(repeating: "x", count: 1_500)
        var push = payload(.query(reason: .created, recordName: Name(String(repeating: "r", count: 250)))) {
            $0.alert.body = Name(long)
            $0.additionalFields = ["title"]
        }
        push.values["title"] = #""\#(long)""#.body
        let whole = text(push.json())
        #expect(!whole.contains(#""p":1"#) && whole.contains(#""af""#))
        for (limit, gone) in [(2_500, ["af"]), (1_000, ["af", "alert"]), (300, ["af", "alert", "rid", "zid"])] {
            let json = text(push.json(atMost: limit))
            #expect(json.utf8.count <= limit && json.contains(#""p":1"#))
            for key in ["af", "alert", "rid", "zid"] {
                #expect(json.contains("\"\(key)\"") == !gone.contains(key), "\(limit)")
            }
        }
    }
}
