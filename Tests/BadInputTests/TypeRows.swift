import NephosTesting
import Testing

/// Every key that the server reads, with every JSON type that is not valid for it (docs/protocol.md, J8).
extension BadInput {
    @Suite(.inside) struct Types {
        /// The valid types of a key.
        enum Kind: String, Sendable {
            case string, bool, object, array
            /// An array, or one element as a list of one.
            case oneOrMore
            /// A whole number, also in a string.
            case count
            case number

            var wrong: [JSON] {
                switch self {
                case .string: [5, true, [], [:]]
                case .bool: ["true", 1, [], [:]]
                case .object: ["x", 5, true, []]
                case .array: ["x", 5, true, [:]]
                case .oneOrMore: ["x", 5, true]
                case .count:
                    ["x", "", true, [], [:], 1.5, 0, -1, "0", .number("9223372036854775808"), .number("1e400")]
                case .number: [true, [], [:], "x"]
                }
            }
        }

        struct Key: CustomTestStringConvertible, Sendable {
            var endpoint: String
            /// Names and indices, from the body inward.
            var path: [String]
            var kind: Kind

            var testDescription: String { "\(endpoint) \(path.joined(separator: "."))" }
        }

        /// A valid body for each endpoint, with every key that it reads.
        static let bodies: [String: String] = [
            "records/modify": """
            {"zoneID":{"zoneName":"Notes","ownerRecordName":"_defaultOwner"},"atomic":true,"desiredKeys":["text"],
            "numbersAsStrings":false,"clientChangeToken":"AQI=","operations":[{"operationType":"update","desiredKeys":["text"],
            "numbersAsStrings":false,"record":{"recordName":"bad","recordType":"Note","recordChangeTag":"zz",
            "zoneID":{"zoneName":"Notes"},"fields":{},"parent":{"recordName":"note1","zoneID":{"zoneName":"Notes"}},
            "createShortGUID":false}}]}
            """,
            "records/lookup": """
            {"zoneID":{"zoneName":"Notes"},"desiredKeys":["text"],"numbersAsStrings":false,
            "records":[{"recordName":"note1","desiredKeys":["text"]}]}
            """,
            "records/query": """
            {"zoneID":{"zoneName":"Notes"},"zoneWide":false,"resultsLimit":5,"desiredKeys":["text"],
            "numbersAsStrings":false,"query":{"recordType":"Note","filterBy":[{"comparator":"EQUALS",
            "fieldName":"recordName","fieldValue":{"value":"x","type":"STRING"}}]}}
            """,
            "records/changes": """
            {"zoneID":{"zoneName":"Notes"},"resultsLimit":5,"desiredKeys":["text"],"desiredRecordTypes":["Note"],
            "reverse":false,"numbersAsStrings":false}
            """,
            "changes/zone": """
            {"resultsLimit":5,"desiredKeys":["text"],"desiredRecordTypes":["Note"],"reverse":false,
            "zones":[{"zoneID":{"zoneName":"Notes"},"resultsLimit":5,"desiredKeys":["text"],
            "desiredRecordTypes":["Note"],"reverse":false,"numbersAsStrings":false}]}
            """,
            "changes/database": #"{"resultsLimit":5}"#,
            "zones/changes": #"{"resultsLimit":5}"#,
            "zones/lookup": #"{"zones":[{"zoneName":"Notes"}]}"#,
            "zones/modify": #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#,
            "subscriptions/modify": """
            {"operations":[{"operationType":"update","subscription":{"subscriptionID":"bad","subscriptionType":"query",
            "query":{"recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"recordName",
            "fieldValue":{"value":"x","type":"STRING"}}]},"zoneID":{"zoneName":"Notes"},"zoneWide":false,
            "firesOn":["create"],"firesOnce":false,"notificationInfo":{"alertBody":"x","alertLocalizationKey":"x",
            "alertLocalizationArgs":["text"],"soundName":"x","shouldBadge":true,"shouldSendContentAvailable":false,
            "additionalFields":["text"]}}}]}
            """,
            "subscriptions/lookup": #"{"subscriptions":[{"subscriptionID":"bad"}]}"#,
            "tokens/create": #"{"apnsEnvironment":"development","clientId":"x"}"#,
            "tokens/register": """
            {"apnsEnvironment":"development","clientId":"x",
            "apnsToken":"0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}
            """,
        ]

