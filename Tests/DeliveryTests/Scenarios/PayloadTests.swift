import NephosTesting
import Testing

extension DeliveryTests {
    /// The contents of notifications: docs/protocol.md B4 to B8.
    @Suite(.serialized) struct PayloadTests {
        struct Row: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var info: JSON
            var aps: JSON
            var fields: JSON

            init(_ description: String, _ info: JSON, aps: JSON = [:], fields: JSON = .absent) {
                testDescription = description
                self.info = info
                self.aps = aps
                self.fields = fields
            }
        }

        /// The record of the notification.
        static let record: JSON = [
            "title": ["value": "Milk \"& eggs\""], "n": ["value": 7], "ratio": ["value": 0.5],
            "day": ["value": 1_700_000_000_000, "type": "TIMESTAMP"],
            "place": ["value": ["latitude": 1.5, "longitude": 2.5], "type": "LOCATION"],
            "data": ["value": "AAEC", "type": "BYTES"], "tags": ["value": ["a"], "type": "STRING_LIST"],
            "hidden": ["value": "secret", "type": "STRING"],
        ]

        static let texts: JSON = [
            "alertBody": "body", "title": "title", "subtitle": "subtitle", "alertActionLocalizationKey": "action",
            "alertLaunchImage": "image",
        ]

        static let rows: [Row] = [
            Row("nothing", [:]),
            Row("a text", ["alertBody": "New note"], aps: ["alert": ["body": "New note"]]),
            Row(
                "all texts", texts,
                aps: [
                    "alert": [
                        "title": "title", "subtitle": "subtitle", "body": "body", "action-loc-key": "action",
                        "launch-image": "image",
                    ]
                ]),
            Row(
                "a text of the app, with values of fields",
                ["alertLocalizationKey": "NEW", "alertLocalizationArgs": ["title", "n", "ratio", "missing", "data"]],
                aps: ["alert": ["loc-key": "NEW", "loc-args": ["Milk \"& eggs\"", "7", "0.5", "", ""]]]),
            Row(
                "title and subtitle of the app",
                [
                    "titleLocalizationKey": "T", "titleLocalizationArgs": ["n"], "subtitleLocalizationKey": "S",
                    "subtitleLocalizationArgs": ["title"],
                ],
                aps: [
                    "alert": [
                        "title-loc-key": "T", "title-loc-args": ["7"], "subtitle-loc-key": "S",
                        "subtitle-loc-args": ["Milk \"& eggs\""],
                    ]
                ]),
            Row("a badge", ["shouldBadge": true], aps: ["badge": 1]),
            Row("a sound", ["soundName": "default"], aps: ["sound": "default"]),
            Row("a category", ["category": "NOTE"], aps: ["category": "NOTE"]),
            Row("silent", ["shouldSendContentAvailable": true], aps: ["content-available": 1]),
            Row("mutable", ["shouldSendMutableContent": true], aps: ["mutable-content": 1]),
            Row("all is off", ["shouldBadge": false, "shouldSendContentAvailable": false]),
            Row(
                "fields", ["additionalFields": ["title", "n", "day", "ratio"]],
                fields: ["title": "Milk \"& eggs\"", "n": 7, "day": 1_700_000_000_000]),
            Row(
                "fields as apps name them", ["desiredKeys": ["ratio", "place"]],
                fields: ["ratio": 0.5, "place": ["latitude": 1.5, "longitude": 2.5]]),
            Row("fields that are not told", ["additionalFields": ["data", "tags", "hidden"]]),
            Row("fields that are not there", ["additionalFields": ["missing", "friend"]]),
        ]

        // docs/protocol.md B4 to B7
        @Test(arguments: rows) func aNotificationSaysWhatItsSubscriptionAsksFor(_ row: Row) throws {
            let party = try SharedParties.current.party("PayloadTests")
            let ada = try party[.phone].client
            try ada.subscribe(query("Open", "s", with: ["notificationInfo": row.info]), in: .private)
            for kind in Change.Kind.allCases {
                let told = try party.told {
                    let operation = ["create": "create", "update": "forceUpdate"][kind.rawValue] ?? "forceDelete"
                    try ada.change(
                        operation, "Open", "it", kind == .delete ? .absent : Self.record, in: .private)
                }
                #expect(Set(told.keys) == [.desk])
                let notification = try #require(told[.desk]?.first)
                let dictionary: JSON = [
                    "sid": "s", "rid": "it", "fo": kind.reason, "zid": "_defaultZone",
                    "zoid": .string(try ada.userName()), "dbs": 1, "af": row.fields,
                ]
                #expect(try notification == party.payload("qry", dictionary, to: .desk, notification, aps: row.aps))
            }
            try party.unsubscribeAll()
        }

        // docs/protocol.md B5: one ID for all notifications of one change
        @Test func subscriptionsThatOneChangeFiresAreToldUnderOneID() throws {
            let party = try SharedParties.current.party("PayloadTests")
            let ada = try party[.phone].client
            try ada.subscribe(query("Open", "q1"), in: .private)
            try ada.subscribe(query("Open", "q2", firesOn: ["create"]), in: .private)
            try ada.subscribe(
                ["subscriptionID": "z", "subscriptionType": "zone", "zoneID": ["zoneName": "Notes"]], in: .private)
            try ada.subscribe(["subscriptionID": "d", "subscriptionType": "database"], in: .private)
            var ids: [String?] = []
            for name in ["a", "b"] {
                let told = try party.told { try ada.create("Open", name, zone: "Notes", in: .private) }[.desk] ?? []
                #expect(told.compactMap(\.subscription).sorted() == ["d", "q1", "q2", "z"])
                let different = Set(told.map { $0["ck"]["nid"].string })
                #expect(different.count == 1)
                ids += Array(different)
            }
            #expect(Set(ids).count == 2, "another change has another id")
            try party.unsubscribeAll()
        }

        // docs/protocol.md B8
        @Test(arguments: [500, 1_800, 2_040])
        func aPayloadOfMoreThan4096BytesLosesValuesThenTextsThenNamesAndSaysSo(length: Int) throws {
            let party = try SharedParties.current.party("PayloadTests")
            let ada = try party[.phone].client
            let text = JSON.string(String(repeating: "x", count: length))
            try ada.subscribe(
                query(
                    "Open", "s",
                    with: ["notificationInfo": ["alertBody": text, "title": text, "additionalFields": ["title"]]]),
                in: .private)
            let long = String(repeating: "y", count: 2_000)
            let told = try party.told { try ada.create("Open", nil, ["title": ["value": .string(long)]], in: .private) }
            let notification = try #require(told[.desk]?.first)
            #expect(notification.bytes.count <= 4_096)
            let isWhole = length == 500
            #expect(notification["ck"]["p"] == (isWhole ? .absent : 1))
            #expect(notification["ck"]["qry"]["af"]["title"].string == (isWhole ? long : nil))
            #expect(notification["aps"]["alert"]["title"] == (length > 1_800 ? .absent : text))
            #expect(notification["ck"]["qry"]["rid"].string != nil)
            try party.unsubscribeAll()
        }
    }
}
