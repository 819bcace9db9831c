import CloudKit

/// The visible parts of notifications.
extension Inventory {
    private typealias Info = CKSubscription.NotificationInfo

    mutating func notificationInfo() {
        topic("Notification info")
        type(
            "CKSubscription.NotificationInfo", Info.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function("CKSubscription.NotificationInfo.init()", Info.init as () -> Info)
        function(
            "CKSubscription.NotificationInfo.init(alertBody:…:collapseIDKey:)",
            Info.init(
                alertBody:alertLocalizationKey:alertLocalizationArgs:title:titleLocalizationKey:titleLocalizationArgs:
                subtitle:subtitleLocalizationKey:subtitleLocalizationArgs:alertActionLocalizationKey:alertLaunchImage:
                soundName:desiredKeys:shouldBadge:shouldSendContentAvailable:shouldSendMutableContent:category:
                collapseIDKey:
            )
                as (
                    String?, String?, [CKRecord.FieldKey], String?, String?, [CKRecord.FieldKey], String?, String?,
                    [CKRecord.FieldKey], String?, String?, String?, [CKRecord.FieldKey], Bool, Bool, Bool, String?,
                    String?
                ) -> Info)
        notificationTexts()
        notificationSwitches()
    }

    private mutating func notificationTexts() {
        set("CKSubscription.NotificationInfo.alertBody", \Info.alertBody, String?.self)
        set("CKSubscription.NotificationInfo.alertLocalizationKey", \Info.alertLocalizationKey, String?.self)
        set(
            "CKSubscription.NotificationInfo.alertLocalizationArgs", \Info.alertLocalizationArgs,
            [CKRecord.FieldKey]?.self)
        set("CKSubscription.NotificationInfo.title", \Info.title, String?.self)
        set("CKSubscription.NotificationInfo.titleLocalizationKey", \Info.titleLocalizationKey, String?.self)
        set(
            "CKSubscription.NotificationInfo.titleLocalizationArgs", \Info.titleLocalizationArgs,
            [CKRecord.FieldKey]?.self)
        set("CKSubscription.NotificationInfo.subtitle", \Info.subtitle, String?.self)
        set("CKSubscription.NotificationInfo.subtitleLocalizationKey", \Info.subtitleLocalizationKey, String?.self)
        set(
            "CKSubscription.NotificationInfo.subtitleLocalizationArgs", \Info.subtitleLocalizationArgs,
            [CKRecord.FieldKey]?.self)
        set(
            "CKSubscription.NotificationInfo.alertActionLocalizationKey", \Info.alertActionLocalizationKey,
            String?.self)
    }

    private mutating func notificationSwitches() {
        set("CKSubscription.NotificationInfo.alertLaunchImage", \Info.alertLaunchImage, String?.self)
        set("CKSubscription.NotificationInfo.soundName", \Info.soundName, String?.self)
        set("CKSubscription.NotificationInfo.desiredKeys", \Info.desiredKeys, [CKRecord.FieldKey]?.self)
        set("CKSubscription.NotificationInfo.shouldBadge", \Info.shouldBadge, Bool.self)
        set("CKSubscription.NotificationInfo.shouldSendContentAvailable", \Info.shouldSendContentAvailable, Bool.self)
        set("CKSubscription.NotificationInfo.shouldSendMutableContent", \Info.shouldSendMutableContent, Bool.self)
        set("CKSubscription.NotificationInfo.category", \Info.category, String?.self)
        set("CKSubscription.NotificationInfo.collapseIDKey", \Info.collapseIDKey, String?.self)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut() {
    typealias Info = CKSubscription.NotificationInfo
    _ = (Info(), Info(alertBody: ""), Info(alertLocalizationKey: ""), Info(alertLocalizationArgs: []))
    _ = (Info(title: "", subtitle: ""), Info(soundName: "", shouldBadge: true), Info(desiredKeys: [], category: ""))
    _ = (Info(shouldSendContentAvailable: true), Info(shouldSendMutableContent: true), Info(collapseIDKey: ""))
}
