import CloudKit
import Testing

@testable import NephosKit

/// How much work archives are (docs/client.md, "Archives"). What is counted is what Foundation's archiver does on Linux with each
/// object that it is given: it compares it with all earlier ones that have the same hash, until one is equal.
@Suite struct ArchiveWorkTests {
    /// Objects of one class that differ, but of which poor hashes see no difference: their texts and data begin and end alike.
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var make: @Sendable (Int) -> NSObject
        var testDescription: String { name }

        init(_ name: String, _ make: @escaping @Sendable (Int) -> NSObject) { (self.name, self.make) = (name, make) }
    }

    private static func text(_ number: Int) -> String {
        String(repeating: "a", count: 60) + "\(1_000 + number)" + String(repeating: "b", count: 120)
    }

    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private static func id(_ number: Int) -> CKRecord.ID { CKRecord.ID(recordName: text(number), zoneID: zone) }

    private static func record(_ number: Int) -> CKRecord {
        let record = CKRecord(recordType: "Note", recordID: id(number))
        record["text"] = text(number)
        record["count"] = number
        record["date"] = Date(timeIntervalSince1970: Double(number))
        record["bytes"] = Data(repeating: 7, count: 100) + Data("\(number)".utf8)
        record["list"] = [text(number), "x"]
        record["place"] = CLLocation(latitude: 1, longitude: Double(number % 180))
        record["link"] = CKRecord.Reference(recordID: id(number + 1), action: .deleteSelf)
        return record
    }

    private static func info(_ number: Int) -> CKSubscription.NotificationInfo {
        CKSubscription.NotificationInfo(
            alertBody: text(number), alertLocalizationArgs: ["a\(number)", "b"], desiredKeys: ["c", "d\(number)"])
    }

    private static func subscribed<Kind: CKSubscription>(_ number: Int, _ subscription: Kind) -> Kind {
        subscription.notificationInfo = info(number)
        return subscription
    }

    private static func person(_ number: Int) -> CKUserIdentity {
        var name = PersonNameComponents()
        name.givenName = text(number)
        return CKUserIdentity(userRecordID: id(number), nameComponents: name, hasAccount: true)
    }

    private static func predicate(_ number: Int) -> NSPredicate { NSPredicate(format: "text == %@", text(number)) }

    static let samples = [
        Sample("CKRecord", record), Sample("CKRecord.ID", id),
        Sample("CKRecordZone") { CKRecordZone(zoneName: text($0)) },
        Sample("CKRecordZone.ID") { CKRecordZone.ID(zoneName: text($0)) },
        Sample("CKRecord.Reference") { CKRecord.Reference(recordID: id($0), action: .none) },
        Sample("CKAsset") { CKAsset(fileURL: URL(fileURLWithPath: "/tmp/\(text($0))")) },
        Sample("CLLocation") { CLLocation(latitude: 1, longitude: Double($0) / 10) },
        Sample("CKQuery") {
            let query = CKQuery(recordType: "Note", predicate: predicate($0))
            query.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            return query
        },
        Sample("CKLocationSortDescriptor") {
            CKLocationSortDescriptor(key: "f\($0)", relativeLocation: CLLocation(latitude: 1, longitude: 2))
        },
        Sample("CKQuerySubscription") {
            subscribed(
                $0,
                CKQuerySubscription(recordType: "Note", predicate: predicate($0), subscriptionID: text($0), options: [])
            )
        },
        Sample("CKRecordZoneSubscription") {
            subscribed(
                $0,
                CKRecordZoneSubscription(zoneID: CKRecordZone.ID(zoneName: text($0)), subscriptionID: text($0)))
        },
        Sample("CKDatabaseSubscription") { subscribed($0, CKDatabaseSubscription(subscriptionID: text($0))) },
        Sample("CKSubscription.NotificationInfo", info),
        Sample("ZoneConfiguration") {
            CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: $0, desiredKeys: ["a", "b\($0)"])
        },
        Sample("CKOperationGroup") {
            let group = CKOperationGroup()
            group.name = text($0)
            return group
        },
        Sample("CKShare") {
            let share = CKShare(rootRecord: record($0))
            share["cloudkit.title"] = text($0)
            return share
        },
        Sample("CKShare.Metadata") {
            CKShareMetadata(
                containerIdentifier: text($0), share: CKShare(recordZoneID: zone), participant: .init(),
                rootRecordID: id($0))
        },
        Sample("CKShareAccessRequester") { CKShareAccessRequester(person($0), .init(emailAddress: text($0))) },
        Sample("CKShareBlockedIdentity") { CKShareBlockedIdentity(person($0)) },
        Sample("CKUserIdentity", person),
        Sample("CKUserIdentity.LookupInfo") { CKUserIdentity.LookupInfo(emailAddress: text($0)) },
        Sample("CKServerChangeToken") { CKServerChangeToken(text($0)) },
        Sample("CKQueryOperation.Cursor") {
            CKQueryCursor(query: Array("{}".utf8), zone: zone, marker: text($0))
        },
        Sample("CKNotification.ID") { CKNotificationID(text($0)) },
        Sample("CKAllowedSharingOptions") {
            CKAllowedSharingOptions(
                allowedParticipantPermissionOptions: .init(rawValue: UInt($0)), allowedParticipantAccessOptions: .any)
        },
    ]

    private func work(_ sample: Sample, _ count: Int) -> Int {
        let coder = CountingCoder()
        for number in 0..<count { coder.encode(sample.make(number), forKey: "\(number)") }
        return coder.objects + coder.comparisons
    }

    @Test("An archive of twice as many objects is twice the work, of every class", arguments: samples)
    func linear(_ sample: Sample) throws {
        let (once, twice) = (work(sample, 200), work(sample, 400))
        #expect(Double(twice) <= 2.1 * Double(once), "\(once) and \(twice)")
        // Nothing but objects and their blocks, some of which are equal to an earlier one.
        #expect(twice <= 400 * 6)
    }

    @Test("The participants of a share are archived with it, each with its own permission") func participants() throws {
        let share = CKShare(rootRecord: Self.record(1))
        for number in 0..<99 {
            let participant = CKShare.Participant.oneTimeURLParticipant()
            participant.permission = number % 2 == 0 ? .readOnly : .readWrite
            share.addParticipant(participant)
        }
        let coder = CountingCoder()
        coder.encode(share, forKey: "share")
        #expect(coder.objects == 4 && coder.comparisons == 0, "the share, and three blocks")
        let data = try NSKeyedArchiver.archivedData(withRootObject: share, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKShare.self, from: data))
        #expect(copy.participants.map(\.permission) == share.participants.map(\.permission))
        #expect(copy.participants.count == 100)
    }

    @Test("Many records come back from an archive")
    func many() throws {
        let records = (0..<400).map(Self.record)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: records), requiringSecureCoding: true)
        let copies = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, CKRecord.self], from: data) as? [CKRecord])
        #expect(copies.count == 400)
        for (record, copy) in zip(records, copies) {
            #expect(copy.recordID == record.recordID && copy["text"] as? String == record["text"] as? String)
            #expect(copy["bytes"] as? Data == record["bytes"] as? Data && copy["list"] as? [String] == record["list"])
        }
    }
}

