import CloudKit
import Testing

/// Subscriptions as values: spellings, copies, archives (docs/client.md, "Archives").
@Suite struct SubscriptionValueTests {
    private func archived<Value: NSObject & NSCoding>(_ value: Value) throws -> Value? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
    }

    private var info: CKSubscription.NotificationInfo {
        let info = CKSubscription.NotificationInfo(
            alertBody: "New", titleLocalizationArgs: ["title"], desiredKeys: ["stars"], shouldBadge: true)
        info.soundName = "default"
        info.shouldSendContentAvailable = true
        return info
    }

    @Test func aNotificationInfoSaysWhatWasSet() throws {
        #expect(CKSubscription.NotificationInfo().alertBody == nil && !CKSubscription.NotificationInfo().shouldBadge)
        let copy = try #require(try archived(info))
        #expect(copy.alertBody == "New" && copy.titleLocalizationArgs == ["title"] && copy.desiredKeys == ["stars"])
        #expect(copy.shouldBadge && copy.shouldSendContentAvailable && !copy.shouldSendMutableContent)
        #expect(copy.soundName == "default" && copy.category == nil && copy.alertLocalizationArgs == nil)
        copy.shouldBadge = false
        copy.alertBody = nil
        #expect(!copy.shouldBadge && copy.alertBody == nil)
    }

    @Test func aQuerySubscriptionComesBackWithItsPredicate() throws {
        let subscription = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "stars > %d AND title BEGINSWITH 'a'", 3),
            subscriptionID: "starred", options: [.firesOnRecordCreation, .firesOnce])
        subscription.notificationInfo = info
        subscription.zoneID = CKRecordZone.ID(zoneName: "Notes")
        for copy in [try archived(subscription), subscription.copy() as? CKQuerySubscription] {
            let copy = try #require(copy)
            #expect(copy.subscriptionID == "starred" && copy.subscriptionType == .query && copy.recordType == "Note")
            #expect(copy.querySubscriptionOptions == [.firesOnRecordCreation, .firesOnce])
            #expect(copy.zoneID == subscription.zoneID && copy.notificationInfo?.alertBody == "New")
            let record = CKRecord(recordType: "Note")
            record["stars"] = 4
            record["title"] = "abc"
            #expect(copy.predicate.evaluate(with: record))
            record["stars"] = 3
            #expect(!copy.predicate.evaluate(with: record))
        }
        let every = CKQuerySubscription(recordType: "T", predicate: NSPredicate(value: true), subscriptionID: "x")
        #expect(every.querySubscriptionOptions.rawValue == 7 && every.notificationInfo == nil)
    }

    @Test func subscriptionsOfZonesAndDatabases() throws {
        let zone = CKRecordZoneSubscription(zoneID: CKRecordZone.ID(zoneName: "Z"), subscriptionID: "z")
        zone.recordType = "Note"
        let sameZone = try #require(try archived(zone))
        #expect(
            sameZone.zoneID == zone.zoneID && sameZone.recordType == "Note" && sameZone.subscriptionType == .recordZone)
        let database = CKDatabaseSubscription(subscriptionID: "all")
        database.notificationInfo = info
        let sameDatabase = try #require(try archived(database))
        #expect(sameDatabase.subscriptionID == "all" && sameDatabase.recordType == nil)
        #expect(sameDatabase.subscriptionType == .database && sameDatabase.notificationInfo?.shouldBadge == true)
        #expect((database.copy() as? CKDatabaseSubscription)?.notificationInfo?.soundName == "default")
    }

    @Test func whatIsSetIsCopiedAndWhatIsReadIsItsOwn() {
        let (subscription, info) = (CKDatabaseSubscription(subscriptionID: "all"), self.info)
        subscription.notificationInfo = info
        info.alertBody = "changed"
        #expect(subscription.notificationInfo?.alertBody == "New")
        subscription.notificationInfo?.alertBody = "changed here"
        #expect(subscription.notificationInfo?.alertBody == "changed here")
        let copy = subscription.copy() as? CKDatabaseSubscription
        copy?.notificationInfo?.alertBody = "changed there"
        #expect(subscription.notificationInfo?.alertBody == "changed here")
    }
}
