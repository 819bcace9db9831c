public import Foundation
import NephosTransport

/// A part of a database whose records may refer to each other, and change together.
public final class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Names a zone: its name, and whose it is.
    public typealias ID = CKRecordZoneID

    /// What a zone can do. A zone that was not saved or fetched can do nothing yet.
    public struct Capabilities: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Changes can be fetched from a change token on.
        public static let fetchChanges = Capabilities(rawValue: 1)
        /// Changes of one request happen together or not at all.
        public static let atomic = Capabilities(rawValue: 2)
        /// Hierarchies of records can be shared.
        public static let sharing = Capabilities(rawValue: 4)
        /// The zone can be shared as a whole.
        public static let zoneWideSharing = Capabilities(rawValue: 8)
    }

    /// What values are encrypted with.
    public enum EncryptionScope: Int, Sendable {
        /// Each record by itself.
        case perRecord = 0
        /// All of a zone together. It is not there yet: saving such a zone fails with `invalidArguments`.
        case perZone = 1
    }

    /// The ID of the zone.
    public let zoneID: CKRecordZoneID
    /// What the server says the zone can do.
    public let capabilities: Capabilities
    /// The share of the whole zone, where it has one.
    public let share: CKReference?
    private let scope: Locked<EncryptionScope>

    /// Can be set until the zone is saved first.
    public var encryptionScope: EncryptionScope {
        get { scope.value }
        set { scope.value = newValue }
    }

    /// The default zone, which every database has. Capabilities are known once it is fetched.
    public class func `default`() -> CKRecordZone { CKRecordZone(zoneID: .default) }

    /// Creates a zone of the person who is signed in. The server has it once it is saved.
    public convenience init(zoneName: String) { self.init(zoneID: CKRecordZoneID(zoneName: zoneName)) }

    /// Creates a zone with an ID. The server has it once it is saved.
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

    /// Nil for an archive that holds no zone.
    public required convenience init?(coder: NSCoder) {
        guard let zoneID = coder.decodeIfAny(CKRecordZoneID.self, forKey: "zoneID") else { return nil }
        self.init(
            zoneID: zoneID,
            capabilities: Capabilities(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "capabilities"))),
            share: coder.decodeIfAny(CKReference.self, forKey: "share"),
            encryptionScope: EncryptionScope(rawValue: coder.decodeInteger(forKey: "encryptionScope")) ?? .perRecord)
    }
}
