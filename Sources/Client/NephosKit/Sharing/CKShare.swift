public import Foundation
import NephosTransport

/// A record that shares others: a root with all that name it as their parent, or a whole zone. Save it together with its root.
///
/// No server keeps shares yet, so it is a value of this program alone. What Apple's framework stops the program for changes
/// nothing here; a share on which that was tried cannot be saved.
public final class CKShare: CKRecord, @unchecked Sendable {
    private let stored: Locked<ShareContents>
    var shared: ShareContents { stored.value }

    /// Shares a record with all that name it as their parent.
    ///
    /// - Parameters:
    ///   - rootRecord: Gets a reference to its share. A record that has a share already is not shared again: fetch that
    ///     share instead; this one cannot be saved.
    ///   - shareID: An ID in the zone of the root.
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

    /// With an id by chance, in the root's zone.
    public convenience init(rootRecord: CKRecord) {
        let name = "Share-\(UUID().uuidString)"
        self.init(rootRecord: rootRecord, shareID: CKRecord.ID(recordName: name, zoneID: rootRecord.recordID.zoneID))
    }

    /// Shares a whole zone.
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

    /// A share of its own, with participants of its own.
    public override func copy(with zone: NSZone? = nil) -> Any {
        CKShare(recordID: recordID, contents: contents.value, shared: shared.copy)
    }

    // MARK: Archives

    /// Writes who takes part, too.
    public override func encodeSystemFields(with coder: NSCoder) {
        super.encodeSystemFields(with: coder)
        shared.encode(with: coder)
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        shared.encode(with: coder)
    }

    /// Reads what ``encodeSystemFields(with:)`` or an archive of a whole share holds. Anything else becomes an empty share that
    /// cannot be saved.
    public required init(coder: NSCoder) {
        let record = CKRecord(coder: coder)
        let id = record?.recordID ?? CKRecordID()
        var shared = ShareContents(coder: coder, zone: id.zoneID)
        if record?.recordType != SystemType.share {
            shared.refuse("the share was decoded from data that is not an archive of a share")
        }
        stored = Locked(shared)
        super.init(recordType: SystemType.share, recordID: id, contents: record?.contents.value ?? RecordContents())
    }
}
