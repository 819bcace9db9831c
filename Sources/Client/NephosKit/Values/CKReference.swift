public import Foundation

/// A field's value that names another record of the same zone. A value: equal ids and actions make equal references.
///
/// It stands at the top level, since classes inside of others cannot be archived on Linux; write `CKRecord.Reference`.
public final class CKReference: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The ID of the record that is referred to.
    public let recordID: CKRecordID
    /// Whether the record that holds this goes when the one it names is deleted.
    public let action: CKRecord.ReferenceAction

    /// Refers to a record by its ID, whether it exists or not: the server decides when the record with the reference is
    /// saved.
    ///
    /// - Parameter action: Whether the record that holds this goes when the one it names is deleted.
    public init(recordID: CKRecordID, action: CKRecord.ReferenceAction) {
        self.recordID = recordID
        self.action = action
    }

    /// Refers to a record by its ID.
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

    public func encode(with coder: NSCoder) {
        coder.encode(recordID, forKey: "recordID")
        coder.encode(Int(action.rawValue), forKey: "action")
    }

    /// Nil for an archive that holds no reference.
    public required convenience init?(coder: NSCoder) {
        guard let recordID = coder.decodeIfAny(CKRecordID.self, forKey: "recordID"),
            let action = CKRecord.ReferenceAction(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "action")))
        else { return nil }
        self.init(recordID: recordID, action: action)
    }
}
