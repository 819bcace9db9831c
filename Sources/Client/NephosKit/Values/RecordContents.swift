import CoreLocation
import Foundation

/// What a record holds beside its type and id.
struct RecordContents: Sendable {
    /// What the service says of a record.
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
    /// Fields whose values the server sees encrypted.
    private(set) var encrypted: Set<CKRecord.FieldKey> = []
    /// Fields that were set since the record was made, fetched or saved.
    private(set) var changed: Set<CKRecord.FieldKey> = []
    /// The fields as the server had them then: what a conflict is judged by.
    private(set) var original: [CKRecord.FieldKey: FieldValue] = [:]
    /// Fields that were set since the record was sent; nil for one that was not.
    private var changedSinceSent: Set<CKRecord.FieldKey>?
    private var parentWhenSent: CKReference?

    init() {}

    /// As the server has them.
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

    /// - Parameter value: nil removes the field. Nothing changes where there was none, and none at the server.
    mutating func set(_ value: FieldValue?, _ key: CKRecord.FieldKey, isEncrypted: Bool) {
        changedSinceSent?.insert(key)
        if value == nil, fields[key] == nil, original[key] == nil {
            changed.remove(key)
            return
        }
        // Few records have fewer fields.
        if fields.isEmpty { fields.reserveCapacity(6) }
        if changed.isEmpty { changed.reserveCapacity(6) }
        fields[key] = value
        changed.insert(key)
        if isEncrypted { encrypted.insert(key) }
        if value == nil, original[key] == nil { changed.remove(key) }
    }

    /// The record as it was when it was made, fetched or saved last.
    var ancestor: RecordContents { RecordContents(system, parent: parent, fields: original, encrypted: encrypted) }
}

// MARK: Saving

extension RecordContents {
    /// What is saved is what stands here now.
    mutating func sending() -> RecordContents {
        changedSinceSent = []
        parentWhenSent = parent
        return self
    }

    /// The record was saved as `sent`. What was set since stays, and is still to be saved.
    ///
    /// - Parameters:
    ///   - answer: What the server has now.
    ///   - isWhole: Whether that holds all fields, those of others too.
    ///   - files: What the server knows the files that were sent by.
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
        if isWhole { encrypted = answer.encrypted.union(encrypted.intersection(since)) }
        if parent == parentWhenSent { isParentChanged = false }
        if isWhole, !isParentChanged { parent = answer.parent }
    }

    /// Files were fetched.
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

    /// Writes fields and changes. A file is only named by the record at the server, or by the program, so it is left out.
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
        // An archive of the system fields alone has none of these.
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
