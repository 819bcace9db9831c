import CloudKitWire
public import Foundation
import NephosTransport

/// A subscription that fires when records of a type that match a predicate are created, changed or deleted.
public final class CKQuerySubscription: CKSubscription, @unchecked Sendable {
    /// When a subscription fires. Saving one without any of the first three options fails with `invalidArguments`.
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A record that matches the predicate is created.
        public static let firesOnRecordCreation = Options(rawValue: 1)
        /// A record is changed, and matches the predicate after the change.
        public static let firesOnRecordUpdate = Options(rawValue: 2)
        /// A record that matched the predicate is deleted.
        public static let firesOnRecordDeletion = Options(rawValue: 4)
        /// The server removes the subscription when it fires for the first time, even if the person has no device.
        public static let firesOnce = Options(rawValue: 8)

        /// All three kinds of changes, each time.
        public static let everyChange: Options = [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion]
    }

    /// The type of the records that the subscription watches.
    public let recordType: CKRecord.RecordType?
    /// The predicate that records must match. Saving a subscription with an unsupported predicate fails with
    /// `invalidArguments`.
    public let predicate: NSPredicate
    /// When the subscription fires.
    public let querySubscriptionOptions: Options
    private let zone: Locked<CKRecordZoneID?>

    /// The zone to which the subscription is limited; nil for every zone of the database.
    public var zoneID: CKRecordZoneID? {
        get { zone.value }
        set { zone.value = newValue }
    }

    /// Creates a subscription. Save it with ``CKDatabase/save(_:)-(CKSubscription)``.
    ///
    /// - Parameter subscriptionID: A name that the app chooses. Saving the same subscription again changes nothing.
    public init(
        recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
        options querySubscriptionOptions: Options = .everyChange
    ) {
        self.recordType = recordType
        self.predicate = predicate
        self.querySubscriptionOptions = querySubscriptionOptions
        zone = Locked(nil)
        super.init(.query, subscriptionID)
    }

    /// Creates a subscription with a new random ID.
    @available(*, deprecated, message: "Pass an id, so that saving it again changes nothing.")
    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        options querySubscriptionOptions: Options = .everyChange
    ) {
        self.init(
            recordType: recordType, predicate: predicate, subscriptionID: UUID().uuidString,
            options: querySubscriptionOptions)
    }

    /// As for any subscription. Predicates are equal if CloudKit evaluates them alike, however they are spelled; one that
    /// CloudKit does not support is equal to itself only.
    public override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? CKQuerySubscription else { return false }
        return recordType == other.recordType && querySubscriptionOptions == other.querySubscriptionOptions
            && zoneID == other.zoneID && predicate.isSame(as: other.predicate)
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKQuerySubscription(
            recordType: recordType ?? "", predicate: predicate, subscriptionID: subscriptionID,
            options: querySubscriptionOptions)
        copy.zoneID = zoneID
        copy.notificationInfo = notificationInfo
        return copy
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeContent(forKey: "CKQuerySubscription") { writer in
            writer.archive("recordType", recordType)
            writer.archive("predicate", predicate.tree.predicateText)
            writer.archive("options", Int(bitPattern: querySubscriptionOptions.rawValue))
            writer.archive("zoneID", zoneID)
        }
    }

    public required init?(coder: NSCoder) {
        var (type, text, zoneID, options): (CKRecord.RecordType?, String?, CKRecordZoneID?, Int) = (nil, nil, nil, 0)
        let isRead = coder.decodeContent(forKey: "CKQuerySubscription") { reader, key throws(WireError) in
            switch key {
            case "recordType": type = try reader.archived()
            case "predicate": text = try reader.archived()
            case "options": options = try reader.archived()
            case "zoneID": zoneID = try reader.archived()
            default: break
            }
        }
        guard isRead, let text else { return nil }
        recordType = type
        predicate = NSPredicate(tree: PredicateParser.tree(text))
        querySubscriptionOptions = Options(rawValue: UInt(bitPattern: options))
        zone = Locked(zoneID)
        super.init(coder: coder)
    }
}
