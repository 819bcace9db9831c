import CloudKitWire
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

    public override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? CKRecordZoneSubscription else { return false }
        return zoneID == other.zoneID && recordType == other.recordType
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: subscriptionID)
        copy.recordType = recordType
        copy.notificationInfo = notificationInfo
        return copy
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeContent(forKey: "CKRecordZoneSubscription") { writer in
            writer.archive("zoneID", zoneID)
            writer.archive("recordType", recordType)
        }
    }

    public required init?(coder: NSCoder) {
        var (zoneID, recordType): (CKRecordZoneID?, CKRecord.RecordType?) = (nil, nil)
        let isRead = coder.decodeContent(forKey: "CKRecordZoneSubscription") { reader, key throws(WireError) in
            switch key {
            case "zoneID": zoneID = try reader.archived()
            case "recordType": recordType = try reader.archived()
            default: break
            }
        }
        guard isRead, let zoneID else { return nil }
        self.zoneID = zoneID
        type = Locked(recordType)
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

    public override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? CKDatabaseSubscription else { return false }
        return recordType == other.recordType
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKDatabaseSubscription(subscriptionID: subscriptionID)
        copy.recordType = recordType
        copy.notificationInfo = notificationInfo
        return copy
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeContent(forKey: "CKDatabaseSubscription") { $0.archive("recordType", recordType) }
    }

    public required init?(coder: NSCoder) {
        var recordType: CKRecord.RecordType?
        let isRead = coder.decodeContent(forKey: "CKDatabaseSubscription") { reader, key throws(WireError) in
            if case "recordType" = key { recordType = try reader.archived() }
        }
        guard isRead else { return nil }
        type = Locked(recordType)
        super.init(coder: coder)
    }
}
