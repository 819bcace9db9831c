import CloudKit
import Foundation
import NephosTesting
import Testing
import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "What it does not touch".
    @Suite("What it leaves alone") struct QuietTests {
        @Test("No subscription is created and no device registered: the kit queries, and stores its counts in one zone")
        func requests() async throws {
            let world = try World()
            let device = try world.device()
            try await device.make(12) { $0["names"] = ["a"] }
            device.transport.forget()
            let list = TrendsList("Post", "names", of: .all)
            let trends = device.trends(["Post", "Novenas", "Gone"], lists: [list, "Novenas.names"])
            for _ in 0..<2 {
                await trends.refresh()
                world.clock.advance(hours: 24)
            }
            let paths = Set(device.transport.exchanges.map(\.path))
            #expect(
                paths == ["records/query", "records/modify", "changes/zone", "zones/modify"], "\(paths)"
            )
            for modify in device.transport.exchanges("records/modify") { #expect(modify.body.contains(#""CKTrends""#)) }
            let container = device.container
            #expect(try await container.publicCloudDatabase.allSubscriptions().isEmpty)
            #expect(try await container.privateCloudDatabase.allSubscriptions().isEmpty)
            let zones = try await container.privateCloudDatabase.allRecordZones().map(\.zoneID.zoneName)
            #expect(zones.sorted() == ["CKTrends", "_defaultZone"])
            try world.end()
        }

        @Test(
            "An app's own pushes arrive as before, one for each record of others, whatever server and kit count (S4-25)"
        )
        func pushes() async throws {
            let fields = World.indexed + [#""___recordID" REFERENCE QUERYABLE"#]
            let world = try World(schema: TestContainer.recordType("Post", fields))
            let (ada, grace) = (try world.device(), try world.device("grace@example.org"))
            let subscription = CKQuerySubscription(
                recordType: "Post", predicate: NSPredicate(value: true), subscriptionID: "posts",
                options: [.firesOnRecordCreation])
            let info = CKSubscription.NotificationInfo()
            info.shouldSendContentAvailable = true
            subscription.notificationInfo = info
            _ = try await ada.container.publicCloudDatabase.save(subscription)
            var pushes = try await ada.container.remoteNotifications().makeAsyncIterator()
            let (trends, other) = (ada.trends(), try world.device().trends())
            for round in 1...3 {
                // Users are not notified of their own records, but these count.
                try await ada.make(1)
                let post = try #require(try await grace.make(1).first)
                let told = try #require(try await pushes.next())
                let note = CKNotification(fromRemoteNotificationDictionary: told.userInfo) as? CKQueryNotification
                #expect(note?.recordID == post.recordID && note?.subscriptionID == "posts")
                for trends in [trends, other] {
                    #expect(await trends.refresh().days("Post")?.values.reduce(0, +) == 2 * round)
                }
                world.clock.advance(seconds: 600)
            }
            #expect(try await ada.container.publicCloudDatabase.allSubscriptions().count == 1)
            try world.end()
        }

        @Test("Counts take a few small records: one for each tracker, and one for each of its years")
        func small() async throws {
            let world = try World(at: "2026-12-28T12:00:00Z")
            let device = try world.device()
            for _ in 0..<10 {
                try await device.make(3)
                world.clock.advance(hours: 24)
            }
            await device.trends(lists: ["Novenas.names"]).refresh()
            let page = try await device.container.privateCloudDatabase.recordZoneChanges(
                inZoneWith: CKRecordZone.ID(zoneName: "CKTrends"), since: nil)
            let names = page.modificationResultsByID.keys.map(\.recordName).sorted()
            #expect(
                names == [
                    "list.Novenas.names", "list.Novenas.names.2027", "type.Post", "type.Post.2026", "type.Post.2027",
                ])
            try world.end()
        }
    }
}
