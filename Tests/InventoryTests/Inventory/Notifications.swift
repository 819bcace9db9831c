import CloudKit

/// Notifications.
extension Inventory {
    mutating func notifications() {
        topic("Notification")
        typealias Kind = CKNotification.NotificationType
        type("CKNotification", CKNotification.self as NSObject.Type)
        function(
            "CKNotification.init(fromRemoteNotificationDictionary:)",
            CKNotification.init(fromRemoteNotificationDictionary:) as ([AnyHashable: Any]) -> CKNotification?)
        type("CKNotification.NotificationType", Kind.self as any Sendable.Type)
        raw("CKNotification.NotificationType.query", Kind.query, Int(1))
        raw("CKNotification.NotificationType.recordZone", Kind.recordZone, Int(2))
        raw("CKNotification.NotificationType.readNotification", Kind.readNotification, Int(3))
        raw("CKNotification.NotificationType.database", Kind.database, Int(4))
        type(
            "CKNotification.ID", CKNotification.ID.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        get("CKNotification.notificationType", \CKNotification.notificationType, Kind.self)
        get("CKNotification.notificationID", \CKNotification.notificationID, CKNotification.ID?.self)
        get("CKNotification.containerIdentifier", \CKNotification.containerIdentifier, String?.self)
        get(
            "CKNotification.subscriptionOwnerUserRecordID", \CKNotification.subscriptionOwnerUserRecordID,
            CKRecord.ID?.self)
        get("CKNotification.isPruned", \CKNotification.isPruned, Bool.self)
        get("CKNotification.subscriptionID", \CKNotification.subscriptionID, CKSubscription.ID?.self)
        notificationAlerts()
    }

    private mutating func notificationAlerts() {
        get("CKNotification.alertBody", \CKNotification.alertBody, String?.self)
        get("CKNotification.alertLocalizationKey", \CKNotification.alertLocalizationKey, String?.self)
        get("CKNotification.alertLocalizationArgs", \CKNotification.alertLocalizationArgs, [String]?.self)
        get("CKNotification.title", \CKNotification.title, String?.self)
        get("CKNotification.titleLocalizationKey", \CKNotification.titleLocalizationKey, String?.self)
        get("CKNotification.titleLocalizationArgs", \CKNotification.titleLocalizationArgs, [String]?.self)
        get("CKNotification.subtitle", \CKNotification.subtitle, String?.self)
        get("CKNotification.subtitleLocalizationKey", \CKNotification.subtitleLocalizationKey, String?.self)
        get("CKNotification.subtitleLocalizationArgs", \CKNotification.subtitleLocalizationArgs, [String]?.self)
        get("CKNotification.alertActionLocalizationKey", \CKNotification.alertActionLocalizationKey, String?.self)
        get("CKNotification.alertLaunchImage", \CKNotification.alertLaunchImage, String?.self)
        get("CKNotification.badge", \CKNotification.badge, NSNumber?.self)
        get("CKNotification.soundName", \CKNotification.soundName, String?.self)
        get("CKNotification.category", \CKNotification.category, String?.self)
    }

    mutating func notificationKinds() {
        topic("Notification: kinds")
        typealias Reason = CKQueryNotification.Reason
        type("CKQueryNotification", CKQueryNotification.self as CKNotification.Type)
        type("CKQueryNotification.Reason", Reason.self as any Sendable.Type)
        raw("CKQueryNotification.Reason.recordCreated", Reason.recordCreated, Int(1))
        raw("CKQueryNotification.Reason.recordUpdated", Reason.recordUpdated, Int(2))
        raw("CKQueryNotification.Reason.recordDeleted", Reason.recordDeleted, Int(3))
        get("CKQueryNotification.queryNotificationReason", \CKQueryNotification.queryNotificationReason, Reason.self)
        get("CKQueryNotification.recordFields", \CKQueryNotification.recordFields, [String: Any]?.self)
        get("CKQueryNotification.recordID", \CKQueryNotification.recordID, CKRecord.ID?.self)
        get("CKQueryNotification.databaseScope", \CKQueryNotification.databaseScope, CKDatabase.Scope.self)
        type("CKRecordZoneNotification", CKRecordZoneNotification.self as CKNotification.Type)
        get("CKRecordZoneNotification.recordZoneID", \CKRecordZoneNotification.recordZoneID, CKRecordZone.ID?.self)
        get("CKRecordZoneNotification.databaseScope", \CKRecordZoneNotification.databaseScope, CKDatabase.Scope.self)
        type("CKDatabaseNotification", CKDatabaseNotification.self as CKNotification.Type)
        get("CKDatabaseNotification.databaseScope", \CKDatabaseNotification.databaseScope, CKDatabase.Scope.self)
    }
}

/// Kinds are also created from payloads: compiled, not run.
private func made(_ payload: [AnyHashable: Any]) {
    _ = CKQueryNotification(fromRemoteNotificationDictionary: payload)?.recordFields
    _ = CKRecordZoneNotification(fromRemoteNotificationDictionary: payload)?.recordZoneID
    _ = CKDatabaseNotification(fromRemoteNotificationDictionary: payload)?.databaseScope
}
