import CloudKit
import Foundation
import Testing

extension ClientTests {
    /// Subscriptions and their notifications.
    @Suite("13.11 Push and subscription delivery") struct NotificationTests {
        let cloud: Cloud

        init() throws { cloud = try Cloud() }

        /// The next notification, or the error that the sequence ended with.
        private func first(
            _ notifications: AsyncThrowingStream<CKContainer.RemoteNotification, any Error>
        ) async throws -> CKNotification? {
            for try await notification in notifications { return notification.notification }
            return nil
        }

        @Test("A change by another device is announced, one's own is not")
        func otherDevices() async throws {
            let (phone, laptop) = (try cloud.device(), try cloud.device())
            let zone = try await phone.privateCloudDatabase.makeZone("Notes")
            let subscription = CKDatabaseSubscription(subscriptionID: "all")
            let info = CKSubscription.NotificationInfo()
            info.shouldSendContentAvailable = true
            subscription.notificationInfo = info
            try await phone.privateCloudDatabase.save(subscription)

            let notifications = try await phone.remoteNotifications()
            try await phone.privateCloudDatabase.save(note("own", in: zone))
            try await laptop.privateCloudDatabase.save(note("other", in: zone))
            let notification = try #require(try await first(notifications) as? CKDatabaseNotification)
            #expect(notification.databaseScope == .private && notification.subscriptionID == "all")
            #expect(notification.containerIdentifier == cloud.container.id)
            #expect(notification.notificationType == .database && notification.notificationID != nil)
        }

        @Test(
            "A query subscription reports the record, the reason and the requested fields; a zone subscription reports the zone"
        )
        func kinds() async throws {
            let (phone, laptop) = (try cloud.device(), try cloud.device())
            let zone = try await phone.privateCloudDatabase.makeZone("Notes")
            try await laptop.privateCloudDatabase.save(note("seed", in: zone))
            let query = CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(format: "text == %@", "urgent"), subscriptionID: "urgent",
                options: [.firesOnRecordCreation])
            query.zoneID = zone
            query.notificationInfo = CKSubscription.NotificationInfo(alertBody: "Urgent!", desiredKeys: ["text"])
            try await phone.privateCloudDatabase.save(query)
            let notifications = try await phone.remoteNotifications()
            try await laptop.privateCloudDatabase.save(note("calm", in: zone, text: "calm"))
            try await laptop.privateCloudDatabase.save(note("now", in: zone, text: "urgent"))
            let notification = try #require(try await first(notifications) as? CKQueryNotification)
            #expect(notification.recordID == CKRecord.ID(recordName: "now", zoneID: zone))
            #expect(notification.queryNotificationReason == .recordCreated && notification.alertBody == "Urgent!")
            #expect(notification.recordFields?["text"] as? String == "urgent")

            try await phone.privateCloudDatabase.deleteSubscription(withID: "urgent")
            try await phone.privateCloudDatabase.save(CKRecordZoneSubscription(zoneID: zone, subscriptionID: "zone"))
            let others = try await phone.remoteNotifications()
            try await laptop.privateCloudDatabase.save(note("more", in: zone))
            let other = try #require(try await first(others) as? CKRecordZoneNotification)
            #expect(other.recordZoneID == zone)
        }

        @Test("Subscriptions are saved, twice without harm, and deleted, one by one and in batches (S1-12, S1-13)")
        func subscriptions() async throws {
            let database = try cloud.device().privateCloudDatabase
            let zone = try await database.makeZone("Notes")
            try await database.save(note("seed", in: zone))
            let info = CKSubscription.NotificationInfo(alertBody: "Hi", soundName: "default", shouldBadge: true)
            let query = CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(format: "text == %@", "x"), subscriptionID: "q",
                options: [.firesOnRecordUpdate, .firesOnce])
            query.notificationInfo = info
            let all: [CKSubscription] = [
                query, CKRecordZoneSubscription(zoneID: zone, subscriptionID: "z"),
                CKDatabaseSubscription(subscriptionID: "d"),
            ]
            for _ in 0..<2 {
                let saved = try await database.modifySubscriptions(saving: all, deleting: []).saveResults
                #expect(saved.values.allSatisfy { $0.isSuccess }, "\(saved)")
            }
            #expect(try await database.allSubscriptions().map(\.subscriptionID) == ["d", "q", "z"])
            let found = try #require(try await database.subscription(for: "q") as? CKQuerySubscription)
            #expect(found.recordType == "Note" && found.querySubscriptionOptions == [.firesOnRecordUpdate, .firesOnce])
            #expect(found.predicate.evaluate(with: note("a")) && !found.predicate.evaluate(with: note("a", text: "y")))
            #expect(found.notificationInfo?.alertBody == "Hi" && found.notificationInfo?.shouldBadge == true)
            #expect((try await database.subscription(for: "z") as? CKRecordZoneSubscription)?.zoneID == zone)
            #expect(try await database.subscription(for: "d") is CKDatabaseSubscription)

            let some = try await database.subscriptions(for: ["q", "none"])
            #expect(some["q"]?.isSuccess == true && code(some["none"]) == .unknownItem)
            #expect(await code { _ = try await database.subscription(for: "none") } == .unknownItem)
            #expect(await code { try await database.deleteSubscription(withID: "none") } == .unknownItem)
            #expect(try await database.deleteSubscription(withID: "q") == "q")
            #expect(try await database.allSubscriptions().count == 2)

            let batch = try await database.modifySubscriptions(saving: [query], deleting: ["d", "z", "none"])
            #expect(batch.saveResults["q"]?.isSuccess == true && code(batch.deleteResults["none"]) == .unknownItem)
            #expect(["d", "z"].allSatisfy { batch.deleteResults[$0]?.isSuccess == true })
            #expect(try await database.allSubscriptions().map(\.subscriptionID) == ["q"])
        }

        @Test("Invalid subscriptions are rejected: without events, without a subject, or of another database")
        func refused() async throws {
            let container = try cloud.device()
            let predicate = NSPredicate(value: true)
            func save(_ subscription: CKSubscription, _ database: CKDatabase) async -> CKError.Code? {
                await code { try await database.save(subscription) }
            }
            let own = container.privateCloudDatabase
            try await own.save(note("seed"))
            let silent = CKQuerySubscription(recordType: "Note", predicate: predicate, subscriptionID: "a", options: [])
            #expect(await save(silent, own) == .invalidArguments)
            let never = CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(value: false), subscriptionID: "b",
                options: .firesOnRecordCreation)
            #expect(await save(never, own) == .invalidArguments)
            let either = CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(format: "a == 1 OR a == 2"), subscriptionID: "c",
                options: .firesOnRecordCreation)
            #expect(await save(either, own) == .invalidArguments)
            #expect(
                await save(CKDatabaseSubscription(subscriptionID: "d"), container.publicCloudDatabase)
                    == .invalidArguments)
            let nowhere = CKRecordZoneSubscription(
                zoneID: CKRecordZone.ID(zoneName: "Nowhere"), subscriptionID: "e")
            #expect(await save(nowhere, own) == .zoneNotFound)
        }

        @Test("Without an account there are no notifications")
        func nobody() async throws {
            let app = try cloud.device(nil)
            #expect(await code { _ = try await app.remoteNotifications() } == .notAuthenticated)
        }
    }
}
