import CloudKit
import CloudKitWire
import Foundation
import Testing

/// Payloads are converted to notifications of their kind (docs/protocol.md, "Notifications").
@Suite("Payloads become notifications with the classes and keys of CloudKit (S1-15)") struct NotificationTests {
    private static let user = UserID(high: 1, low: 2)

    /// A payload as the server writes it, and as programs parse it from JSON.
    private func dictionary(
        _ event: PushPayload.Event, scope: PushPayload.Scope = .private, zone: String? = "Notes", owner: String? = nil,
        limit: Int = PushPayload.bytesMax
    ) throws -> [AnyHashable: Any] {
        let payload = PushPayload(
            container: "iCloud.x", user: Self.user, notificationID: "n-1", subscriptionID: Name("sub"), event: event,
            scope: scope,
            zone: zone.map { ZoneIDDictionary(zoneName: Name($0), ownerRecordName: owner.map { Name($0) }) },
            info: info, values: [Name("stars"): Array("4".utf8)[...], Name("title"): Array("\"Cat\"".utf8)[...]])
        let object = try JSONSerialization.jsonObject(with: Data(payload.json(atMost: limit)))
        return try #require(object as? [String: Any])
    }

    private var info: CloudKitWire.NotificationInfo {
        var info = CloudKitWire.NotificationInfo()
        info.alert = NotificationText(body: Name("New"))
        info.title = NotificationText(localizationKey: Name("T"), localizationArgs: [Name("title")])
        info.shouldBadge = true
        info.soundName = Name("default")
        info.additionalFields = [Name("stars")]
        info.category = Name("c")
        return info
    }

    @Test func aQueryNotificationNamesItsRecord() throws {
        let payload = try dictionary(.query(reason: .deleted, recordName: Name("a")))
        let notification = CKNotification(fromRemoteNotificationDictionary: payload)
        let query = try #require(notification as? CKQueryNotification)
        #expect(query.notificationType == .query && query.queryNotificationReason == .recordDeleted)
        #expect(query.recordID == CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "Notes")))
        #expect(query.recordFields?["stars"] as? Int == 4 && query.databaseScope == .private)
        #expect(query.subscriptionID == "sub" && query.containerIdentifier == "iCloud.x" && !query.isPruned)
        #expect(query.subscriptionOwnerUserRecordID?.recordName == Self.user.recordName)
        #expect(query.alertBody == "New" && query.titleLocalizationArgs == ["Cat"] && query.soundName == "default")
        #expect(query.badge == 1 && query.category == "c" && query.subtitle == nil)
        let again = CKQueryNotification(fromRemoteNotificationDictionary: payload)
        #expect(again?.notificationID == query.notificationID && query.notificationID != nil)
        #expect(CKDatabaseNotification(fromRemoteNotificationDictionary: payload) == nil)
    }

    @Test func notificationsOfZonesAndDatabases() throws {
        let zone = CKNotification(
            fromRemoteNotificationDictionary: try dictionary(.zone, scope: .shared, owner: "_other"))
        #expect((zone as? CKRecordZoneNotification)?.recordZoneID?.ownerName == "_other")
        #expect((zone as? CKRecordZoneNotification)?.databaseScope == .shared && zone?.notificationType == .recordZone)
        let own = CKRecordZoneNotification(
            fromRemoteNotificationDictionary: try dictionary(.zone, owner: Self.user.recordName))
        #expect(own?.recordZoneID == CKRecordZone.ID(zoneName: "Notes"))
        switch CKNotification(fromRemoteNotificationDictionary: try dictionary(.database, zone: nil)) {
        case let database as CKDatabaseNotification: #expect(database.databaseScope == .private)
        default: Issue.record("it is no notification of a database")
        }
        let open = CKQueryNotification(
            fromRemoteNotificationDictionary: try dictionary(
                .query(reason: .created, recordName: Name("a")), scope: .public, zone: "_defaultZone"))
        #expect(open?.databaseScope == .public && open?.queryNotificationReason == .recordCreated)
    }

    @Test func whatIsTooLongSaysSoAndWhatIsNoneOfOursIsNothing() throws {
        let short = try dictionary(.query(reason: .updated, recordName: Name("a")), limit: 10)
        let pruned = try #require(CKQueryNotification(fromRemoteNotificationDictionary: short))
        #expect(pruned.isPruned && pruned.recordID == nil && pruned.recordFields == nil && pruned.alertBody == nil)
        #expect(pruned.subscriptionID == "sub")
        let bare = CKNotification(fromRemoteNotificationDictionary: ["ck": ["ce": 2, "cid": "iCloud.x", "nid": "n"]])
        #expect(
            bare?.isPruned == true && bare?.containerIdentifier == "iCloud.x" && bare?.notificationType == .database)
        for other: [AnyHashable: Any] in [[:], ["aps": ["alert": "x"]], ["ck": "x"], ["ck": 1], [1: 2]] {
            #expect(CKNotification(fromRemoteNotificationDictionary: other) == nil)
        }
        let odd: [AnyHashable: Any] = [
            "ck": ["qry": ["fo": "x", "rid": 5, "zid": [], "dbs": "y"], "cid": 7], "aps": 3,
        ]
        let strange = CKQueryNotification(fromRemoteNotificationDictionary: odd)
        #expect(strange?.recordID == nil && strange?.containerIdentifier == nil && strange?.databaseScope == .private)
    }
}
