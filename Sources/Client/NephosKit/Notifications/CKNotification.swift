public import Foundation

/// Lets `CKNotification(fromRemoteNotificationDictionary:)` return the subclass that matches a payload, as Apple's
/// class does: an initializer in a protocol extension can assign `self`, one in a class cannot.
public protocol CKNotificationMaking {}

extension CKNotificationMaking {
    /// Creates a notification from the payload of a push, a poll or a stream.
    ///
    /// - Returns: A ``CKNotification`` of the subclass that matches the payload; nil for a payload that is not
    ///   CloudKit's, or that does not match the class on which the initializer is called.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
        guard let payload = NotificationPayload(notificationDictionary),
            let notification = CKNotification.make(payload) as? Self
        else { return nil }
        self = notification
    }
}

/// Reports that something changed. Do not rely on it as data: a notification may be lost, and one may stand for several
/// changes. Fetch the changes.
public class CKNotification: NSObject, CKNotificationMaking, @unchecked Sendable {
    /// The kind of subscription that sent a notification. The raw values are Apple's.
    public enum NotificationType: Int, Sendable {
        /// A query subscription: a record that matches its predicate was created, changed or deleted.
        case query = 1
        /// A zone subscription: something in its zone changed.
        case recordZone = 2
        /// Another device marked a notification as read. Apple's service no longer supports it: never returned.
        case readNotification = 3
        /// A database subscription: something in its database changed.
        case database = 4
    }

    /// The type of ``notificationID``.
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

    /// The kind of subscription that sent the notification. A payload that does not contain the kind counts as one of a
    /// database subscription: anything may have changed.
    public var notificationType: NotificationType {
        switch payload.kind {
        case .query: .query
        case .recordZone: .recordZone
        case .database, nil: .database
        }
    }

    /// The ID, which is the same for all notifications of one change; nil if the payload has none.
    public var notificationID: CKNotificationID? { payload.string("nid").map { CKNotificationID($0) } }
    /// The ID of the container in which something changed.
    public var containerIdentifier: String? { payload.string("cid") }
    /// The ID of the subscription that fired; nil if the payload was too long to contain it.
    public var subscriptionID: CKSubscription.ID? { payload.event["sid"] as? String }
    /// The user record of the person whose subscription fired.
    public var subscriptionOwnerUserRecordID: CKRecordID? {
        payload.string("ckuserid").map { CKRecordID(recordName: $0) }
    }
    /// Whether something is missing: the payload was too long, or does not contain the kind of subscription.
    public var isPruned: Bool { payload.number("p") == 1 || payload.kind == nil }

    // MARK: What the system shows

    /// The text of the alert.
    public var alertBody: String? { payload.alert("body") }
    /// The key of the alert's text in the app's localized texts.
    public var alertLocalizationKey: String? { payload.alert("loc-key") }
    /// The values for the placeholders in the alert's text, in order.
    public var alertLocalizationArgs: [String]? { payload.alerts("loc-args") }
    /// The title of the alert.
    public var title: String? { payload.alert("title") }
    /// The key of the title in the app's localized texts.
    public var titleLocalizationKey: String? { payload.alert("title-loc-key") }
    /// The values for the placeholders in the title, in order.
    public var titleLocalizationArgs: [String]? { payload.alerts("title-loc-args") }
    /// The subtitle of the alert.
    public var subtitle: String? { payload.alert("subtitle") }
    /// The key of the subtitle in the app's localized texts.
    public var subtitleLocalizationKey: String? { payload.alert("subtitle-loc-key") }
    /// The values for the placeholders in the subtitle, in order.
    public var subtitleLocalizationArgs: [String]? { payload.alerts("subtitle-loc-args") }
    /// The key of the button's text in the app's localized texts.
    public var alertActionLocalizationKey: String? { payload.alert("action-loc-key") }
    /// The name of an image in the app that is shown while the app starts.
    public var alertLaunchImage: String? { payload.alert("launch-image") }
    /// The number for the badge of the app's icon.
    public var badge: NSNumber? { payload.system["badge"] as? NSNumber }
    /// The name of a sound in the app.
    public var soundName: String? { payload.system["sound"] as? String }
    /// The name of a category of actions that the app offers with the alert.
    public var category: String? { payload.system["category"] as? String }
}

/// Reports the record for which a query subscription fired, and the reason.
public final class CKQueryNotification: CKNotification, @unchecked Sendable {
    /// What happened to the record. The raw values are Apple's.
    public enum Reason: Int, Sendable {
        /// The record was created.
        case recordCreated = 1
        /// The record was changed.
        case recordUpdated = 2
        /// The record was deleted.
        case recordDeleted = 3
    }

    /// What happened to the record; `.recordUpdated` if the payload does not specify it.
    public var queryNotificationReason: Reason {
        (payload.event["fo"] as? NSNumber).flatMap { Reason(rawValue: $0.intValue) } ?? .recordUpdated
    }
    /// The values of the fields that the subscription requested; nil if the payload contains none.
    public var recordFields: [String: Any]? { payload.event["af"] as? [String: Any] }
    /// The ID of the record; nil if the payload was too long to contain it.
    public var recordID: CKRecordID? {
        guard let name = payload.event["rid"] as? String else { return nil }
        return CKRecordID(recordName: name, zoneID: payload.zoneID ?? .default)
    }
    /// The database in which the record is.
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Reports that something in a zone changed.
public final class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    /// The ID of the zone; nil if the payload was too long to contain it.
    public var recordZoneID: CKRecordZoneID? { payload.zoneID }
    /// The database in which the zone is.
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Reports that something in a database changed.
public final class CKDatabaseNotification: CKNotification, @unchecked Sendable {
    /// The database in which something changed.
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Identifies the change that notifications report. Write `CKNotification.ID`.
public final class CKNotificationID: NSObject, NSSecureCoding, NSCopying, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKNotificationID)?.text == text }
    public override var hash: Int { text.hashValue }
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }
    public func encode(with coder: NSCoder) { coder.encodeContent(text, forKey: "CKNotificationID") }

    public required convenience init?(coder: NSCoder) {
        guard let text = coder.decodeContent(String.self, forKey: "CKNotificationID") else { return nil }
        self.init(text)
    }
}
