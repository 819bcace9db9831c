import RequestTesting

/// Subscriptions, devices, and their notifications.
enum Notifications {
    static var requests: [RecordedRequest] { kinds + refused + deleted + devices + told + streams + courier }

    static func subscribe(
        _ kind: String, _ members: String..., database: String = "private", by caller: SmallCloud.Caller = .person
    ) -> RecordedRequest {
        let subscription = members.joined(separator: ",")
        return RecordedRequest(
            caller, "\(database)/subscriptions/modify",
            Endpoints.saving(#"{"operationType":"\#(kind)","subscription":{\#(subscription)}}"#))
    }

    static func id(_ name: String) -> String { #""subscriptionID":"\#(name)""# }

    static let query = #""subscriptionType":"query","query":{"recordType":"Thing"}"#
    static let all = #""firesOn":["create","update","delete"]"#

    private static var kinds: [RecordedRequest] {
        let filtered =
            #""query":{ "recordType" : "Thing", "filterBy":{"fieldName":"int","comparator":"EQUALS","fieldValue":{"value":1.0}},"sortBy":[]}"#
        return [
            subscribe("create", id("query"), query, all), subscribe("create", id("query"), query, all),
            subscribe(
                "create", id("filtered"), #""subscriptionType":"query""#, filtered,
                #""firesOn":["update"],"firesOnce":true"#),
            subscribe("create", id("zone"), #""subscriptionType":"zone","zoneID":{"zoneName":"Followed"}"#),
            subscribe("create", id("wide"), #""subscriptionType":"zone","zoneWide":true"#),
            subscribe("create", id("base"), #""subscriptionType":"database""#), subscribe("create", query, all),
            subscribe("create", id("restricted"), query, all, #""zoneID":{"zoneName":"One"}"#),
            subscribe("create", id("narrow"), query, all, #""zoneWide":false"#),
            subscribe("update", id("query"), query, #""firesOn":["create"]"#),
            subscribe("update", id("none"), query, all),
            subscribe("create", id("shown"), query, all, #""notificationInfo":\#(info)"#),
            subscribe("create", id("shown")),
            subscribe("create", id("public"), query, all, database: "public"),
            subscribe("create", id("public"), query, all, database: "public", by: .key),
            subscribe("create", id("friend"), query, all, database: "public", by: .friend),
            RecordedRequest(.person, "private/subscriptions/list"),
            RecordedRequest("GET", .person, "public/subscriptions/list"),
            RecordedRequest("GET", .friend, "private/subscriptions/list"),
            RecordedRequest(
                .person, "private/subscriptions/lookup",
                #"{"subscriptions":[{"subscriptionID":"zone"},{"subscriptionID":"none"}]}"#),
            RecordedRequest(
                .person, "private/subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"none"}]}"#,
                headers: RecordedRequest.extras),
        ]
    }

    private static let info = #"""
        {"alertBody":"hi","title":"t","subtitleLocalizationKey":"k","subtitleLocalizationArgs":["text"],"soundName":"s",\#
        "category":"c","collapseIdKey":"x","desiredKeys":["int","text","hidden","double"],"shouldBadge":true,\#
        "shouldSendContentAvailable":true,"shouldSendMutableContent":true,"other":1}
        """#

    private static var refused: [RecordedRequest] {
        [
            subscribe("create", id("x"), query), subscribe("create", id("x"), query, #""firesOn":[]"#),
            subscribe("create", id("x"), query, #""firesOn":["read"]"#),
            subscribe("create", id("x"), #""subscriptionType":"query""#, all),
            subscribe("create", id("x"), #""subscriptionType":"other""#),
            subscribe("create", id("x"), #""subscriptionType":"zone""#),
            subscribe("create", id("x"), #""subscriptionType":"zone","zoneID":{"zoneName":"None"}"#),
            subscribe("create", id("x"), #""subscriptionType":"zone","zoneID":{"zoneName":"_defaultZone"}"#),
            subscribe("create", id(""), query, all),
            subscribe("create", id("x"), #""subscriptionType":"query","query":{"recordType":"None"}"#, all),
            subscribe(
                "create", id("x"),
                #""subscriptionType":"query","query":{"recordType":"Thing","filterBy":{"fieldName":"plain","comparator":"EQUALS","fieldValue":{"value":"a"}}}"#,
                all),
            subscribe("create", id("x"), #""subscriptionType":"database""#, database: "public"),
            subscribe("create", id("x"), query, all, database: "shared"),
            subscribe(
                "create", id("x"), #""subscriptionType":"query","query":{"recordType":"Ledger"}"#, all,
                database: "public"),
            subscribe(
                "create", id("x"), query, all,
                #""notificationInfo":{"alertBody":"\#(String(repeating: "a", count: 2_049))"}"#),
            subscribe("create", id("x"), query, all, #""notificationInfo":{"alertBody":1}"#), subscribe("delete"),
            subscribe("watch", id("x")),
            subscribe("create", id("x"), query, all, by: .app), subscribe("create", id("x"), query, all, by: .key),
        ]
    }

    private static var deleted: [RecordedRequest] {
        [
            subscribe("delete", id("narrow")), subscribe("delete", id("narrow")),
            subscribe("delete", id("narrow")).with(RecordedRequest.extras),
            subscribe("delete", id("restricted"), query, all),
            subscribe("delete", id("wide")), subscribe("delete", id("base")), subscribe("delete", id("s")),
        ]
    }
}
