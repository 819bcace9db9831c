public import Foundation

/// Lets `CKNotification(fromRemoteNotificationDictionary:)` give the kind of notification that a payload is, as Apple's class
/// does: an initializer of a protocol may choose what `self` is, one of a class may not.
public protocol CKNotificationMaking {}

extension CKNotificationMaking {
    /// Reads the payload of a push, of a courier's poll or of a stream.
    ///
    /// - Returns: One of the kinds of ``CKNotification``; nil for a payload that is none of CloudKit's, or of another kind than
    ///   the class that was asked.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
        guard let payload = NotificationPayload(notificationDictionary),
            let notification = CKNotification.make(payload) as? Self
        else { return nil }
        self = notification
    }
}

/// Says that something changed. It is no data: it may be lost, and several changes may come as one. Fetch the changes.
public class CKNotification: NSObject, CKNotificationMaking, @unchecked Sendable {
    /// Which kind of subscription sent a notification. Numbers are Apple's.
    public enum NotificationType: Int, Sendable {
        /// A query subscription: a record that passes its predicate was created, changed or deleted.
        case query = 1
        /// A zone subscription: something in its zone changed.
        case recordZone = 2
        /// Another device marked a notification as read. Apple's service dropped it: never returned.
        case readNotification = 3
        /// A database subscription: something in its database changed.
        case database = 4
    }

    /// The same for all notifications of one change.
    public typealias ID = CKNotificationID

    let payload: NotificationPayload

    init(_ payload: NotificationPayload) { self.payload = payload }

    fileprivate static func make(_ payload: NotificationPayload) -> CKNotification {
        switch payload.kind {
        case .query: CKQueryNotification(payload)
        case .recordZone: CKRecordZoneNotification(payload)
        case .database: CKDatabaseNotification(payload)
        case nil: CKNotification(payload)
        }
    }

    /// What kind it is. A payload that had to lose even that is taken for one of a database: anything may have changed.
    public var notificationType: NotificationType {
        switch payload.kind {
        case .query: .query
        case .recordZone: .recordZone
        case .database, nil: .database
        }
    }

    /// The ID that all notifications of one change have; nil where the payload has none.
    public var notificationID: CKNotificationID? { payload.string("nid").map { CKNotificationID($0) } }
    /// The ID of the container in which something changed.
    public var containerIdentifier: String? { payload.string("cid") }
    /// The ID of the subscription that fired; nil where the payload was too long for it.
    public var subscriptionID: CKSubscription.ID? { payload.event["sid"] as? String }
    /// The user record of the person whose subscription fired.
    public var subscriptionOwnerUserRecordID: CKRecordID? {
        payload.string("ckuserid").map { CKRecordID(recordName: $0) }
    }
    /// Whether the payload was too long, and something is missing.
    public var isPruned: Bool { payload.number("p") == 1 || payload.kind == nil }

    // MARK: What the system shows

    /// The text of the alert.
    public var alertBody: String? { payload.alert("body") }
    /// The key of the alert's text in the app's own languages.
    public var alertLocalizationKey: String? { payload.alert("loc-key") }
    /// The values that stand in the alert's text, in its order.
    public var alertLocalizationArgs: [String]? { payload.alerts("loc-args") }
    /// The title of the alert.
    public var title: String? { payload.alert("title") }
    /// The key of the title in the app's own languages.
    public var titleLocalizationKey: String? { payload.alert("title-loc-key") }
    /// The values that stand in the title, in its order.
    public var titleLocalizationArgs: [String]? { payload.alerts("title-loc-args") }
    /// The subtitle of the alert.
    public var subtitle: String? { payload.alert("subtitle") }
    /// The key of the subtitle in the app's own languages.
    public var subtitleLocalizationKey: String? { payload.alert("subtitle-loc-key") }
    /// The values that stand in the subtitle, in its order.
    public var subtitleLocalizationArgs: [String]? { payload.alerts("subtitle-loc-args") }
    /// The key of the button's text in the app's own languages.
    public var alertActionLocalizationKey: String? { payload.alert("action-loc-key") }
    /// The name of a picture of the app that is shown while the app starts.
    public var alertLaunchImage: String? { payload.alert("launch-image") }
    /// The number for the app's icon.
    public var badge: NSNumber? { payload.system["badge"] as? NSNumber }
    /// The name of a sound of the app.
    public var soundName: String? { payload.system["sound"] as? String }
    /// The name of a category of actions that the app offers with the alert.
    public var category: String? { payload.system["category"] as? String }
}

/// Says which record a query subscription fired for, and why.
public final class CKQueryNotification: CKNotification, @unchecked Sendable {
    /// What happened to the record. Numbers are Apple's.
    public enum Reason: Int, Sendable {
        /// The record was created.
        case recordCreated = 1
        /// The record was changed.
        case recordUpdated = 2
        /// The record was deleted.
        case recordDeleted = 3
    }

    /// What happened to the record; `.recordUpdated` where the payload does not say.
    public var queryNotificationReason: Reason {
        (payload.event["fo"] as? NSNumber).flatMap { Reason(rawValue: $0.intValue) } ?? .recordUpdated
    }
    /// Values of the fields that the subscription asked for; nil where none came along.
    public var recordFields: [String: Any]? { payload.event["af"] as? [String: Any] }
    /// Nil where the payload was too long for it.
    public var recordID: CKRecordID? {
        guard let name = payload.event["rid"] as? String else { return nil }
        return CKRecordID(recordName: name, zoneID: payload.zoneID ?? .default)
    }
    /// The database in which the record is.
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Says that something in a zone changed.
public final class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    /// Nil where the payload was too long for it.
    public var recordZoneID: CKRecordZoneID? { payload.zoneID }
    /// The database in which the zone is.
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Says that something in a database changed.
public final class CKDatabaseNotification: CKNotification, @unchecked Sendable {
    /// The database in which something changed.
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Names the change that notifications tell of. Write `CKNotification.ID`.
public final class CKNotificationID: NSObject, NSSecureCoding, NSCopying, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKNotificationID)?.text == text }
    public override var hash: Int { text.hashValue }
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }
    public func encode(with coder: NSCoder) { coder.encode(text as NSString, forKey: "nid") }

    public required convenience init?(coder: NSCoder) {
        guard let text = coder.decodeString(forKey: "nid") else { return nil }
        self.init(text)
    }
}
