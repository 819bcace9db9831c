public import Foundation
import NephosTransport

/// A part of a database whose records can refer to each other and change together.
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

    public override var description: String { "<CKRecordZone: \(zoneID.zoneName), owner \(zoneID.ownerName)>" }

    public func copy(with zone: NSZone? = nil) -> Any {
        CKRecordZone(
            zoneID: zoneID, capabilities: capabilities, share: share, encryptionScope: encryptionScope)
    }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(zoneID, forKey: "zoneID")
        coder.encode(Int(capabilities.rawValue), forKey: "capabilities")
        coder.encodeIfAny(share, forKey: "share")
        coder.encode(encryptionScope.rawValue, forKey: "encryptionScope")
    }

    /// Reads a zone from an archive; nil if the archive does not contain a zone.
    public required convenience init?(coder: NSCoder) {
        guard let zoneID = coder.decodeIfAny(CKRecordZoneID.self, forKey: "zoneID") else { return nil }
        self.init(
            zoneID: zoneID,
            capabilities: Capabilities(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "capabilities"))),
            share: coder.decodeIfAny(CKReference.self, forKey: "share"),
            encryptionScope: EncryptionScope(rawValue: coder.decodeInteger(forKey: "encryptionScope")) ?? .perRecord)
    }
}
