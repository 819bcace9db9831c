public import Foundation
import NephosTransport

/// A record: fields by name, under an id, of a type.
///
/// What is set is kept here until the record is saved. Names of fields, of types and of records that cannot be do not stop the
/// program as on Apple's platforms: the save fails with `invalidArguments`, and says why.
///
/// Two records are equal only if they are the same object. Any thread may use one.
public class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting, @unchecked Sendable {
    /// The type of ``recordType``: a letter, then letters, digits and `_`, up to 255 bytes.
    public typealias RecordType = String
    /// The name of a field: a letter, then letters, digits and `_`, up to 255 bytes. A record has up to 512.
    public typealias FieldKey = String
    /// Names a record: its name, and the zone it is in.
    public typealias ID = CKRecordID
    /// A field's value that names another record of the same zone.
    public typealias Reference = CKReference

    /// Whether a record goes with the one that it refers to.
    public enum ReferenceAction: UInt, Sendable {
        /// The record stays when the one it refers to is deleted.
        case none = 0
        /// The record is deleted with the one it refers to.
        case deleteSelf = 1
    }

    /// Types that every container has.
    public enum SystemType {
        /// The type of user records, of which each person has one in the public database.
        public static let userRecord: RecordType = "Users"
        /// The type of shares.
        public static let share: RecordType = "cloudkit.share"
    }

    /// Fields that the service keeps, for predicates and sort descriptors.
    public enum SystemFieldKey {
        /// The record's ID.
        public static let recordID: FieldKey = "___recordID"
        /// The user record of whoever created the record.
        public static let creatorUserRecordID: FieldKey = "___createdBy"
        /// When the server created the record.
        public static let creationDate: FieldKey = "___createTime"
        /// The user record of whoever changed the record last.
        public static let lastModifiedUserRecordID: FieldKey = "___modifiedBy"
        /// When the server changed the record last.
        public static let modificationDate: FieldKey = "___modTime"
        /// The record that the record belongs to.
        public static let parent: FieldKey = "___parent"
        /// The share of the record.
        public static let share: FieldKey = "___share"
    }

    /// The type of the record, which says what fields it may have.
    public let recordType: RecordType
    /// The ID of the record, under which the server keeps it.
    public let recordID: CKRecordID
    let contents: Locked<RecordContents>

    /// Creates a record without fields. Nothing is sent before it is saved; names that cannot be fail the save.
    public init(recordType: RecordType, recordID: CKRecordID = CKRecordID()) {
        self.recordType = recordType
        self.recordID = recordID
        contents = Locked(RecordContents())
    }

    /// Under a new id. It stands by itself so that it can be named: `types.map(CKRecord.init(recordType:))`.
    public convenience init(recordType: RecordType) { self.init(recordType: recordType, recordID: CKRecordID()) }

    /// Creates a record under a new ID in a zone.
    @available(*, deprecated, message: "Use init(recordType:recordID:) with CKRecord.ID(zoneID:).")
    public convenience init(recordType: RecordType, zoneID: CKRecordZoneID) {
        self.init(recordType: recordType, recordID: CKRecordID(zoneID: zoneID))
    }

    init(recordType: RecordType, recordID: CKRecordID, contents: RecordContents) {
        self.recordType = recordType
        self.recordID = recordID
        self.contents = Locked(contents)
    }

    // MARK: What the service says of it; nil until it has stored the record

    /// The version of the record that this one was fetched or saved as.
    /// ``CKModifyRecordsOperation/RecordSavePolicy/ifServerRecordUnchanged`` compares it.
    public var recordChangeTag: String? { contents.withLock { $0.system.changeTag } }
    /// With the name ``CKCurrentUserDefaultName`` for who is signed in.
    public var creatorUserRecordID: CKRecordID? { contents.withLock { $0.system.creator } }
    /// When the server created the record, by its clock, in whole milliseconds.
    public var creationDate: Date? { contents.withLock { $0.system.created } }
    /// Who changed the record last. ``CKCurrentUserDefaultName`` is the name of who is signed in.
    public var lastModifiedUserRecordID: CKRecordID? { contents.withLock { $0.system.modifier } }
    /// When the server changed the record last, by its clock, in whole milliseconds.
    public var modificationDate: Date? { contents.withLock { $0.system.modified } }
    /// The share of this record, where it has one.
    public var share: CKReference? { contents.withLock { $0.system.share } }