        /// The types of each key in these bodies.
        private static let table = """
            records/modify operations array
            records/modify operations.0 object
            records/modify operations.0.operationType string
            records/modify operations.0.desiredKeys array
            records/modify operations.0.desiredKeys.0 string
            records/modify operations.0.numbersAsStrings bool
            records/modify operations.0.record object
            records/modify operations.0.record.recordName string
            records/modify operations.0.record.recordType string
            records/modify operations.0.record.recordChangeTag string
            records/modify operations.0.record.zoneID object
            records/modify operations.0.record.zoneID.zoneName string
            records/modify operations.0.record.fields object
            records/modify operations.0.record.parent object
            records/modify operations.0.record.parent.recordName string
            records/modify operations.0.record.parent.zoneID object
            records/modify operations.0.record.createShortGUID bool
            records/modify zoneID object
            records/modify zoneID.zoneName string
            records/modify zoneID.ownerRecordName string
            records/modify atomic bool
            records/modify clientChangeToken string
            records/modify desiredKeys array
            records/modify desiredKeys.0 string
            records/modify numbersAsStrings bool
            records/lookup records array
            records/lookup records.0 object
            records/lookup records.0.recordName string
            records/lookup records.0.desiredKeys array
            records/lookup records.0.desiredKeys.0 string
            records/lookup zoneID object
            records/lookup zoneID.zoneName string
            records/lookup desiredKeys array
            records/lookup desiredKeys.0 string
            records/lookup numbersAsStrings bool
            records/query query object
            records/query query.recordType string
            records/query query.filterBy oneOrMore
            records/query query.filterBy.0 object
            records/query query.filterBy.0.comparator string
            records/query query.filterBy.0.fieldName string
            records/query query.filterBy.0.systemFieldName string
            records/query query.filterBy.0.fieldValue object
            records/query query.filterBy.0.distance number
            records/query query.sortBy oneOrMore
            records/query zoneID object
            records/query zoneWide bool
            records/query resultsLimit count
            records/query continuationMarker string
            records/query desiredKeys array
            records/query desiredKeys.0 string
            records/query numbersAsStrings bool
            records/changes zoneID object
            records/changes syncToken string
            records/changes resultsLimit count
            records/changes desiredKeys array
            records/changes desiredRecordTypes array
            records/changes desiredRecordTypes.0 string
            records/changes reverse bool
            records/changes numbersAsStrings bool
            changes/zone zones array
            changes/zone zones.0 object
            changes/zone zones.0.zoneID object
            changes/zone zones.0.zoneID.zoneName string
            changes/zone zones.0.syncToken string
            changes/zone zones.0.resultsLimit count
            changes/zone zones.0.desiredKeys array
            changes/zone zones.0.desiredRecordTypes array
            changes/zone zones.0.reverse bool
            changes/zone zones.0.numbersAsStrings bool
            changes/zone resultsLimit count
            changes/zone desiredKeys array
            changes/zone desiredRecordTypes array
            changes/zone reverse bool
            changes/database syncToken string
            changes/database resultsLimit count
            zones/changes metaSyncToken string
            zones/changes syncToken string
            zones/changes resultsLimit count
            zones/lookup zones array
            zones/lookup zones.0 object
            zones/lookup zones.0.zoneName string
            zones/modify operations array
            zones/modify operations.0 object
            zones/modify operations.0.operationType string
            zones/modify operations.0.zone object
            zones/modify operations.0.zone.zoneID object
            zones/modify operations.0.zone.zoneID.zoneName string
            subscriptions/modify operations array
            subscriptions/modify operations.0 object
            subscriptions/modify operations.0.operationType string
            subscriptions/modify operations.0.subscription object
            subscriptions/modify operations.0.subscription.subscriptionID string
            subscriptions/modify operations.0.subscription.subscriptionType string
            subscriptions/modify operations.0.subscription.query object
            subscriptions/modify operations.0.subscription.query.recordType string
            subscriptions/modify operations.0.subscription.query.filterBy oneOrMore
            subscriptions/modify operations.0.subscription.query.filterBy.0 object
            subscriptions/modify operations.0.subscription.query.filterBy.0.comparator string
            subscriptions/modify operations.0.subscription.zoneID object
            subscriptions/modify operations.0.subscription.zoneID.zoneName string
            subscriptions/modify operations.0.subscription.zoneWide bool
            subscriptions/modify operations.0.subscription.firesOn array
            subscriptions/modify operations.0.subscription.firesOn.0 string
            subscriptions/modify operations.0.subscription.firesOnce bool
            subscriptions/modify operations.0.subscription.notificationInfo object
            subscriptions/modify operations.0.subscription.notificationInfo.alertBody string
            subscriptions/modify operations.0.subscription.notificationInfo.alertLocalizationKey string
            subscriptions/modify operations.0.subscription.notificationInfo.alertLocalizationArgs array
            subscriptions/modify operations.0.subscription.notificationInfo.alertLocalizationArgs.0 string
            subscriptions/modify operations.0.subscription.notificationInfo.soundName string
            subscriptions/modify operations.0.subscription.notificationInfo.shouldBadge bool
            subscriptions/modify operations.0.subscription.notificationInfo.shouldSendContentAvailable bool
            subscriptions/modify operations.0.subscription.notificationInfo.additionalFields array
            subscriptions/modify operations.0.subscription.notificationInfo.additionalFields.0 string
            subscriptions/lookup subscriptions array
            subscriptions/lookup subscriptions.0 object
            subscriptions/lookup subscriptions.0.subscriptionID string
            tokens/create apnsEnvironment string
            tokens/create clientId string
            tokens/register apnsEnvironment string
            tokens/register apnsToken string
            tokens/register clientId string
            """

