import CloudKitWire
public import Foundation
import NephosTransport

/// A record: an ID, a type, and fields by name.
///
/// Changes remain local until the record is saved. Invalid names of fields, types and records do not stop the program,
/// as they do on Apple's platforms: the save fails with `invalidArguments` and a message that states the reason.
///
/// Two records are equal only if they are the same object. A record can be used on any thread.
public class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting, @unchecked Sendable {
    /// The type of ``recordType``: a letter, then letters, digits and `_`, up to 255 bytes.
    public typealias RecordType = String
    /// The name of a field: a letter, then letters, digits and `_`, up to 255 bytes. A record has up to 512.
    public typealias FieldKey = String
    /// The ID of a record: its name, and the zone that it is in.
    public typealias ID = CKRecordID
    /// A field value that refers to another record of the same zone.
    public typealias Reference = CKReference

    /// What happens to a record when the record that it refers to is deleted.
    public enum ReferenceAction: UInt, Sendable {
        /// The record remains when the record that it refers to is deleted.
        case none = 0
        /// The record is deleted together with the record that it refers to.
        case deleteSelf = 1
    }

    /// The record types that every container has.
    public enum SystemType {
        /// The type of user records. Each person has one in the public database.
        public static let userRecord: RecordType = "Users"
        /// The type of shares.
        public static let share: RecordType = "cloudkit.share"
    }

    /// The names of the fields that the service maintains, for predicates and sort descriptors.
    public enum SystemFieldKey {
        /// The record's ID.
        public static let recordID: FieldKey = "___recordID"
        /// The user record of the person who created the record.
        public static let creatorUserRecordID: FieldKey = "___createdBy"
        /// The time at which the server created the record.
        public static let creationDate: FieldKey = "___createTime"
        /// The user record of the person who last changed the record.
        public static let lastModifiedUserRecordID: FieldKey = "___modifiedBy"
        /// The time at which the server last changed the record.
        public static let modificationDate: FieldKey = "___modTime"
        /// The parent of the record.
        public static let parent: FieldKey = "___parent"
        /// The share of the record.
        public static let share: FieldKey = "___share"
    }

    /// The type of the record, which determines the fields that it may have.
    public let recordType: RecordType
    /// The ID under which the server stores the record.
    public let recordID: CKRecordID
    let contents: Locked<RecordContents>

    /// Creates a record without fields. Nothing is sent until the record is saved. With an invalid name, the save
    /// fails.
    public init(recordType: RecordType, recordID: CKRecordID = CKRecordID()) {
        self.recordType = recordType
        self.recordID = recordID
        contents = Locked(RecordContents())
    }

    /// Creates a record under a new ID. It is a separate initializer so that it can be passed as a function:
    /// `types.map(CKRecord.init(recordType:))`.
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

    // MARK: Metadata from the service; nil until it has stored the record

    /// The server's change tag: the version of the record that was last fetched or saved.
    /// ``CKModifyRecordsOperation/RecordSavePolicy/ifServerRecordUnchanged`` compares it.
    public var recordChangeTag: String? { contents.withLock { $0.system.changeTag } }
    /// The user record of the person who created the record. If that person is signed in, its name is
    /// ``CKCurrentUserDefaultName``.
    public var creatorUserRecordID: CKRecordID? { contents.withLock { $0.system.creator } }
    /// The time at which the server created the record, by the server's clock, in whole milliseconds.
    public var creationDate: Date? { contents.withLock { $0.system.created } }
    /// The user record of the person who last changed the record. If that person is signed in, its name is
    /// ``CKCurrentUserDefaultName``.
    public var lastModifiedUserRecordID: CKRecordID? { contents.withLock { $0.system.modifier } }
    /// The time at which the server last changed the record, by the server's clock, in whole milliseconds.
    public var modificationDate: Date? { contents.withLock { $0.system.modified } }
    /// The share of this record, if it has one.
    public var share: CKReference? { contents.withLock { $0.system.share } }