    /// The record that this one belongs to when that is shared. Its action must be `.none`.
    public var parent: CKReference? {
        get { contents.withLock { $0.parent } }
        set {
            contents.withLock {
                $0.parent = newValue
                $0.isParentChanged = true
            }
        }
    }

    /// Sets ``parent`` to a record of the same zone, or to none.
    public func setParent(_ parentRecord: CKRecord?) { setParent(parentRecord?.recordID) }

    /// Sets ``parent`` to the record of an ID in the same zone, or to none.
    public func setParent(_ parentRecordID: CKRecordID?) {
        parent = parentRecordID.map { CKReference(recordID: $0, action: .none) }
    }

    // MARK: Fields

    public func object(forKey key: FieldKey) -> (any __CKRecordObjCValue)? {
        contents.withLock { $0.fields[key] }?.object
    }

    public func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: FieldKey) {
        setValue(object, ofField: key)
    }

    public subscript(key: FieldKey) -> (any __CKRecordObjCValue)? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    /// The same as ``object(forKey:)``: the field of this name, and no property of the record.
    public func value(forKey key: String) -> Any? { object(forKey: key) }

    /// Sets a field to any value. What no record can hold is kept, and the save says why it fails.
    public func setValue(_ value: Any?, forKey key: String) {
        contents.withLock { $0.set(value.map { FieldValue(any: $0) }, key, isEncrypted: false) }
    }

    public func setValue(_ value: (any CKRecordValueProtocol)?, ofField key: FieldKey) {
        contents.withLock { $0.set(value.map { FieldValue($0) }, key, isEncrypted: false) }
    }

    public func allKeys() -> [FieldKey] { Array(contents.value.fields.keys) }

    public func changedKeys() -> [FieldKey] { Array(contents.value.changed) }

    /// The words of all fields that hold text, in lower case, in no order.
    public func allTokens() -> [String] {
        let words = contents.value.fields.values.flatMap { value -> [String] in
            guard case .string(let text) = value else { return [] }
            return text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        return Array(Set(words))
    }

    public override var description: String {
        "<CKRecord: \(recordType) \(recordID.recordName), \(contents.value.fields.count) fields>"
    }

    /// A record of its own with the same id, tag, values and changes.
    public func copy(with zone: NSZone? = nil) -> Any {
        CKRecord(recordType: recordType, recordID: recordID, contents: contents.value)
    }

    // MARK: Archives

    public class var supportsSecureCoding: Bool { true }

    /// Writes what the service says of this record, and not its fields: for a copy of your own that keeps the fields elsewhere.
    ///
    /// Two archives of the same are the same bytes, for which the archiver's format becomes XML: Foundation writes the dictionaries
    /// of its binary one in an order by chance.
    public func encodeSystemFields(with coder: NSCoder) {
        (coder as? NSKeyedArchiver)?.outputFormat = .xml
        encode(contents.value.system, with: coder)
    }

    public func encode(with coder: NSCoder) {
        let contents = contents.value
        encode(contents.system, with: coder)
        contents.encode(with: coder)
    }

    private func encode(_ system: RecordContents.System, with coder: NSCoder) {
        coder.encode(recordType as NSString, forKey: "recordType")
        coder.encode(recordID, forKey: "recordID")
        coder.encodeIfAny(parent, forKey: "parent")
        system.encode(with: coder)
    }

    /// Reads what ``encodeSystemFields(with:)`` or an archive of a whole record holds; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeString(forKey: "recordType"),
            let recordID = coder.decodeIfAny(CKRecordID.self, forKey: "recordID")
        else { return nil }
        recordType = type
        self.recordID = recordID
        var contents = RecordContents(coder: coder)
        contents.system = RecordContents.System(coder: coder)
        contents.parent = coder.decodeIfAny(CKReference.self, forKey: "parent")
        self.contents = Locked(contents)
    }
}

/// The names and values of a record's fields, in no order.
public struct CKRecordKeyValueIterator: IteratorProtocol {
    public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)

    private var fields: Dictionary<CKRecord.FieldKey, FieldValue>.Iterator

    init(_ record: CKRecord) { fields = record.contents.value.fields.makeIterator() }

    public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
        fields.next().map { ($0.key, $0.value.object) }
    }
}

extension CKRecord: Sequence {
    public typealias Element = CKRecordKeyValueIterator.Element

    public func makeIterator() -> CKRecordKeyValueIterator { CKRecordKeyValueIterator(self) }
}
