public import Foundation
import NephosTransport

/// Has the server tell a person's devices of changes. Make one of its kinds.
public class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type of ``subscriptionID``.
    public typealias ID = String
    /// What is shown, and what comes along, when a subscription fires.
    public typealias NotificationInfo = CKNotificationInfo

    /// What a subscription watches. Numbers are Apple's.
    public enum SubscriptionType: Int, Sendable {
        /// Records of a type that pass a predicate: ``CKQuerySubscription``.
        case query = 1
        /// All of one zone: ``CKRecordZoneSubscription``.
        case recordZone = 2
        /// The custom zones of a database: ``CKDatabaseSubscription``.
        case database = 3
    }

    /// The name by which it is fetched, saved again and deleted. One person may have it once in a database.
    public let subscriptionID: ID
    /// What it watches.
    public let subscriptionType: SubscriptionType
    private let info: Locked<CKNotificationInfo?>

    /// What is told, and how. A copy of what is set is kept.
    public var notificationInfo: CKNotificationInfo? {
        get { info.value }
        set { info.value = newValue.map { CKNotificationInfo($0.members) } }
    }

    init(_ type: SubscriptionType, _ subscriptionID: ID, _ notificationInfo: CKNotificationInfo? = nil) {
        self.subscriptionID = subscriptionID
        subscriptionType = type
        info = Locked(notificationInfo.map { CKNotificationInfo($0.members) })
    }

    /// Another object with the same content.
    public func copy(with zone: NSZone? = nil) -> Any {
        CKSubscription(subscriptionType, subscriptionID, notificationInfo)
    }

    public override var description: String { "<\(type(of: self)): \(subscriptionID)>" }

    public class var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(subscriptionID as NSString, forKey: "subscriptionID")
        coder.encode(subscriptionType.rawValue, forKey: "subscriptionType")
        coder.encodeIfAny(notificationInfo, forKey: "notificationInfo")
    }

    /// Nil for an archive that holds no subscription.
    public required init?(coder: NSCoder) {
        guard let id = coder.decodeString(forKey: "subscriptionID"),
            let type = SubscriptionType(rawValue: coder.decodeInteger(forKey: "subscriptionType"))
        else { return nil }
        subscriptionID = id
        subscriptionType = type
        info = Locked(coder.decodeIfAny(CKNotificationInfo.self, forKey: "notificationInfo"))
    }
}
