import CloudKit

/// Identifiers of records and zones, files, and zones themselves.
@available(*, deprecated, message: "It names what is deprecated as well.")
extension Inventory {
    mutating func recordIDs() {
        topic("Record IDs")
        type("CKRecord.ID", CKRecord.ID.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function("CKRecord.ID.init(recordName:)", CKRecord.ID.init(recordName:) as (String) -> CKRecord.ID)
        function(
            "CKRecord.ID.init(recordName:zoneID:)",
            CKRecord.ID.init(recordName:zoneID:) as (String, CKRecordZone.ID) -> CKRecord.ID)
        get("CKRecord.ID.recordName", \CKRecord.ID.recordName, String.self)
        get("CKRecord.ID.zoneID", \CKRecord.ID.zoneID, CKRecordZone.ID.self)
    }

    mutating func references() {
        topic("References")
        type("CKRecord.ReferenceAction", CKRecord.ReferenceAction.self as any Sendable.Type)
        raw("CKRecord.ReferenceAction.none", CKRecord.ReferenceAction.none, UInt(0))
        raw("CKRecord.ReferenceAction.deleteSelf", CKRecord.ReferenceAction.deleteSelf, UInt(1))
        type(
            "CKRecord.Reference",
            CKRecord.Reference.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function(
            "CKRecord.Reference.init(recordID:action:)",
            CKRecord.Reference.init(recordID:action:)
                as (CKRecord.ID, CKRecord.ReferenceAction) -> CKRecord.Reference)
        function(
            "CKRecord.Reference.init(record:action:)",
            CKRecord.Reference.init(record:action:) as (CKRecord, CKRecord.ReferenceAction) -> CKRecord.Reference)
        get("CKRecord.Reference.recordID", \CKRecord.Reference.recordID, CKRecord.ID.self)
        get("CKRecord.Reference.action", \CKRecord.Reference.action, CKRecord.ReferenceAction.self)
    }

    mutating func assets() {
        topic("Assets")
        type("CKAsset", CKAsset.self as any (NSObject & Sendable).Type)
        function("CKAsset.init(fileURL:)", CKAsset.init(fileURL:) as (URL) -> CKAsset)
        get("CKAsset.fileURL", \CKAsset.fileURL, URL?.self)
    }

    mutating func zones() {
        topic("Record zones")
        type("CKRecordZone", CKRecordZone.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function("CKRecordZone.default()", CKRecordZone.default as () -> CKRecordZone)
        function("CKRecordZone.init(zoneName:)", CKRecordZone.init(zoneName:) as (String) -> CKRecordZone)
        function("CKRecordZone.init(zoneID:)", CKRecordZone.init(zoneID:) as (CKRecordZone.ID) -> CKRecordZone)
        get("CKRecordZone.zoneID", \CKRecordZone.zoneID, CKRecordZone.ID.self)
        get("CKRecordZone.capabilities", \CKRecordZone.capabilities, CKRecordZone.Capabilities.self)
        get("CKRecordZone.share", \CKRecordZone.share, CKRecord.Reference?.self)
        set("CKRecordZone.encryptionScope", \CKRecordZone.encryptionScope, CKRecordZone.EncryptionScope.self)
        type("CKRecordZone.Capabilities", CKRecordZone.Capabilities.self as any (OptionSet & Sendable).Type)
        raw("CKRecordZone.Capabilities.fetchChanges", CKRecordZone.Capabilities.fetchChanges, UInt(1))
        raw("CKRecordZone.Capabilities.atomic", CKRecordZone.Capabilities.atomic, UInt(2))
        raw("CKRecordZone.Capabilities.sharing", CKRecordZone.Capabilities.sharing, UInt(4))
        raw("CKRecordZone.Capabilities.zoneWideSharing", CKRecordZone.Capabilities.zoneWideSharing, UInt(8))
        type("CKRecordZone.EncryptionScope", CKRecordZone.EncryptionScope.self as any Sendable.Type)
        raw("CKRecordZone.EncryptionScope.perRecord", CKRecordZone.EncryptionScope.perRecord, Int(0))
        raw("CKRecordZone.EncryptionScope.perZone", CKRecordZone.EncryptionScope.perZone, Int(1))
    }

    mutating func zoneIDs() {
        topic("Record zone IDs")
        typealias ID = CKRecordZone.ID
        type("CKRecordZone.ID", ID.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
        function(
            "CKRecordZone.ID.init(zoneName:ownerName: String)",
            ID.init(zoneName:ownerName:) as (String, String) -> ID)
        function(
            "CKRecordZone.ID.init(zoneName:ownerName: String?)",
            ID.init(zoneName:ownerName:) as (String, String?) -> ID)
        get("CKRecordZone.ID.zoneName", \ID.zoneName, String.self)
        get("CKRecordZone.ID.ownerName", \ID.ownerName, String.self)
        constant("CKRecordZone.ID.default", CKRecordZone.ID.default, CKRecordZone.ID())
    }

    mutating func changeTokens() {
        topic("Change tokens")
        type(
            "CKServerChangeToken",
            CKServerChangeToken.self as any (NSObject & NSSecureCoding & NSCopying & Sendable).Type)
    }
}

/// Arguments that may be omitted: compiled, not run.
private func leftOut() {
    _ = (CKRecord.ID(), CKRecord.ID(recordName: ""), CKRecord.ID(zoneID: .default))
    _ = (CKRecordZone.ID(), CKRecordZone.ID(zoneName: ""), CKRecordZone.ID(ownerName: ""))
}
