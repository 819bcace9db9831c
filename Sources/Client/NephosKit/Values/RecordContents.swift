import CloudKitWire
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
    func archive(to writer: inout JSONWriter) {
        writer.archive("changeTag", changeTag)
        writer.archive("creator", creator)
        writer.archive("created", created)
        writer.archive("modifier", modifier)
        writer.archive("modified", modified)
        writer.archive("share", share)
    }

    /// Reads a member that ``archive(to:)`` wrote; any other member is skipped.
    mutating func read(_ reader: inout JSONReader, _ key: JSONKey) throws(WireError) {
        switch key {
        case "changeTag": changeTag = try reader.archived()
        case "creator": creator = try reader.archived()
        case "created": created = try reader.archived()
        case "modifier": modifier = try reader.archived()
        case "modified": modified = try reader.archived()
        case "share": share = try reader.archived()
        default: break
        }
    }
}

/// Fields and changes. Values that are not archivable are left out, and so is the note that they were set: a save would
/// send it as their removal.
extension RecordContents: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("fields", archivedFields)
        writer.archive("changed", changed.filter { fields[$0]?.isArchivable != false }.sorted())
        writer.archive("encrypted", encrypted.sorted())
        writer.archive("isParentChanged", isParentChanged)
        writer.endObject()
    }

    private var archivedFields: [ArchivedField] {
        let names = Set(fields.keys).union(original.keys).sorted()
        let all = names.map { name in
            let (value, original) = (fields[name], original[name])
            let isUnchanged = !changed.contains(name) && value != nil && original != nil
            return ArchivedField(name: name, value: value, original: original, isUnchanged: isUnchanged)
        }
        return all.filter { $0.value != nil || $0.original != nil }
    }

    init(archive reader: inout JSONReader) throws(WireError) {
        var (fields, changed, encrypted): ([ArchivedField], [String], [String]) = ([], [], [])
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "fields": fields = try reader.archived()
            case "changed": changed = try reader.archived()
            case "encrypted": encrypted = try reader.archived()
            case "isParentChanged": isParentChanged = try reader.archived()
            default: break
            }
        }
        for field in fields {
            self.fields[field.name] = field.value
            original[field.name] = field.original
        }
        self.changed = Set(changed)
        self.encrypted = Set(encrypted)
    }
}

/// A field of a record, which is written once if the server has the same value.
private struct ArchivedField: Archived {
    var name: String
    var value: FieldValue?
    /// The value as the server stored it.
    var original: FieldValue?
    /// Whether both are the same.
    var isUnchanged: Bool

    init(name: String, value: FieldValue?, original: FieldValue?, isUnchanged: Bool) {
        (self.name, self.isUnchanged) = (name, isUnchanged)
        self.value = value?.isArchivable == true ? value : nil
        self.original = original?.isArchivable == true ? original : nil
    }

    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("name", name)
        writer.archive("value", value)
        if isUnchanged { writer.archive("isUnchanged", true) } else { writer.archive("original", original) }
        writer.endObject()
    }

    init(archive reader: inout JSONReader) throws(WireError) {
        var (name, value, original, isUnchanged): (String?, FieldValue?, FieldValue?, Bool) = (nil, nil, nil, false)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "name": name = try reader.archived()
            case "value": value = try reader.archived()
            case "original": original = try reader.archived()
            case "isUnchanged": isUnchanged = try reader.archived()
            default: break
            }
        }
        guard let name else { throw WireError("a field has no name") }
        self.init(name: name, value: value, original: isUnchanged ? value : original, isUnchanged: isUnchanged)
    }
}
