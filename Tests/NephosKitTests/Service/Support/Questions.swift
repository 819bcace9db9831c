import Foundation
import NephosTesting

@testable import NephosKit

extension Question {
    /// One of each kind of request of the library.
    static let all: [Question] = records + zones + subscriptions + [account]

    private static let zone = CKRecordZone.ID(zoneName: "Z")
    private static let zoneJSON: JSON = ["zoneName": "Z", "ownerRecordName": "_me", "zoneType": "REGULAR_CUSTOM_ZONE"]
    private static let stamp: JSON = ["timestamp": 1_700_000_000_000, "userRecordName": "_me", "deviceID": "2"]

    private static let record: JSON = [
        "recordName": "a", "recordType": "Note", "recordChangeTag": "1", "deleted": false, "zoneID": zoneJSON,
        "created": stamp, "modified": stamp, "parent": ["recordName": "p", "action": "NONE"],
        "fields": [
            "text": ["value": "x", "type": "STRING"], "count": ["value": 7, "type": "INT64"],
            "share": ["value": 0.5, "type": "DOUBLE"], "when": ["value": 1_700_000_000_000, "type": "TIMESTAMP"],
            "bytes": ["value": "AAEC", "type": "BYTES"], "names": ["value": ["a", "b"], "type": "STRING_LIST"],
            "place": ["value": ["latitude": 1.5, "longitude": 2, "timestamp": 3], "type": "LOCATION"],
            "other": ["value": ["recordName": "b", "action": "DELETE_SELF", "zoneID": zoneJSON], "type": "REFERENCE"],
        ],
    ]

    static let account = Question(name: "accountStatus", path: "users/caller", good: ["userRecordName": "_me"]) {
        "\(try await $0.accountStatus())"
    }

    static let save = Question(name: "save", path: "records/modify", isChange: true, good: ["records": [record]]) {
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: zone))
        record["text"] = "x"
        return describe(try await $0.privateCloudDatabase.save(record))
    }

    static let fetch = Question(name: "record(for:)", path: "records/lookup", good: ["records": [record]]) {
        describe(try await $0.privateCloudDatabase.record(for: CKRecord.ID(recordName: "a", zoneID: zone)))
    }

    static let records: [Question] = [
        save, fetch,
        Question(
            name: "delete", path: "records/modify", isChange: true,
            good: ["records": [["recordName": "a", "deleted": true, "zoneID": zoneJSON]]]
        ) {
            let id = CKRecord.ID(recordName: "a", zoneID: zone)
            return "\(try await $0.privateCloudDatabase.deleteRecord(withID: id))"
        },
        Question(
            name: "records(matching:)", path: "records/query",
            good: ["records": [record], "continuationMarker": "more"]
        ) {
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "count > 1"))
            let (results, cursor) = try await $0.privateCloudDatabase.records(matching: query, inZoneWith: zone)
            return try results.map { "\($0.0) \(describe(try $0.1.get()))" }.joined() + "\(cursor?.marker ?? "")"
        },
        Question(
            name: "databaseChanges", path: "changes/database",
            good: [
                "zones": [["zoneID": zoneJSON], ["zoneID": zoneJSON, "deleted": true, "deletedReason": "PURGED"]],
                "syncToken": "next", "moreComing": true,
            ]
        ) {
            let changes = try await $0.privateCloudDatabase.databaseChanges(since: nil)
            return "\(changes.modifications.map(\.zoneID)) \(changes.deletions) \(changes.changeToken.text)"
        },
        Question(
            name: "recordZoneChanges", path: "changes/zone",
            good: [
                "zones": [
                    [
                        "zoneID": zoneJSON, "syncToken": "next", "moreComing": true,
                        "records": [record, ["recordName": "b", "deleted": true, "recordType": "Note"]],
                    ]
                ]
            ]
        ) {
            let changes = try await $0.privateCloudDatabase.recordZoneChanges(inZoneWith: zone, since: nil)
            let records = try changes.modificationResultsByID.values.map { describe(try $0.get().record) }.sorted()
            return "\(records) \(changes.deletions) \(changes.changeToken.text) \(changes.moreComing)"
        },
    ]

    static let zones: [Question] = [
        Question(name: "allRecordZones", path: "zones/list", good: ["zones": [["zoneID": zoneJSON, "atomic": true]]]) {
            "\(try await $0.privateCloudDatabase.allRecordZones().map { "\($0.zoneID) \($0.capabilities.rawValue)" })"
        },
        Question(name: "recordZone(for:)", path: "zones/lookup", good: ["zones": [["zoneID": zoneJSON]]]) {
            "\(try await $0.privateCloudDatabase.recordZone(for: zone).zoneID)"
        },
        Question(
            name: "save(zone)", path: "zones/modify", isChange: true, good: ["zones": [["zoneID": zoneJSON]]]
        ) {
            "\(try await $0.privateCloudDatabase.save(CKRecordZone(zoneID: zone)).zoneID)"
        },
    ]

    private static let subscription: JSON = [
        "subscriptionID": "s", "subscriptionType": "query", "zoneID": zoneJSON, "firesOn": ["create", "update"],
        "firesOnce": false, "notificationInfo": ["alertBody": "x", "shouldBadge": true, "desiredKeys": ["text"]],
        "query": [
            "recordType": "Note",
            "filterBy": [["fieldName": "count", "comparator": "EQUALS", "fieldValue": ["value": 1, "type": "INT64"]]],
        ],
    ]

    static let subscriptions: [Question] = [
        Question(name: "allSubscriptions", path: "subscriptions/list", good: ["subscriptions": [subscription]]) {
            "\(try await $0.privateCloudDatabase.allSubscriptions().map(describe))"
        },
        Question(
            name: "subscription(for:)", path: "subscriptions/lookup", good: ["subscriptions": [subscription]]
        ) {
            describe(try await $0.privateCloudDatabase.subscription(for: "s"))
        },
        Question(
            name: "save(subscription)", path: "subscriptions/modify", isChange: true,
            good: ["subscriptions": [["subscriptionID": "s", "subscriptionType": "database"]]]
        ) {
            describe(try await $0.privateCloudDatabase.save(CKDatabaseSubscription(subscriptionID: "s")))
        },
    ]

    /// Reads everything that a program can read from a record, which must not trap.
    private static func describe(_ record: CKRecord) -> String {
        let fields = record.allKeys().sorted().map { "\($0)=\(record.object(forKey: $0).map { "\($0)" } ?? "")" }
        let system = [record.creationDate, record.modificationDate].map { "\($0?.timeIntervalSince1970 ?? -1)" }
        return "\(record.recordID) \(record.recordType) \(record.recordChangeTag ?? "") \(system) \(fields)"
    }

    private static func describe(_ subscription: CKSubscription) -> String {
        let query = subscription as? CKQuerySubscription
        return "\(subscription.subscriptionID) \(subscription.subscriptionType.rawValue) \(query?.recordType ?? "") "
            + "\(query.map { "\($0.predicate.tree)" } ?? "") \(subscription.notificationInfo?.alertBody ?? "")"
    }
}
