import CloudKit

/// Subscriptions.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func subscriptions() {
        topic("Subscription")
        type("CKSubscription", CKSubscription.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        alias("CKSubscription.ID", CKSubscription.ID.self, String.self)
        type("CKSubscription.SubscriptionType", CKSubscription.SubscriptionType.self as any Sendable.Type)
        raw("CKSubscription.SubscriptionType.query", CKSubscription.SubscriptionType.query, Int(1))
        raw("CKSubscription.SubscriptionType.recordZone", CKSubscription.SubscriptionType.recordZone, Int(2))
        raw("CKSubscription.SubscriptionType.database", CKSubscription.SubscriptionType.database, Int(3))
        get("CKSubscription.subscriptionID", \CKSubscription.subscriptionID, CKSubscription.ID.self)
        get("CKSubscription.subscriptionType", \CKSubscription.subscriptionType, CKSubscription.SubscriptionType.self)
        set(
            "CKSubscription.notificationInfo", \CKSubscription.notificationInfo, CKSubscription.NotificationInfo?.self)
    }

    mutating func querySubscriptions() {
        topic("CKQuerySubscription")
        typealias Query = CKQuerySubscription
        type("CKQuerySubscription", Query.self as CKSubscription.Type)
        type("CKQuerySubscription.Options", Query.Options.self as any (OptionSet & Sendable).Type)
        raw("CKQuerySubscription.Options.firesOnRecordCreation", Query.Options.firesOnRecordCreation, UInt(1))
        raw("CKQuerySubscription.Options.firesOnRecordUpdate", Query.Options.firesOnRecordUpdate, UInt(2))
        raw("CKQuerySubscription.Options.firesOnRecordDeletion", Query.Options.firesOnRecordDeletion, UInt(4))
        raw("CKQuerySubscription.Options.firesOnce", Query.Options.firesOnce, UInt(8))
        function(
            "CKQuerySubscription.init(recordType:predicate:subscriptionID:options:)",
            Query.init(recordType:predicate:subscriptionID:options:)
                as (CKRecord.RecordType, NSPredicate, CKSubscription.ID, Query.Options) -> Query)
        function(
            "CKQuerySubscription.init(recordType:predicate:options:)",
            Query.init(recordType:predicate:options:)
                as (CKRecord.RecordType, NSPredicate, Query.Options) -> Query)
        get("CKQuerySubscription.recordType", \Query.recordType, CKRecord.RecordType?.self)
        get("CKQuerySubscription.predicate", \Query.predicate, NSPredicate.self)
        set("CKQuerySubscription.zoneID", \Query.zoneID, CKRecordZone.ID?.self)
        get("CKQuerySubscription.querySubscriptionOptions", \Query.querySubscriptionOptions, Query.Options.self)
    }

    mutating func zoneSubscriptions() {
        topic("CKRecordZoneSubscription")
        typealias Zone = CKRecordZoneSubscription
        type("CKRecordZoneSubscription", Zone.self as CKSubscription.Type)
        function("CKRecordZoneSubscription.init(zoneID:)", Zone.init(zoneID:) as (CKRecordZone.ID) -> Zone)
        function(
            "CKRecordZoneSubscription.init(zoneID:subscriptionID:)",
            Zone.init(zoneID:subscriptionID:) as (CKRecordZone.ID, CKSubscription.ID) -> Zone)
        get("CKRecordZoneSubscription.zoneID", \Zone.zoneID, CKRecordZone.ID.self)
        set("CKRecordZoneSubscription.recordType", \Zone.recordType, CKRecord.RecordType?.self)
    }

    mutating func databaseSubscriptions() {
        topic("CKDatabaseSubscription")
        typealias Database = CKDatabaseSubscription
        type("CKDatabaseSubscription", Database.self as CKSubscription.Type)
        function("CKDatabaseSubscription.init()", Database.init as () -> Database)
        function(
            "CKDatabaseSubscription.init(subscriptionID:)",
            Database.init(subscriptionID:) as (CKSubscription.ID) -> Database)
        set("CKDatabaseSubscription.recordType", \Database.recordType, CKRecord.RecordType?.self)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut(_ predicate: NSPredicate) {
    _ = CKQuerySubscription(recordType: "Note", predicate: predicate, subscriptionID: "new")
}
