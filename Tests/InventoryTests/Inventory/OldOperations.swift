import CloudKit

/// Operations that Apple deprecated long ago, and that old programs use.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func fetchRecordChangesOperation() {
        topic("CKFetchRecordChangesOperation")
        typealias Fetch = CKFetchRecordChangesOperation
        type("CKFetchRecordChangesOperation", Fetch.self as CKDatabaseOperation.Type)
        function("CKFetchRecordChangesOperation.init()", Fetch.init as () -> Fetch)
        function(
            "CKFetchRecordChangesOperation.init(recordZoneID:previousServerChangeToken:)",
            Fetch.init(recordZoneID:previousServerChangeToken:) as (CKRecordZone.ID, CKServerChangeToken?) -> Fetch)
        set("CKFetchRecordChangesOperation.recordZoneID", \Fetch.recordZoneID, CKRecordZone.ID?.self)
        set(
            "CKFetchRecordChangesOperation.previousServerChangeToken", \Fetch.previousServerChangeToken,
            CKServerChangeToken?.self)
        set("CKFetchRecordChangesOperation.resultsLimit", \Fetch.resultsLimit, Int.self)
        set("CKFetchRecordChangesOperation.desiredKeys", \Fetch.desiredKeys, [CKRecord.FieldKey]?.self)
        get("CKFetchRecordChangesOperation.moreComing", \Fetch.moreComing, Bool.self)
        set("CKFetchRecordChangesOperation.recordChangedBlock", \Fetch.recordChangedBlock, ((CKRecord) -> Void)?.self)
        set(
            "CKFetchRecordChangesOperation.recordWithIDWasDeletedBlock", \Fetch.recordWithIDWasDeletedBlock,
            ((CKRecord.ID) -> Void)?.self)
        set(
            "CKFetchRecordChangesOperation.fetchRecordChangesCompletionBlock", \Fetch.fetchRecordChangesCompletionBlock,
            ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?.self)
    }

    mutating func fetchNotificationChangesOperation() {
        topic("CKFetchNotificationChangesOperation")
        typealias Fetch = CKFetchNotificationChangesOperation
        type("CKFetchNotificationChangesOperation", Fetch.self as CKOperation.Type)
        function("CKFetchNotificationChangesOperation.init()", Fetch.init as () -> Fetch)
        function(
            "CKFetchNotificationChangesOperation.init(previousServerChangeToken:)",
            Fetch.init(previousServerChangeToken:) as (CKServerChangeToken?) -> Fetch)
        set(
            "CKFetchNotificationChangesOperation.previousServerChangeToken", \Fetch.previousServerChangeToken,
            CKServerChangeToken?.self)
        set("CKFetchNotificationChangesOperation.resultsLimit", \Fetch.resultsLimit, Int.self)
        get("CKFetchNotificationChangesOperation.moreComing", \Fetch.moreComing, Bool.self)
        set(
            "CKFetchNotificationChangesOperation.notificationChangedBlock", \Fetch.notificationChangedBlock,
            ((CKNotification) -> Void)?.self)
        set(
            "CKFetchNotificationChangesOperation.fetchNotificationChangesCompletionBlock",
            \Fetch.fetchNotificationChangesCompletionBlock, OldBlock<CKServerChangeToken>?.self)
    }

    mutating func markNotificationsReadOperation() {
        topic("CKMarkNotificationsReadOperation")
        typealias Mark = CKMarkNotificationsReadOperation
        type("CKMarkNotificationsReadOperation", Mark.self as CKOperation.Type)
        function("CKMarkNotificationsReadOperation.init()", Mark.init as () -> Mark)
        function(
            "CKMarkNotificationsReadOperation.init(notificationIDsToMarkRead:)",
            Mark.init(notificationIDsToMarkRead:) as ([CKNotification.ID]) -> Mark)
        set("CKMarkNotificationsReadOperation.notificationIDs", \Mark.notificationIDs, [CKNotification.ID].self)
        set(
            "CKMarkNotificationsReadOperation.markNotificationsReadCompletionBlock",
            \Mark.markNotificationsReadCompletionBlock, OldBlock<[CKNotification.ID]>?.self)
    }

    mutating func modifyBadgeOperation() {
        topic("CKModifyBadgeOperation")
        typealias Modify = CKModifyBadgeOperation
        type("CKModifyBadgeOperation", Modify.self as CKOperation.Type)
        function("CKModifyBadgeOperation.init()", Modify.init as () -> Modify)
        function("CKModifyBadgeOperation.init(badgeValue:)", Modify.init(badgeValue:) as (Int) -> Modify)
        set("CKModifyBadgeOperation.badgeValue", \Modify.badgeValue, Int.self)
        set(
            "CKModifyBadgeOperation.modifyBadgeCompletionBlock", \Modify.modifyBadgeCompletionBlock,
            (((any Error)?) -> Void)?.self)
    }
}
