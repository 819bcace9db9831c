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
    public enum NotificationType: Int, Sendable { case query = 1, recordZone = 2, readNotification = 3, database = 4 }

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

    public var notificationID: CKNotificationID? { payload.string("nid").map { CKNotificationID($0) } }
    public var containerIdentifier: String? { payload.string("cid") }
    public var subscriptionID: CKSubscription.ID? { payload.event["sid"] as? String }
    public var subscriptionOwnerUserRecordID: CKRecordID? {
        payload.string("ckuserid").map { CKRecordID(recordName: $0) }
    }
    /// Whether the payload was too long, and something is missing.
    public var isPruned: Bool { payload.number("p") == 1 || payload.kind == nil }

    // MARK: What the system shows

    public var alertBody: String? { payload.alert("body") }
    public var alertLocalizationKey: String? { payload.alert("loc-key") }
    public var alertLocalizationArgs: [String]? { payload.alerts("loc-args") }
    public var title: String? { payload.alert("title") }
    public var titleLocalizationKey: String? { payload.alert("title-loc-key") }
    public var titleLocalizationArgs: [String]? { payload.alerts("title-loc-args") }
    public var subtitle: String? { payload.alert("subtitle") }
    public var subtitleLocalizationKey: String? { payload.alert("subtitle-loc-key") }
    public var subtitleLocalizationArgs: [String]? { payload.alerts("subtitle-loc-args") }
    public var alertActionLocalizationKey: String? { payload.alert("action-loc-key") }
    public var alertLaunchImage: String? { payload.alert("launch-image") }
    public var badge: NSNumber? { payload.system["badge"] as? NSNumber }
    public var soundName: String? { payload.system["sound"] as? String }
    public var category: String? { payload.system["category"] as? String }
}

/// Says which record a query subscription fired for, and why.
public final class CKQueryNotification: CKNotification, @unchecked Sendable {
    public enum Reason: Int, Sendable { case recordCreated = 1, recordUpdated = 2, recordDeleted = 3 }

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
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Says that something in a zone changed.
public final class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    /// Nil where the payload was too long for it.
    public var recordZoneID: CKRecordZoneID? { payload.zoneID }
    public var databaseScope: CKDatabaseScope { payload.scope }
}

/// Says that something in a database changed.
public final class CKDatabaseNotification: CKNotification, @unchecked Sendable {
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
