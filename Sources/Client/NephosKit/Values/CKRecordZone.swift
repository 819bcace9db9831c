import CloudKitWire
public import Foundation
import NephosTransport

/// A part of a database whose records can refer to each other and change together. Zones are compared by value.
public final class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The ID of a zone: its name, and its owner.
    public typealias ID = CKRecordZoneID

    /// The features that a zone supports. They are empty until the zone is saved or fetched.
    public struct Capabilities: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The changes since a change token can be fetched.
        public static let fetchChanges = Capabilities(rawValue: 1)
        /// The changes of one request are applied together or not at all.
        public static let atomic = Capabilities(rawValue: 2)
        /// Hierarchies of records can be shared.
        public static let sharing = Capabilities(rawValue: 4)
        /// The zone can be shared as a whole.
        public static let zoneWideSharing = Capabilities(rawValue: 8)
    }

    /// How values are encrypted: record by record, or for a zone as a whole.
    public enum EncryptionScope: Int, Sendable {
        /// Each record is encrypted by itself.
        case perRecord = 0
        /// All records of a zone are encrypted together. This is not supported yet: saving such a zone fails with
        /// `invalidArguments`.
        case perZone = 1
    }

    /// The ID of the zone.
    public let zoneID: CKRecordZoneID
    /// The features that the zone supports, as the server reported them.
    public let capabilities: Capabilities
    /// The share of the whole zone, if it has one.
    public let share: CKReference?
    private let scope: Locked<EncryptionScope>

    /// How the values in the zone are encrypted. Set it before the zone is saved for the first time.
    public var encryptionScope: EncryptionScope {
        get { scope.value }
        set { scope.value = newValue }
    }

    /// Returns the default zone, which every database has. Its capabilities are empty until it is fetched.
    public class func `default`() -> CKRecordZone { CKRecordZone(zoneID: .default) }

    /// Creates a zone of the person who is signed in. It exists on the server once it is saved.
    public convenience init(zoneName: String) { self.init(zoneID: CKRecordZoneID(zoneName: zoneName)) }

    /// Creates a zone with an ID. It exists on the server once it is saved.
    public convenience init(zoneID: CKRecordZoneID) { self.init(zoneID: zoneID, capabilities: [], share: nil) }

    init(
        zoneID: CKRecordZoneID, capabilities: Capabilities, share: CKReference?,
        encryptionScope: EncryptionScope = .perRecord
    ) {
        self.zoneID = zoneID
        self.capabilities = capabilities
        self.share = share
        scope = Locked(encryptionScope)
    }

    /// Whether the IDs, capabilities, shares and scopes of encryption are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZone else { return false }
        return zoneID == other.zoneID && capabilities == other.capabilities && share == other.share
            && encryptionScope == other.encryptionScope
    }

    public override var hash: Int { zoneID.hash }

    public override var description: String { "<CKRecordZone: \(zoneID.zoneName), owner \(zoneID.ownerName)>" }

    public func copy(with zone: NSZone? = nil) -> Any {
        CKRecordZone(
            zoneID: zoneID, capabilities: capabilities, share: share, encryptionScope: encryptionScope)
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encodeContent(forKey: "CKRecordZone") { writer in
            writer.archive("zoneID", zoneID)
            writer.archive("capabilities", Int(bitPattern: capabilities.rawValue))
            writer.archive("share", share)
            writer.archive("encryptionScope", encryptionScope.rawValue)
        }
    }

    /// Reads a zone from an archive; nil if the archive does not contain a zone.
    public required convenience init?(coder: NSCoder) {
        var (zoneID, share): (CKRecordZoneID?, CKReference?) = (nil, nil)
        var (capabilities, scope): (Int, Int) = (0, 0)
        let isRead = coder.decodeContent(forKey: "CKRecordZone") { reader, key throws(WireError) in
            switch key {
            case "zoneID": zoneID = try reader.archived()
            case "capabilities": capabilities = try reader.archived()
            case "share": share = try reader.archived()
            case "encryptionScope": scope = try reader.archived()
            default: break
            }
        }
        guard isRead, let zoneID else { return nil }
        self.init(
            zoneID: zoneID, capabilities: Capabilities(rawValue: UInt(bitPattern: capabilities)), share: share,
            encryptionScope: EncryptionScope(rawValue: scope) ?? .perRecord)
    }
}