    /// The parent of this record: if the parent is shared, so is this record. The action of the reference must be
    /// `.none`.
    public var parent: CKReference? {
        get { contents.withLock { $0.parent } }
        set {
            contents.withLock {
                $0.parent = newValue
                $0.isParentChanged = true
            }
        }
    }

    /// Sets ``parent`` to a record of the same zone, or to nil.
    public func setParent(_ parentRecord: CKRecord?) { setParent(parentRecord?.recordID) }

    /// Sets ``parent`` to the record with an ID in the same zone, or to nil.
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

    /// The same as ``object(forKey:)``: returns the value of the field with this name, never a property of the record.
    public func value(forKey key: String) -> Any? { object(forKey: key) }

    /// Sets a field to any value. A value that a record cannot hold is stored, but the save then fails and states the
    /// reason.
    public func setValue(_ value: Any?, forKey key: String) {
        contents.withLock { $0.set(value.map { FieldValue(any: $0) }, key, isEncrypted: false) }
    }

    public func setValue(_ value: (any CKRecordValueProtocol)?, ofField key: FieldKey) {
        contents.withLock { $0.set(value.map { FieldValue($0) }, key, isEncrypted: false) }
    }

    public func allKeys() -> [FieldKey] { Array(contents.value.fields.keys) }

    public func changedKeys() -> [FieldKey] { Array(contents.value.changed) }

    /// The words of all fields that hold text, in lower case and in no particular order.
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

    /// Returns an independent record with the same ID, change tag, values and changes.
    public func copy(with zone: NSZone? = nil) -> Any {
        CKRecord(recordType: recordType, recordID: recordID, contents: contents.value)
    }

    // MARK: Archives

    public class var supportsSecureCoding: Bool { true }

    /// Writes the record's type, ID, parent and the metadata from the service, but not its fields. Use it if you store
    /// the fields elsewhere.
    ///
    /// Two archives of the same data consist of the same bytes. For this purpose the archiver's format is set to XML,
    /// because Foundation's binary format writes dictionaries in a random order.
    public func encodeSystemFields(with coder: NSCoder) {
        (coder as? NSKeyedArchiver)?.outputFormat = .xml
        encodeSystemFields(of: contents.value, with: coder)
    }

    public func encode(with coder: NSCoder) {
        let contents = contents.value
        encodeSystemFields(of: contents, with: coder)
        coder.encodeContent(contents, forKey: "CKRecord.fields")
    }

    private func encodeSystemFields(of contents: RecordContents, with coder: NSCoder) {
        coder.encodeContent(forKey: "CKRecord") { writer in
            writer.archive("recordType", recordType)
            writer.archive("recordID", recordID)
            writer.archive("parent", contents.parent)
            contents.system.archive(to: &writer)
        }
    }

    /// Reads an archive that ``encodeSystemFields(with:)`` wrote, or the archive of a whole record; nil for anything
    /// else.
    public required init?(coder: NSCoder) {
        var (type, id, contents): (RecordType?, CKRecordID?, RecordContents) = (nil, nil, RecordContents())
        // An archive of the system fields alone has no other fields.
        if coder.containsValue(forKey: "CKRecord.fields") {
            guard let fields = coder.decodeContent(RecordContents.self, forKey: "CKRecord.fields") else { return nil }
            contents = fields
        }
        let isRead = coder.decodeContent(forKey: "CKRecord") { reader, key throws(WireError) in
            switch key {
            case "recordType": type = try reader.archived()
            case "recordID": id = try reader.archived()
            case "parent": contents.parent = try reader.archived()
            default: try contents.system.read(&reader, key)
            }
        }
        guard isRead, let type, let id else { return nil }
        recordType = type
        recordID = id
        self.contents = Locked(contents)
    }
}

/// The names and values of a record's fields, in no particular order.
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
