public import Foundation
import NephosTransport

/// A subscription that fires when anything in a zone changes.
public final class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
    /// The zone that the subscription watches.
    public let zoneID: CKRecordZoneID
    private let type: Locked<CKRecord.RecordType?>

    /// A record type that has no effect: it is not sent to the service, which notifies of changes to records of all
    /// types.
    public var recordType: CKRecord.RecordType? {
        get { type.value }
        set { type.value = newValue }
    }

    /// Creates a subscription. Save it with ``CKDatabase/save(_:)-(CKSubscription)``.
    ///
    /// - Parameter subscriptionID: A name that the app chooses. Saving the same subscription again changes nothing.
    public init(zoneID: CKRecordZoneID, subscriptionID: CKSubscription.ID) {
        self.zoneID = zoneID
        type = Locked(nil)
        super.init(.recordZone, subscriptionID)
    }

    /// Creates a subscription with a new random ID.
    @available(*, deprecated, message: "Pass an id, so that saving it again changes nothing.")
    public convenience init(zoneID: CKRecordZoneID) { self.init(zoneID: zoneID, subscriptionID: UUID().uuidString) }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: subscriptionID)
        copy.recordType = recordType
        copy.notificationInfo = notificationInfo
        return copy
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(zoneID, forKey: "zoneID")
        coder.encodeIfAny(recordType.map { $0 as NSString }, forKey: "recordType")
    }

    public required init?(coder: NSCoder) {
        guard let zoneID = coder.decodeIfAny(CKRecordZoneID.self, forKey: "zoneID") else { return nil }
        self.zoneID = zoneID
        type = Locked(coder.decodeString(forKey: "recordType"))
        super.init(coder: coder)
    }
}

/// A subscription that fires when anything in the custom zones of a database changes.
public final class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
    private let type: Locked<CKRecord.RecordType?>

    /// A record type that has no effect: it is not sent to the service, which notifies of changes to records of all
    /// types.
    public var recordType: CKRecord.RecordType? {
        get { type.value }
        set { type.value = newValue }
    }

    /// Creates a subscription. Save it with ``CKDatabase/save(_:)-(CKSubscription)``.
    ///
    /// - Parameter subscriptionID: A name that the app chooses. Saving the same subscription again changes nothing.
    public init(subscriptionID: CKSubscription.ID) {
        type = Locked(nil)
        super.init(.database, subscriptionID)
    }

    /// Creates a subscription with a new random ID.
    @available(*, deprecated, message: "Pass an id, so that saving it again changes nothing.")
    public convenience init() { self.init(subscriptionID: UUID().uuidString) }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKDatabaseSubscription(subscriptionID: subscriptionID)
        copy.recordType = recordType
        copy.notificationInfo = notificationInfo
        return copy
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfAny(recordType.map { $0 as NSString }, forKey: "recordType")
    }

    public required init?(coder: NSCoder) {
        type = Locked(coder.decodeString(forKey: "recordType"))
        super.init(coder: coder)
    }
}
