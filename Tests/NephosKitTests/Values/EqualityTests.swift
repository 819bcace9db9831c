import CloudKit
import Testing

@testable import NephosKit

/// Which objects are compared by value (docs/client.md, "Values").
@Suite struct EqualityTests {
    /// An object, and others that differ from it in one thing each.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// Creates a new object, equal to any other.
        var make: @Sendable () -> NSObject
        var others: @Sendable () -> [NSObject]
        var testDescription: String { name }
    }

    private static func query(
        _ format: String = "a == 1 AND b IN {'x', 'y'}", type: String = "Note", sort: String? = "a"
    ) -> CKQuery {
        let query = CKQuery(recordType: type, predicate: NSPredicate(format: format))
        query.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return query
    }

    private static func info(_ body: String = "New", badge: Bool = true) -> CKSubscription.NotificationInfo {
        CKSubscription.NotificationInfo(
            alertBody: body, alertLocalizationArgs: ["a", "b"], desiredKeys: ["c"], shouldBadge: badge)
    }

    private static func querying(
        _ id: String = "s", _ format: String = "a == 1", type: String = "Note",
        options: CKQuerySubscription.Options = .everyChange, zone: String? = nil,
        info: CKSubscription.NotificationInfo? = info()
    ) -> CKQuerySubscription {
        let subscription = CKQuerySubscription(
            recordType: type, predicate: NSPredicate(format: format), subscriptionID: id, options: options)
        subscription.zoneID = zone.map { CKRecordZone.ID(zoneName: $0) }
        subscription.notificationInfo = info
        return subscription
    }

    private static func watching(_ zone: String = "Z", _ id: String = "s", type: String? = nil)
        -> CKRecordZoneSubscription
    {
        let subscription = CKRecordZoneSubscription(zoneID: CKRecordZone.ID(zoneName: zone), subscriptionID: id)
        subscription.recordType = type
        return subscription
    }

    private static func all(_ id: String = "s", type: String? = nil) -> CKDatabaseSubscription {
        let subscription = CKDatabaseSubscription(subscriptionID: id)
        subscription.recordType = type
        return subscription
    }

    private static func zone(
        _ name: String = "Z", _ capabilities: CKRecordZone.Capabilities = [.atomic], share: String? = "s"
    ) -> CKRecordZone {
        let id = CKRecordZone.ID(zoneName: name)
        return CKRecordZone(
            zoneID: id, capabilities: capabilities,
            share: share.map {
                CKRecord.Reference(recordID: CKRecord.ID(recordName: $0, zoneID: id), action: .none)
            })
    }

    private static func configuration(
        _ token: String? = "t", _ limit: Int? = 5, _ keys: [String]? = ["a"]
    ) -> CKFetchRecordZoneChangesOperation.ZoneConfiguration {
        CKFetchRecordZoneChangesOperation.ZoneConfiguration(
            previousServerChangeToken: token.map { CKServerChangeToken($0) }, resultsLimit: limit, desiredKeys: keys)
    }

    private static func options(invites: Bool = false) -> CKAllowedSharingOptions {
        let options = CKAllowedSharingOptions.standard
        options.allowsParticipantsToInviteOthers = invites
        return options
    }

    static let cases = [
        Case(name: "CKQuery", make: { query() }) {
            [
                query("a == 2 AND b IN {'x', 'y'}"), query(type: "Other"), query(sort: "b"), query(sort: nil),
                query("b IN {'x', 'y'} AND a == 1"),
            ]
        },
        Case(name: "CKSubscription.NotificationInfo", make: { info() }) {
            [info("Old"), info(badge: false), CKSubscription.NotificationInfo()]
        },
        Case(name: "CKQuerySubscription", make: { querying() }) {
            [
                querying("t"), querying("s", "a == 2"), querying(type: "Other"), querying(options: .firesOnce),
                querying(zone: "Z"), querying(info: nil), querying(info: info("Old")), all(), watching(),
            ]
        },
        Case(name: "CKRecordZoneSubscription", make: { watching() }) {
            [watching("Y"), watching("Z", "t"), watching(type: "Note"), all(), querying()]
        },
        Case(name: "CKDatabaseSubscription", make: { all() }) {
            [all("t"), all(type: "Note"), watching(), querying()]
        },
        Case(name: "CKRecordZone", make: { zone() }) {
            let scoped = zone()
            scoped.encryptionScope = .perZone
            return [zone("Y"), zone("Z", []), zone(share: nil), zone(share: "t"), scoped]
        },
        Case(name: "ZoneConfiguration", make: { configuration() }) {
            [configuration(nil), configuration("t", nil), configuration("t", 5, nil), configuration("t", 5, ["b"])]
        },
        Case(name: "CKAllowedSharingOptions", make: { options() }) { [options(invites: true)] },
    ]

    @Test("Objects are equal when all of their values are", arguments: cases) func values(_ example: Case) throws {
        let (one, other) = (example.make(), example.make())
        #expect(one !== other && one == other && one.hash == other.hash)
        #expect(Set([one, other] + example.others()).count == 1 + example.others().count)
        for different in example.others() { #expect(one != different && different != one, "\(different)") }
        let copy = try #require((one as? any NSCopying)?.copy(with: nil) as? NSObject)
        #expect(copy == one)
        let archive = try NSKeyedArchiver.archivedData(withRootObject: one, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: one)], from: archive) as? NSObject
        #expect(read == one)
    }

    @Test(
        "Predicates are compared by what they mean; those that CloudKit does not support are equal to themselves only")
    func predicates() {
        let spellings = [
            NSPredicate(format: "a = 1 && b BEGINSWITH 'x'"),
            NSPredicate(format: "a == %d AND (b BEGINSWITH %@)", 1, "x"),
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "a == 1"), NSPredicate(format: "b BEGINSWITH 'x'"),
            ]),
        ].map { CKQuery(recordType: "Note", predicate: $0) }
        #expect(Set(spellings).count == 1)
        let unsupported = [
            NSPredicate { _, _ in true }, NSPredicate { _, _ in true },
            NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate { _, _ in true }),
            NSPredicate(format: "a =="), NSPredicate(format: "a =="),
        ].map { CKQuery(recordType: "Note", predicate: $0) }
        #expect(Set(unsupported).count == 5)
        for query in unsupported { #expect(query == query.copy() as? CKQuery) }
        let sorted = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        sorted.sortDescriptors = [NSSortDescriptor(keyPath: \NSString.length, ascending: true)]
        let other = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        other.sortDescriptors = [NSSortDescriptor(keyPath: \NSString.length, ascending: true)]
        #expect(sorted != other && sorted == sorted.copy() as? CKQuery)
    }

    @Test("Records, shares and files are compared by identity") func identities() {
        let id = CKRecord.ID(recordName: "a")
        let record = CKRecord(recordType: "Note", recordID: id)
        #expect(record != CKRecord(recordType: "Note", recordID: id) && record != record.copy() as? CKRecord)
        #expect(CKShare(recordZoneID: id.zoneID) != CKShare(recordZoneID: id.zoneID))
        let file = URL(fileURLWithPath: "/tmp/a")
        #expect(CKAsset(fileURL: file) != CKAsset(fileURL: file))
    }

    @Test("Subscriptions that were equal in an archive are changed one by one afterwards") func notShared() throws {
        let subscriptions = ["a", "b"].map { Self.querying($0) }
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: subscriptions), requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, CKQuerySubscription.self], from: data)
                as? [CKQuerySubscription])
        read[0].notificationInfo?.alertBody = "changed"
        #expect(read[1].notificationInfo?.alertBody == "New")
    }
}
