import CloudKitWire
public import Foundation

/// A field value that refers to another record of the same zone. References are compared by value: they are equal if
/// their IDs and actions are equal.
///
/// The class is at the top level because nested classes cannot be archived on Linux. In your code, write
/// `CKRecord.Reference`.
public final class CKReference: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The ID of the record that the reference points to.
    public let recordID: CKRecordID
    /// Whether the record that contains the reference is deleted together with the record that it points to.
    public let action: CKRecord.ReferenceAction

    /// Creates a reference to a record by its ID. The record need not exist: the server checks the reference when the
    /// record that contains it is saved.
    ///
    /// - Parameter action: Whether the record that contains the reference is deleted together with the record that it
    ///   points to.
    public init(recordID: CKRecordID, action: CKRecord.ReferenceAction) {
        self.recordID = recordID
        self.action = action
    }

    /// Creates a reference to a record by the record's ID.
    public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
        self.init(recordID: record.recordID, action: action)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKReference else { return false }
        return recordID == other.recordID && action == other.action
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(recordID)
        hasher.combine(action)
        return hasher.finalize()
    }

    public override var description: String {
        "<CKReference: \(recordID)\(action == .deleteSelf ? ", deletes itself" : "")>"
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(self, forKey: "CKReference") }

    /// Reads a reference from an archive; nil if the archive does not contain a reference.
    public required convenience init?(coder: NSCoder) {
        guard let reference = coder.decodeContent(CKReference.self, forKey: "CKReference") else { return nil }
        self.init(recordID: reference.recordID, action: reference.action)
    }
}

extension CKReference: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("recordID", recordID)
        writer.archive("deletesSelf", action == .deleteSelf)
        writer.endObject()
    }

    convenience init(archive reader: inout JSONReader) throws(WireError) {
        var (recordID, deletesSelf): (CKRecordID?, Bool) = (nil, false)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordID": recordID = try reader.archived()
            case "deletesSelf": deletesSelf = try reader.archived()
            default: break
            }
        }
        guard let recordID else { throw WireError("this is not a reference") }
        self.init(recordID: recordID, action: deletesSelf ? .deleteSelf : .none)
    }
}
