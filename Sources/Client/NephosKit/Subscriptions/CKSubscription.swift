import CloudKitWire
public import Foundation
import NephosTransport

/// A request to the server to notify a person's devices of changes. Create one of its subclasses. Subscriptions are
/// compared by value.
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

    /// Whether both are of the same class, and everything in them is equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKSubscription, type(of: self) == type(of: other) else { return false }
        return subscriptionID.hasSameBytes(as: other.subscriptionID) && subscriptionType == other.subscriptionType
            && notificationInfo == other.notificationInfo
    }

    public override var hash: Int { subscriptionID.hashValue }

    public override var description: String { "<\(type(of: self)): \(subscriptionID)>" }

    public class var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encodeContent(forKey: "CKSubscription") { writer in
            writer.archive("subscriptionID", subscriptionID)
            writer.archive("subscriptionType", subscriptionType.rawValue)
            writer.archive("notificationInfo", notificationInfo?.members)
        }
    }

    /// Returns nil for an archive that contains no subscription.
    public required init?(coder: NSCoder) {
        var (id, type, members): (ID?, SubscriptionType?, CKNotificationInfo.Members?) = (nil, nil, nil)
        let isRead = coder.decodeContent(forKey: "CKSubscription") { reader, key throws(WireError) in
            switch key {
            case "subscriptionID": id = try reader.archived()
            case "subscriptionType": type = SubscriptionType(rawValue: try reader.archived())
            case "notificationInfo": members = try reader.archived()
            default: break
            }
        }
        guard isRead, let id, let type else { return nil }
        subscriptionID = id
        subscriptionType = type
        info = Locked(members.map { CKNotificationInfo($0) })
    }
}