/// Does what Foundation's archiver does on Linux, and counts it.
private final class CountingCoder: NSCoder {
    private(set) var objects = 0
    private(set) var comparisons = 0
    private var known: [Int: [NSObject]] = [:]

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }

    override func encode(_ object: Any?, forKey key: String) {
        guard let object = object as? NSObject else {
            Issue.record("\(key) is no object")
            return
        }
        for other in known[object.hash] ?? [] {
            comparisons += 1
            if object == other { return }
        }
        known[object.hash, default: []].append(object)
        objects += 1
        switch object {
        case is NSString, is NSNumber, is NSData: break
        case let array as NSArray: for element in array { encode(element, forKey: key) }
        case let dictionary as NSDictionary:
            for (name, value) in dictionary {
                encode(name, forKey: key)
                encode(value, forKey: key)
            }
        default: (object as? any NSCoding)?.encode(with: self)
        }
    }

    // Bytes are compared by the writer of property lists.
    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        encode(NSData(bytes: bytes, length: length), forKey: key)
    }

    // Numbers have good hashes.
    override func encode(_ value: Bool, forKey key: String) {}
    override func encode(_ value: Int32, forKey key: String) {}
    override func encode(_ value: Int64, forKey key: String) {}
    override func encode(_ value: Int, forKey key: String) {}
    override func encode(_ value: Float, forKey key: String) {}
    override func encode(_ value: Double, forKey key: String) {}
}
