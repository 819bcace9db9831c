import CoreLocation
import Foundation

/// The data of a record apart from its type and ID.
struct RecordContents: Sendable {
    /// The metadata that the service assigns to a record.
    struct System: Sendable {
        var changeTag: String?
        var creator: CKRecordID?
        var created: Date?
        var modifier: CKRecordID?
        var modified: Date?
        var share: CKReference?
    }

    var system = System()
    var parent: CKReference?
    var isParentChanged = false
    private(set) var fields: [CKRecord.FieldKey: FieldValue] = [:]
    /// The fields whose values the server receives only in encrypted form. None is ever removed: a field of the program's record is
    /// encrypted for its whole life, whatever a server responds.
    private(set) var encrypted: Set<CKRecord.FieldKey> = []
    /// The fields that were set since the record was created, fetched or saved.
    private(set) var changed: Set<CKRecord.FieldKey> = []
    /// The fields as the server stored them at that time. They are the ancestor in a conflict.
    private(set) var original: [CKRecord.FieldKey: FieldValue] = [:]
    /// The fields that were set since the record was last sent; nil if it was never sent.
    private var changedSinceSent: Set<CKRecord.FieldKey>?
    private var parentWhenSent: CKReference?

    init() {}

    /// Creates the contents as the server stores them.
    init(
        _ system: System, parent: CKReference?, fields: [CKRecord.FieldKey: FieldValue],
        encrypted: Set<CKRecord.FieldKey> = []
    ) {
        self.system = system
        self.parent = parent
        self.fields = fields
        self.encrypted = encrypted
        original = fields
    }

    /// Sets or removes a field.
    ///
    /// - Parameter value: The value; nil removes the field. This is not a change if neither the record nor the server
    ///   has it.
    mutating func set(_ value: FieldValue?, _ key: CKRecord.FieldKey, isEncrypted: Bool) {
        changedSinceSent?.insert(key)
        if value == nil, fields[key] == nil, original[key] == nil {
            changed.remove(key)
            return
        }
        // Few records have fewer fields than this.
        if fields.isEmpty { fields.reserveCapacity(6) }
        if changed.isEmpty { changed.reserveCapacity(6) }
        fields[key] = value
        changed.insert(key)
        if isEncrypted { encrypted.insert(key) }
        if value == nil, original[key] == nil { changed.remove(key) }
    }

    /// Whether one of these fields has a value here that is not encrypted.
    func hasPlainField(among keys: Set<CKRecord.FieldKey>) -> Bool {
        keys.contains { fields[$0] != nil && !encrypted.contains($0) }
    }

    /// Encrypts these fields too, once they are set.
    mutating func keepEncrypted(_ keys: Set<CKRecord.FieldKey>) { encrypted.formUnion(keys) }

    /// The record with the fields that it had when it was last created, fetched or saved.
    var ancestor: RecordContents { RecordContents(system, parent: parent, fields: original, encrypted: encrypted) }
}

// MARK: Saving

extension RecordContents {
    /// Returns the contents to send. Later changes are recorded separately, for ``saved(_:sent:isWhole:files:)``.
    mutating func sending() -> RecordContents {
        changedSinceSent = []
        parentWhenSent = parent
        return self
    }

    /// Updates the contents after they were saved as `sent`. Fields that were set after that keep their values, and are
    /// still unsaved changes.
    ///
    /// - Parameters:
    ///   - answer: The record as the server stores it now.
    ///   - isWhole: Whether `answer` contains all fields, including those that others changed.
    ///   - files: Returns a sent file with the server's identification of it.
    mutating func saved(
        _ answer: RecordContents, sent: RecordContents, isWhole: Bool, files: (CKAsset, CKRecord.FieldKey) -> CKAsset
    ) {
        system = answer.system
        var now = isWhole ? answer.fields : sent.fields
        for (key, value) in sent.fields where value.hasAssets && now[key] != nil {
            now[key] = value.mapAssets { files($0, key) }
        }
        original = now
        let since = changedSinceSent ?? []
        for key in since { now[key] = fields[key] }
        fields = now
        changed = changed.intersection(since)
        if isWhole { encrypted.formUnion(answer.encrypted) }
        if parent == parentWhenSent { isParentChanged = false }
        if isWhole, !isParentChanged { parent = answer.parent }
    }

    /// Replaces the files of all fields, after files were fetched.
    mutating func fetched(_ files: (CKAsset) -> CKAsset) {
        for (key, value) in fields where value.hasAssets {
            fields[key] = value.mapAssets(files)
            original[key] = fields[key]
        }
    }
}

// MARK: Archives

extension RecordContents.System {
    func encode(with coder: NSCoder) {
        coder.encodeIfAny(changeTag.map { $0 as NSString }, forKey: "changeTag")
        coder.encodeIfAny(creator, forKey: "creator")
        coder.encodeIfAny(created.map { $0 as NSDate }, forKey: "created")
        coder.encodeIfAny(modifier, forKey: "modifier")
        coder.encodeIfAny(modified.map { $0 as NSDate }, forKey: "modified")
        coder.encodeIfAny(share, forKey: "share")
    }

    init(coder: NSCoder) {
        changeTag = coder.decodeString(forKey: "changeTag")
        creator = coder.decodeIfAny(CKRecordID.self, forKey: "creator")
        created = coder.decodeIfAny(NSDate.self, forKey: "created").map { $0 as Date }
        modifier = coder.decodeIfAny(CKRecordID.self, forKey: "modifier")
        modified = coder.decodeIfAny(NSDate.self, forKey: "modified").map { $0 as Date }
        share = coder.decodeIfAny(CKReference.self, forKey: "share")
    }
}

extension RecordContents {
    private static let classes: [AnyClass] = [
        NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSArray.self, CKReference.self,
        CLLocation.self,
    ]

    /// Writes fields and changes. Unsupported values are left out, and so are files: only the record at the server, or
    /// the program, refers to them.
    func encode(with coder: NSCoder) {
        func objects(_ fields: [String: FieldValue]) -> NSDictionary {
            let objects = fields.compactMapValues { value -> Any? in value.isArchivable ? value.object : nil }
            return NSDictionary(dictionary: objects)
        }
        coder.encode(objects(fields), forKey: "fields")
        coder.encode(objects(original), forKey: "original")
        coder.encode(NSArray(array: changed.map { $0 as NSString }), forKey: "changed")
        coder.encode(NSArray(array: encrypted.map { $0 as NSString }), forKey: "encrypted")
        coder.encode(isParentChanged, forKey: "isParentChanged")
    }

    init(coder: NSCoder) {
        // An archive of the system fields alone contains none of these.
        func object(_ key: String) -> Any? {
            coder.containsValue(forKey: key) ? coder.decodeObject(of: Self.classes, forKey: key) : nil
        }
        func values(_ key: String) -> [String: FieldValue] {
            let object = object(key) as? NSDictionary
            var values: [String: FieldValue] = [:]
            for (name, value) in object ?? [:] {
                if let name = name as? String { values[name] = FieldValue(any: value) }
            }
            return values
        }
        func names(_ key: String) -> Set<String> {
            Set(object(key) as? [String] ?? [])
        }
        fields = values("fields")
        original = values("original")
        changed = names("changed")
        encrypted = names("encrypted")
        isParentChanged = coder.decodeBool(forKey: "isParentChanged")
    }
}

extension FieldValue {
    fileprivate var isArchivable: Bool {
        switch self {
        case .asset, .unsupported: false
        case .list(let values): values.allSatisfy(\.isArchivable)
        default: true
        }
    }
}
