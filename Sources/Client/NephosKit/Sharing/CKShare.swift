public import Foundation
import NephosTransport

/// A record that shares other records: a root record with all records that name it as their parent, or a whole zone.
/// Save it together with its root record.
///
/// A share is saved only if the server still has the version that was fetched, whatever the policy of the save. After a save the object
/// has its ``url``, and its participants as the server stores them. An invalid call for which Apple's framework stops the program
/// changes nothing here, but the share cannot be saved afterwards.
public final class CKShare: CKRecord, @unchecked Sendable {
    private let stored: Locked<ShareContents>
    var shared: ShareContents { stored.value }

    /// Creates a share of a record, with all records that name it as their parent.
    ///
    /// - Parameters:
    ///   - rootRecord: The record to share, which gets a reference to the new share. A record that has a share already
    ///     is not shared again: fetch that share instead; the new one cannot be saved.
    ///   - shareID: The ID of the share, in the zone of the root record.
    public init(rootRecord: CKRecord, shareID: CKRecord.ID) {
        var shared = ShareContents(zone: shareID.zoneID, root: rootRecord.recordID)
        if let share = rootRecord.share {
            shared.refuse("the record \(rootRecord.recordID.recordName) is already shared: fetch \(share.recordID)")
        } else {
            rootRecord.contents.withLock { $0.system.share = CKReference(recordID: shareID, action: .none) }
        }
        stored = Locked(shared)
        super.init(recordType: SystemType.share, recordID: shareID, contents: RecordContents())
    }

    /// Creates a share of a record, with a random ID in the zone of the record.
    public convenience init(rootRecord: CKRecord) {
        let name = "Share-\(UUID().uuidString)"
        self.init(rootRecord: rootRecord, shareID: CKRecord.ID(recordName: name, zoneID: rootRecord.recordID.zoneID))
    }

    /// Creates a share of a whole zone.
    public init(recordZoneID: CKRecordZone.ID) {
        stored = Locked(ShareContents(zone: recordZoneID))
        let id = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
        super.init(recordType: SystemType.share, recordID: id, contents: RecordContents())
    }

    init(recordID: CKRecordID, contents: RecordContents, shared: ShareContents) {
        stored = Locked(shared)
        super.init(recordType: SystemType.share, recordID: recordID, contents: contents)
    }

    func change(_ body: (inout ShareContents) -> Void) { stored.withLock(body) }

    public override var description: String {
        "<CKShare: \(recordID.recordName), \(shared.participants.count) participants>"
    }

    /// Returns an independent copy of the share and its participants.
    public override func copy(with zone: NSZone? = nil) -> Any {
        CKShare(recordID: recordID, contents: contents.value, shared: shared.copy)
    }

    // MARK: Archives

    /// Encodes the system fields, and what the share contains beyond its record, such as its participants.
    public override func encodeSystemFields(with coder: NSCoder) {
        super.encodeSystemFields(with: coder)
        coder.encodeContent(shared, forKey: "CKShare")
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeContent(shared, forKey: "CKShare")
    }

    /// Decodes a share from what ``encodeSystemFields(with:)`` wrote, or from an archive of a whole share. Anything
    /// else results in an empty share that cannot be saved.
    public required init(coder: NSCoder) {
        let record = CKRecord(coder: coder)
        let id = record?.recordID ?? CKRecordID()
        let archived = coder.decodeContent(ShareContents.self, forKey: "CKShare")
        // The owner of the zone takes part even if the archive contains no participants.
        var shared = archived ?? ShareContents(zone: id.zoneID)
        if archived == nil || record?.recordType != SystemType.share {
            shared.refuse("the share was decoded from data that is not an archive of a share")
        }
        stored = Locked(shared)
        super.init(recordType: SystemType.share, recordID: id, contents: record?.contents.value ?? RecordContents())
    }
}
