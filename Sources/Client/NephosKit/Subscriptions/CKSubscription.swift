public import Foundation
import NephosTransport

/// A request to the server to notify a person's devices of changes. Create one of its subclasses.
public class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type of ``subscriptionID``.
    public typealias ID = String
    /// What is shown, and which values are sent, when a subscription fires.
    public typealias NotificationInfo = CKNotificationInfo

    /// What a subscription watches. The raw values are Apple's.
    public enum SubscriptionType: Int, Sendable {
        /// Records of a type that match a predicate: ``CKQuerySubscription``.
        case query = 1
        /// All of one zone: ``CKRecordZoneSubscription``.
        case recordZone = 2
        /// The custom zones of a database: ``CKDatabaseSubscription``.
        case database = 3
    }

    /// The name by which the subscription is fetched, saved again and deleted. It is unique among the subscriptions of
    /// a person in a database.
    public let subscriptionID: ID
    /// What the subscription watches.
    public let subscriptionType: SubscriptionType
    private let info: Locked<CKNotificationInfo?>

    /// What notifications contain, and how they are shown. The subscription stores a copy of the value.
    public var notificationInfo: CKNotificationInfo? {
        get { info.value }
        set { info.value = newValue.map { CKNotificationInfo($0.members) } }
    }

    init(_ type: SubscriptionType, _ subscriptionID: ID, _ notificationInfo: CKNotificationInfo? = nil) {
        self.subscriptionID = subscriptionID
        subscriptionType = type
        info = Locked(notificationInfo.map { CKNotificationInfo($0.members) })
    }

    /// Returns another object with the same content.
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

    /// Returns nil for an archive that contains no subscription.
    public required init?(coder: NSCoder) {
        guard let id = coder.decodeString(forKey: "subscriptionID"),
            let type = SubscriptionType(rawValue: coder.decodeInteger(forKey: "subscriptionType"))
        else { return nil }
        subscriptionID = id
        subscriptionType = type
        info = Locked(coder.decodeIfAny(CKNotificationInfo.self, forKey: "notificationInfo"))
    }
}