        static let keys: [Key] = table.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let kind = Kind(rawValue: String(words[2])) else { return nil }
            return Key(endpoint: String(words[0]), path: words[1].split(separator: ".").map(String.init), kind: kind)
        }

        static func body(_ endpoint: String) throws -> JSON {
            try JSON(reading: Array((bodies[endpoint] ?? "").utf8))
        }

        @Test func everyLineOfTheTableIsRead() {
            #expect(Types.keys.count == Types.table.split(separator: "\n").count)
        }

        @Test(arguments: keys) func aWrongTypeIsRefusedAndTold(_ key: Key) throws {
            for value in key.kind.wrong {
                // The reason contains the place (J10), up to its last name.
                let name = key.path.last { Int($0) == nil } ?? ""
                try Row.json(
                    "\(key.testDescription): \(value)", key.endpoint,
                    try Types.body(key.endpoint).replacing(key.path[...], with: value),
                    .refused(400, "BAD_REQUEST", name)
                ).prove()
            }
        }

        /// The bodies are valid without a row's change: otherwise the rows above would prove nothing.
        @Test(arguments: bodies.keys.sorted()) func theBodiesThemselvesAreGood(_ endpoint: String) throws {
            let target = try Targets.current.target()
            let before = try target.state()
            let response = try target.client(target.adaCredentials).post(endpoint, .private, Types.body(endpoint))
            #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
            #expect(try target.state() == before, "the tag in it is stale, and the zone is there")
        }
    }
}

extension JSON {
    /// A copy with another value at a path of names and indices.
    func replacing(_ path: ArraySlice<String>, with value: JSON) -> JSON {
        guard let step = path.first else { return value }
        if let index = Int(step), case .array(var elements) = self {
            guard elements.indices.contains(index) else { return .array([value]) }
            elements[index] = elements[index].replacing(path.dropFirst(), with: value)
            return .array(elements)
        }
        var copy = self
        copy[step] = self[step].replacing(path.dropFirst(), with: value)
        return copy
    }
}
